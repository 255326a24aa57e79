package codec

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

const (
	// mostNext bounds an automaton's memory to 16 KiB, and mostSteps with it the time to make one. An expression that needs more is left
	// to package regexp.
	mostNext  = 1 << 13
	mostSteps = 500
)

// automaton is a regular expression as a deterministic automaton: one look into a table for each character.
type automaton struct {
	// ascii holds the class of each ASCII character; classes hold the first characters of all classes but the first, in their order.
	ascii   [utf8.RuneSelf]uint8
	classes []rune
	// next holds the state that follows on each state for each class. A state's number is where its row begins.
	next []uint16
	// ends says of each state, by its row, whether a text that ends there matches.
	ends []bool
	rows int
}

func (a *automaton) match(text string) bool {
	state := 0
	for i := 0; i < len(text); {
		class := 0
		if c := text[i]; c < utf8.RuneSelf {
			class = int(a.ascii[c])
			i++
		} else {
			r, size := utf8.DecodeRuneInString(text[i:])
			class = a.class(r)
			i += size
		}
		state = int(a.next[state+class])
	}
	return a.ends[state/a.rows]
}

func (a *automaton) class(r rune) int {
	i, first := slices.BinarySearch(a.classes, r)
	if first {
		i++
	}
	return i
}

// newAutomaton returns nil for an expression that asks for word boundaries, lines or letters of either case, or needs too many states.
func newAutomaton(re *syntax.Regexp) *automaton {
	program, err := syntax.Compile(re.Simplify())
	if err != nil || len(program.Inst) > mostSteps {
		return nil
	}
	a := &automaton{}
	for _, step := range program.Inst {
		switch step.Op {
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(step.Arg)&^(syntax.EmptyBeginText|syntax.EmptyEndText) != 0 {
				return nil
			}
		case syntax.InstRune, syntax.InstRune1:
			if syntax.Flags(step.Arg)&syntax.FoldCase != 0 {
				return nil
			}
			a.tellApart(step.Rune)
		case syntax.InstRuneAnyNotNL:
			a.tellApart([]rune{'\n', '\n'})
		}
	}
	slices.Sort(a.classes)
	a.classes = slices.Compact(a.classes)
	a.rows = len(a.classes) + 1
	if a.rows > 255 {
		return nil
	}
	for c := range a.ascii {
		a.ascii[c] = uint8(a.class(rune(c)))
	}
	if !a.build(program) {
		return nil
	}
	return a
}

// tellApart has classes begin where ranges begin and where they have ended.
func (a *automaton) tellApart(ranges []rune) {
	if len(ranges) == 1 {
		ranges = []rune{ranges[0], ranges[0]}
	}
	for i := 0; i < len(ranges); i += 2 {
		a.classes = append(a.classes, ranges[i], ranges[i+1]+1)
	}
}

// build follows every class from every state, and reports whether there were few enough.
func (a *automaton) build(program *syntax.Prog) bool {
	start := uint32(program.Start)
	states := []positions{reach(program, []uint32{start}, true, false)}
	known := map[string]int{}
	for i := 0; i < len(states); i++ {
		at := states[i]
		a.ends = append(a.ends, at.matched || reach(program, at.steps, i == 0, true).matched)
		for class := range a.rows {
			following := at
			if !at.matched { // else nothing that follows can undo it
				r := rune(0)
				if class > 0 {
					r = a.classes[class-1]
				}
				following = reach(program, append(at.after(program, r), start), false, false)
			}
			key := following.key()
			number, met := known[key]
			if !met {
				number = len(states)
				if (number+1)*a.rows > mostNext {
					return false
				}
				known[key] = number
				states = append(states, following)
			}
			a.next = append(a.next, uint16(number*a.rows))
		}
	}
	return true
}

// positions is where in a program a text may have led, which is a state: the steps that wait for a character or the end, in order, and
// whether the text has matched already.
type positions struct {
	steps   []uint32
	matched bool
}

// reach follows the steps that take no character, at the beginning of the text or not, at its end or not.
func reach(program *syntax.Prog, from []uint32, begin, end bool) (p positions) {
	met := make([]bool, len(program.Inst))
	var follow func(at uint32)
	follow = func(at uint32) {
		if met[at] {
			return
		}
		met[at] = true
		switch step := &program.Inst[at]; step.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			follow(step.Out)
			follow(step.Arg)
		case syntax.InstCapture, syntax.InstNop:
			follow(step.Out)
		case syntax.InstEmptyWidth:
			asks := syntax.EmptyOp(step.Arg)
			if asks&syntax.EmptyBeginText != 0 && !begin {
				return
			}
			if asks&syntax.EmptyEndText != 0 && !end {
				p.steps = append(p.steps, at)
				return
			}
			follow(step.Out)
		case syntax.InstMatch:
			p.matched = true
		case syntax.InstFail:
		default:
			p.steps = append(p.steps, at)
		}
	}
	for _, at := range from {
		follow(at)
	}
	slices.Sort(p.steps)
	return p
}

// after returns the steps that a character leads to.
func (p positions) after(program *syntax.Prog, r rune) []uint32 {
	var to []uint32
	for _, at := range p.steps {
		if step := &program.Inst[at]; step.Op != syntax.InstEmptyWidth && step.MatchRune(r) {
			to = append(to, step.Out)
		}
	}
	return to
}

func (p positions) key() string {
	if p.matched {
		return "matched"
	}
	var key []byte
	for _, at := range p.steps {
		key = binary.AppendUvarint(key, uint64(at)) // no two lists of steps have one such text
	}
	return string(key)
}
