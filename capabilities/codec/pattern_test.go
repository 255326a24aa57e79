package codec

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestMatchers tells which of the three matchers an expression has: what is common must not fall to the slowest.
func TestMatchers(t *testing.T) {
	kind := func(m *matcher) string {
		switch {
		case m.fixed != nil:
			return "fixed"
		case m.automaton != nil:
			return "automaton"
		}
		return "regexp"
	}
	for pattern, want := range map[string]string{
		`^[A-Z]{3}-[0-9]{5}$`: "fixed", `^\d{4}-\d{2}-\d{2}$`: "fixed", `^a(b[cd]){2}$`: "fixed", `^[0-9a-f]{64}$`: "fixed",
		`^[0-9a-f]{65}$`: "automaton", `^[^a]$`: "automaton", `^é$`: "automaton", `[A-Z]{3}`: "automaton", `^$`: "fixed", `^a{2,3}$`: "automaton",
		`^[a-z0-9]+(-[a-z0-9]+)*$`: "automaton", `^[^@ ]+@[^@ ]+$`: "automaton", `^(a|b)$|^c`: "automaton", `.{0,100}`: "automaton",
		`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`:  "fixed",
		`^(https?|ftp)://[^/?#]+(/[^?#]*)?(\?[^#]*)?(#.*)?$`:    "automaton",
		`^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d)){3}$`: "automaton",
		`\bword\b`: "regexp", `(?i)k`: "regexp", `(?m)^a$`: "regexp", `^.{1,1000}$`: "regexp", `a[ab]{12}$`: "regexp",
	} {
		if got := kind(newMatcher(pattern)); got != want {
			t.Errorf("%s has the matcher %s", pattern, got)
		}
	}
}

// TestPatterns holds the matchers against package regexp, on expressions and texts that are made up.
func TestPatterns(t *testing.T) {
	n := uint64(10_000)
	if testing.Short() {
		n /= 10
	}
	var quick, matched, all int
	for seed := range n {
		made := patternMaker{rand.New(rand.NewPCG(seed, 1))}
		pattern := made.pattern()
		m := newMatcher(pattern)
		if m.regexp == nil {
			quick++
		}
		for range 20 {
			if all++; holdPattern(t, m, pattern, made.text()) {
				matched++
			}
		}
	}
	if quick < int(n)/2 || matched < all/10 || matched > all*9/10 {
		t.Errorf("of %d expressions %d are quick, of %d texts %d match: too few to tell", n, quick, all, matched)
	}
}

// FuzzPattern does what TestPatterns does, also on given expressions and texts.
func FuzzPattern(f *testing.F) {
	f.Add(`^[a-z0-9]+(-[a-z0-9]+)*$`, "a-b", uint64(1))
	f.Add(`^[A-Z]{3}-[0-9]{5}$`, "ABC-12345", uint64(2))
	f.Add(`$^|é|\x{fffd}`, "\xff", uint64(3))
	f.Fuzz(func(t *testing.T, pattern, text string, seed uint64) {
		if _, err := regexp.Compile(pattern); err == nil {
			holdPattern(t, newMatcher(pattern), pattern, text)
		}
		made := patternMaker{rand.New(rand.NewPCG(seed, 3))}
		pattern = made.pattern()
		m := newMatcher(pattern)
		for range 20 {
			holdPattern(t, m, pattern, made.text())
		}
	})
}

func holdPattern(t *testing.T, m *matcher, pattern, text string) (matched bool) {
	t.Helper()
	matched = m.match(text)
	if want := regexp.MustCompile(pattern).MatchString(text); matched != want {
		t.Errorf("%q matches %q: %t, and by regexp %t", pattern, text, matched, want)
	}
	return matched
}

// patternMaker makes up expressions, and texts of the characters that they are about.
type patternMaker struct{ *rand.Rand }

func (m patternMaker) pattern() string {
	pattern := m.alternatives(3)
	if m.IntN(2) == 0 {
		pattern = "^" + pattern
	}
	if m.IntN(2) == 0 {
		pattern += "$"
	}
	return pattern
}

func (m patternMaker) alternatives(depth int) string {
	pattern := m.sequence(depth)
	for m.IntN(6) == 0 {
		pattern += "|" + m.sequence(depth)
	}
	return pattern
}

func (m patternMaker) sequence(depth int) string {
	var b strings.Builder
	for range m.IntN(4) {
		b.WriteString(m.one(depth))
	}
	return b.String()
}

var (
	parts     = []string{"a", "b", "é", "-", `\.`, ".", "[ab]", "[^a]", "[a-c]", "[é-ü]", "[^é\n]", `\d`, `\w`, `\s`, `\W`, "[-.0]", "[^\u0000-\uffff]", "😀"}
	repeats   = []string{"", "", "", "", "?", "*", "+", "{2}", "{0,2}", "{1,3}", "{2,}", "*?"}
	anchors   = []string{"^", "$", `\b`}
	fragments = []string{"a", "a", "b", "b", "c", "é", "ü", "-", ".", "0", "\n", "😀", "\xff", "\ufffd", "\xc3"}
)

func (m patternMaker) one(depth int) string {
	switch n := m.IntN(20); {
	case n == 0:
		return anchors[m.IntN(len(anchors))]
	case n < 5 && depth > 0:
		return "(" + m.alternatives(depth-1) + ")" + repeats[m.IntN(len(repeats))]
	}
	return parts[m.IntN(len(parts))] + repeats[m.IntN(len(repeats))]
}

func (m patternMaker) text() string {
	var b strings.Builder
	for range m.IntN(7) {
		b.WriteString(fragments[m.IntN(len(fragments))])
	}
	return b.String()
}
