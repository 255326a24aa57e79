package contain

import (
	"regexp/syntax"
	"slices"

	"github.com/capgen/capgen/internal/compat/schema"
)

// Answer says whether something is so.
type Answer int

// The answers. Only what is proved is Yes, and only what is shown is No.
const (
	Unknown Answer = iota
	Yes
	No
)

// language is the strings that a schema allows: those of least to most characters, none of them below 0, that its pattern matches some part of.
// Most is -1 for no limit; a pattern that is "" and not written matches everything.
type language struct {
	least, most int
	patterned   bool
	pattern     string
}

const (
	// maxTexts bounds how many texts, told apart by their lengths and by what patterns make of them, are looked at, and maxTransitions how many
	// are made of these by one more character.
	maxTexts       = 400_000
	maxTransitions = 4_000_000
	// maxWords bounds how many texts are looked at where each is its own.
	maxWords = 5_000
)

func languageOf(n *schema.Node) language {
	l := language{least: n.Count("minLength", 0), most: n.Count("maxLength", -1)}
	l.pattern, l.patterned = n.Plain["pattern"].(string)
	return l
}

// only returns the strings that one of the keywords allows by itself.
func (l language) only(keyword string) language {
	switch keyword {
	case "minLength":
		return language{least: l.least, most: -1}
	case "maxLength":
		return language{most: l.most}
	}
	return language{most: -1, patterned: l.patterned, pattern: l.pattern}
}

// search walks texts from the shortest, and keeps the way back to each.
type search struct {
	alphabet      []rune
	inside, other *machine
	seen          map[point]int
	texts         []visited
	transitions   int
}

// point is what is known of a text: where both patterns are, and its length, up to which it counts.
type point struct{ inside, other, length int }

// visited is a point with how it was reached.
type visited struct {
	point
	from, character int
}

// outside returns a text of l that is not in other. The answer is Yes when there is none, No with the text, or Unknown when the patterns are
// too much.
func (l language) outside(other language) (string, Answer) {
	s, ok := newSearch(l, other)
	if !ok {
		return "", Unknown
	}
	// Past this length, a longer text is no different.
	saturated := max(l.least, l.most+1, other.least, other.most+1)
	s.add(point{}, -1, -1)
	for i := 0; i < len(s.texts); i++ {
		at := s.texts[i]
		if l.admits(at.length) && s.inside.accepts(at.inside) && !(other.admits(at.length) && s.other.accepts(at.other)) {
			return s.text(i), No
		}
		if l.most >= 0 && at.length >= l.most {
			continue
		}
		if !s.extend(i, saturated) {
			return "", Unknown
		}
	}
	return "", Yes
}

func (l language) admits(length int) bool {
	return length >= l.least && (l.most < 0 || length <= l.most)
}

func newSearch(l, other language) (*search, bool) {
	s := &search{seen: map[point]int{}}
	var progs [2]*syntax.Prog
	var used []*syntax.Prog
	for i, each := range []language{l, other} {
		if !each.patterned {
			continue
		}
		prog, err := compilePattern(each.pattern)
		if err != nil {
			return nil, false
		}
		progs[i] = prog
		used = append(used, prog)
	}
	s.alphabet = alphabet(used...)
	s.inside, s.other = newMachine(progs[0], s.alphabet), newMachine(progs[1], s.alphabet)
	return s, true
}

func (s *search) add(p point, from, character int) {
	if _, known := s.seen[p]; !known {
		s.seen[p] = len(s.texts)
		s.texts = append(s.texts, visited{p, from, character})
	}
}

// extend adds the texts of one more character. The result is false where there are too many.
func (s *search) extend(i, saturated int) bool {
	at := s.texts[i]
	for character := range s.alphabet {
		inside, ok1 := s.inside.step(at.inside, character)
		other, ok2 := s.other.step(at.other, character)
		if s.transitions++; !ok1 || !ok2 || len(s.texts) > maxTexts || s.transitions > maxTransitions {
			return false
		}
		s.add(point{inside, other, min(at.length+1, saturated)}, i, character)
	}
	return true
}

func (s *search) text(i int) string {
	var runes []rune
	for ; s.texts[i].from >= 0; i = s.texts[i].from {
		runes = append(runes, s.alphabet[s.texts[i].character])
	}
	slices.Reverse(runes)
	return string(runes)
}

// words returns up to count different texts of the language, the shortest first.
func (l language) words(count int) (found []string) {
	s, ok := newSearch(l, language{most: -1})
	if !ok {
		return nil
	}
	// Unlike outside, which needs one text of each kind, this looks at every text.
	s.texts = []visited{{from: -1}}
	for i := 0; i < len(s.texts) && len(found) < count; i++ {
		at := s.texts[i]
		if l.admits(at.length) && s.inside.accepts(at.inside) {
			found = append(found, s.text(i))
		}
		if l.most >= 0 && at.length >= l.most {
			continue
		}
		for character := range s.alphabet {
			inside, ok := s.inside.step(at.inside, character)
			if !ok || len(s.texts) > maxWords {
				break
			}
			s.texts = append(s.texts, visited{point{inside: inside, length: at.length + 1}, i, character})
		}
	}
	return found
}
