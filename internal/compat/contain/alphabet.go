package contain

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// alphabet returns one character of each class that patterns tell apart, so that what holds for it holds for its whole class: two characters
// that no pattern tells apart lead to the same. Characters that are easy to read come first.
func alphabet(patterns ...*syntax.Prog) []rune {
	// A class begins at each of these.
	starts := []rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1, 0xd800, 0xe000}
	for _, pattern := range patterns {
		for _, inst := range pattern.Inst {
			starts = appendStarts(starts, inst)
		}
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	var chosen []rune
	for i, first := range starts {
		last := rune(unicode.MaxRune)
		if i+1 < len(starts) {
			last = starts[i+1] - 1
		}
		if 0xd800 <= first && first < 0xe000 || first > unicode.MaxRune {
			continue // no text has surrogates
		}
		chosen = append(chosen, readable(first, last))
	}
	slices.SortStableFunc(chosen, func(a, b rune) int { return rank(a) - rank(b) })
	return chosen
}

func appendStarts(starts []rune, inst syntax.Inst) []rune {
	if inst.Op != syntax.InstRune && inst.Op != syntax.InstRune1 {
		return starts
	}
	if len(inst.Rune) == 1 {
		// A single character, which may stand for those that differ from it in case.
		r := inst.Rune[0]
		starts = append(starts, r, r+1)
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			starts = append(starts, other, other+1)
		}
		return starts
	}
	for i := 0; i+1 < len(inst.Rune); i += 2 {
		starts = append(starts, inst.Rune[i], inst.Rune[i+1]+1)
	}
	return starts
}

// readable returns a character of a class, a letter or digit if there is one, or else one that can be printed.
func readable(first, last rune) rune {
	best := first
	for r := first; r <= last && r < first+0x100; r++ {
		if rank(r) < rank(best) {
			best = r
		}
	}
	return best
}

func rank(r rune) int {
	switch {
	case 'a' <= r && r <= 'z':
		return 0
	case '0' <= r && r <= '9', 'A' <= r && r <= 'Z':
		return 1
	case ' ' < r && r < utf8.RuneSelf-1:
		return 2
	case unicode.IsPrint(r):
		return 3
	}
	return 4
}
