package envelope

import (
	"fmt"
	"unicode/utf8"
)

// MaxDepth bounds how deep arrays and objects may nest, so that no body can exhaust a reader's stack.
const MaxDepth = 1000

// scanner walks once over a text. Each of its methods expects the value it is named after at pos, after space, and leaves
// pos behind it; false means that the text breaks JSON's rules, and reason says which. It can be used again, and then reuses its rooms.
type scanner struct {
	text  []byte
	pos   int
	depth int

	// names are those of every open object, the innermost's last.
	names [][]byte

	// reason says why the scan stopped.
	reason string
	// fault says what is wrong with a text that is nevertheless JSON. The scan goes on, to find an ID to answer under.
	fault string
}

// begin makes the scanner stand before a text.
func (s *scanner) begin(text []byte) {
	*s = scanner{text: text, names: s.names[:0]}
	// Checked once for the whole text, which is several times quicker than by character.
	if !utf8.Valid(text) {
		s.reason = "the text is not UTF-8"
	}
}

func (s *scanner) parseError() *Error {
	return &Error{Code: ParseError, Message: "Parse error: " + s.reason}
}

func (s *scanner) stop(reason string) bool {
	s.reason = fmt.Sprintf("%s, at byte %d", reason, s.pos)
	return false
}

// peek returns the byte that follows the space at pos, or 0 at the end of the text.
func (s *scanner) peek() byte {
	if s.pos < len(s.text) && s.text[s.pos] > ' ' {
		return s.text[s.pos]
	}
	return s.peekOverSpace()
}

func (s *scanner) peekOverSpace() byte {
	for ; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// end reports whether only space is left.
func (s *scanner) end() bool {
	s.peek()
	return s.pos == len(s.text) || s.stop("something follows the value")
}

// value scans any value. The members of an object are collected, unless into is nil.
func (s *scanner) value(into *members) bool {
	switch c := s.peek(); {
	case s.reason != "":
		return false
	case c == '"':
		_, ok := s.string(toCheck)
		return ok
	case c == '{':
		return s.object(into)
	case c == '[':
		return s.array()
	case c == '-' || isDigit(c):
		return s.number()
	case c == 't':
		return s.literal("true")
	case c == 'f':
		return s.literal("false")
	case c == 'n':
		return s.literal("null")
	case s.pos == len(s.text):
		return s.stop("the text ends too early")
	}
	return s.stop("no value begins here")
}

func (s *scanner) object(into *members) bool {
	if !s.enter() {
		return false
	}
	own := namesOfObject{outer: len(s.names)}
	for more := s.peek() != '}'; more; {
		if s.peek() != '"' {
			return s.stop("a name must follow")
		}
		name, ok := s.string(toKeep)
		if !ok {
			return false
		}
		if s.peek() != ':' {
			return s.stop("a colon must follow the name")
		}
		s.pos++
		s.peek()
		start := s.pos
		if !s.value(into.below(name)) {
			return false
		}
		own.add(s, name)
		into.add(name, s.text[start:s.pos])
		if more, ok = s.another('}'); !ok {
			return false
		}
	}
	if own.hasDuplicate(s) {
		s.fault = "an object has the same name twice"
	}
	s.names = s.names[:own.outer]
	s.leave()
	return true
}

func (s *scanner) array() bool {
	if !s.enter() {
		return false
	}
	for more := s.peek() != ']'; more; {
		var ok bool
		if !s.value(nil) {
			return false
		}
		if more, ok = s.another(']'); !ok {
			return false
		}
	}
	s.leave()
	return true
}

// enter steps over an opening bracket, leave over a closing one.
func (s *scanner) enter() bool {
	if s.depth == MaxDepth {
		return s.stop(fmt.Sprintf("the text is nested more than %d levels deep", MaxDepth))
	}
	s.depth++
	s.pos++
	return true
}

func (s *scanner) leave() {
	s.depth--
	s.pos++
}

// another steps over a comma and reports whether there was one, or else whether the closing bracket follows.
func (s *scanner) another(closing byte) (more, ok bool) {
	switch s.peek() {
	case ',':
		s.pos++
		return true, true
	case closing:
		return false, true
	}
	return false, s.stop("a comma or a closing bracket must follow")
}

func (s *scanner) literal(word string) bool {
	if len(s.text)-s.pos < len(word) || string(s.text[s.pos:s.pos+len(word)]) != word {
		return s.stop("no value begins here")
	}
	s.pos += len(word)
	return true
}

// number scans RFC 8259, section 6: no leading zero, and a digit on both sides of a point.
func (s *scanner) number() bool {
	s.skip('-')
	if !s.skip('0') && !s.digits() {
		return s.stop("a number lacks a digit")
	}
	if s.skip('.') && !s.digits() {
		return s.stop("a number lacks a digit after its point")
	}
	if s.skip('e') || s.skip('E') {
		if !s.skip('+') {
			s.skip('-')
		}
		if !s.digits() {
			return s.stop("a number lacks a digit in its exponent")
		}
	}
	return true
}

func (s *scanner) skip(c byte) bool {
	if s.pos < len(s.text) && s.text[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.text) && isDigit(s.text[s.pos]) {
		s.pos++
	}
	return s.pos > start
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
