package codec

import "regexp/syntax"

// fixed matches texts of one length in which each place has a set of ASCII characters, as ^[A-Z]{3}-[0-9]{5}$ does. The places are
// looked at independently of each other, which no automaton can.
type fixed struct {
	length int
	// barred holds a bit for each place of the text that a byte may not stand at.
	barred [256]uint64
}

// mostPlaces is how many bits there are.
const mostPlaces = 64

// newFixed returns nil for an expression that is not of this form.
func newFixed(re *syntax.Regexp) *fixed {
	last := len(re.Sub) - 1
	if re.Op != syntax.OpConcat || last < 1 || re.Sub[0].Op != syntax.OpBeginText || re.Sub[last].Op != syntax.OpEndText {
		return nil
	}
	f := &fixed{}
	for c := range f.barred {
		f.barred[c] = ^uint64(0)
	}
	for _, part := range re.Sub[1:last] {
		if !f.add(part) {
			return nil
		}
	}
	return f
}

// add reports whether a part of the expression could be added.
func (f *fixed) add(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			if re.Flags&syntax.FoldCase != 0 || !f.place([]rune{c, c}) {
				return false
			}
		}
		return true
	case syntax.OpCharClass:
		return f.place(re.Rune)
	case syntax.OpRepeat:
		if re.Min != re.Max {
			return false
		}
		for range re.Min {
			if !f.add(re.Sub[0]) {
				return false
			}
		}
		return true
	case syntax.OpConcat, syntax.OpCapture:
		for _, part := range re.Sub {
			if !f.add(part) {
				return false
			}
		}
		return true
	}
	return false
}

// place adds a place for the characters of some ranges.
func (f *fixed) place(ranges []rune) bool {
	if f.length == mostPlaces || len(ranges) == 0 || ranges[len(ranges)-1] >= 0x80 {
		return false
	}
	for i := 0; i < len(ranges); i += 2 {
		for c := ranges[i]; c <= ranges[i+1]; c++ {
			f.barred[c] &^= 1 << f.length
		}
	}
	f.length++
	return true
}

func (f *fixed) match(text string) bool {
	if len(text) != f.length {
		return false
	}
	wrong, place := uint64(0), uint64(1)
	for i := range len(text) {
		wrong |= f.barred[text[i]] & place
		place <<= 1
	}
	return wrong == 0
}
