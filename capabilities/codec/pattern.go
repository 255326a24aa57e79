package codec

import (
	"regexp"
	"regexp/syntax"
	"sync/atomic"
)

// Pattern is a regular expression that strings are held to. It is safe for concurrent use.
type Pattern struct {
	source string
	// matcher is made when the pattern is first used.
	matcher atomic.Pointer[matcher]
}

// matcher tells whether some part of a text matches a regular expression. It is the first of three that the expression allows, each of
// which gives the answer of the last.
type matcher struct {
	fixed     *fixed
	automaton *automaton
	regexp    *regexp.Regexp
}

// NewPattern returns the pattern of a regular expression that the generator has compiled. It is compiled here when it is first used.
func NewPattern(source string) *Pattern { return &Pattern{source: source} }

// Check reports a string that no part of matches the pattern.
func (p *Pattern) Check(r *Report, text string) {
	m := p.matcher.Load()
	if m == nil {
		m = newMatcher(p.source)
		p.matcher.Store(m)
	}
	if f := m.fixed; f != nil && f.match(text) || f == nil && m.match(text) {
		return
	}
	r.Refuse("pattern", p.source)
}

func newMatcher(source string) *matcher {
	if parsed, err := syntax.Parse(source, syntax.Perl); err == nil {
		if f := newFixed(parsed); f != nil {
			return &matcher{fixed: f}
		}
		if a := newAutomaton(parsed); a != nil {
			return &matcher{automaton: a}
		}
	}
	return &matcher{regexp: regexp.MustCompile(source)}
}

func (m *matcher) match(text string) bool {
	switch {
	case m.fixed != nil:
		return m.fixed.match(text)
	case m.automaton != nil:
		return m.automaton.match(text)
	}
	return m.regexp.MatchString(text)
}

// OneOf reports whether a number equals one of some, exactly.
func OneOf(text []byte, values ...string) bool {
	for _, value := range values {
		if Compare(text, value) == 0 {
			return true
		}
	}
	return false
}
