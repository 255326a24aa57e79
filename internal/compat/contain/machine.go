package contain

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
)

// maxStates bounds what is computed of one pattern.
const maxStates = 5000

// machine runs a pattern over texts of an alphabet, one state for all texts that it does not tell apart. States are made when they are first
// reached; state 0 is that before the first character. A pattern that is nil matches everything.
type machine struct {
	prog     *syntax.Prog
	alphabet []rune
	states   []state
	ids      map[string]int
	// next holds for each state where each character of the alphabet leads, or -1 where that is not known yet.
	next [][]int
}

// state is what a pattern has made of a text so far.
type state struct {
	// at are the instructions that wait for what comes, sorted.
	at []uint32
	// before is a character like the last one, as far as the bounds of words and lines go; -1 is the beginning.
	before rune
	// matched says that some part of the text has matched, whatever follows.
	matched bool
}

func compilePattern(pattern string) (*syntax.Prog, error) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	return syntax.Compile(parsed.Simplify())
}

func newMachine(prog *syntax.Prog, alphabet []rune) *machine {
	m := &machine{prog: prog, alphabet: alphabet, ids: map[string]int{}}
	m.intern(state{before: -1, matched: prog == nil})
	return m
}

// intern returns the number of a state.
func (m *machine) intern(s state) int {
	if s.matched {
		s = state{matched: true}
	}
	key := make([]byte, 0, 4*len(s.at)+5)
	for _, pc := range s.at {
		key = binary.LittleEndian.AppendUint32(key, pc)
	}
	key = binary.LittleEndian.AppendUint32(key, uint32(s.before))
	if s.matched {
		key = append(key, 1)
	}
	id, known := m.ids[string(key)]
	if !known {
		id = len(m.states)
		m.ids[string(key)] = id
		m.states = append(m.states, s)
		unknown := make([]int, len(m.alphabet))
		for i := range unknown {
			unknown[i] = -1
		}
		m.next = append(m.next, unknown)
	}
	return id
}

// step returns the state after one more character, given by its place in the alphabet. The result is false past [maxStates].
func (m *machine) step(id, character int) (int, bool) {
	if to := m.next[id][character]; to >= 0 {
		return to, true
	}
	if len(m.states) >= maxStates {
		return 0, false
	}
	to := m.intern(m.after(m.states[id], m.alphabet[character]))
	m.next[id][character] = to
	return to, true
}

func (m *machine) after(s state, r rune) state {
	if s.matched {
		return s
	}
	reached, matched := m.closure(s, syntax.EmptyOpContext(s.before, r))
	if matched {
		return state{matched: true}
	}
	next := state{before: like(r)}
	for _, pc := range reached {
		if inst := &m.prog.Inst[pc]; takes(inst, r) {
			next.at = append(next.at, inst.Out)
		}
	}
	slices.Sort(next.at)
	next.at = slices.Compact(next.at)
	return next
}

func takes(inst *syntax.Inst, r rune) bool {
	switch inst.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return inst.MatchRune(r)
	}
	return false
}

// accepts reports whether the pattern matches a text that ends in a state.
func (m *machine) accepts(id int) bool {
	s := m.states[id]
	if s.matched {
		return true
	}
	_, matched := m.closure(s, syntax.EmptyOpContext(s.before, -1))
	return matched
}

// closure returns the instructions that are reached without a character, where a match may also begin, and whether one of them is the end of a
// match.
func (m *machine) closure(s state, here syntax.EmptyOp) (reached []uint32, matched bool) {
	seen := map[uint32]bool{}
	stack := append([]uint32{uint32(m.prog.Start)}, s.at...)
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch inst := &m.prog.Inst[pc]; inst.Op {
		case syntax.InstMatch:
			return nil, true
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			stack = append(stack, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^here == 0 {
				stack = append(stack, inst.Out)
			}
		default:
			reached = append(reached, pc)
		}
	}
	return reached, false
}

// like returns a character that stands for all that are the same to the bounds of words and lines.
func like(r rune) rune {
	switch {
	case r == '\n':
		return '\n'
	case syntax.IsWordChar(r):
		return 'a'
	}
	return ' '
}
