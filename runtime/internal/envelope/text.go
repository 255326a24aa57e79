package envelope

import (
	"unicode/utf16"
	"unicode/utf8"
)

// purpose is what a string is scanned for.
type purpose bool

const (
	toCheck purpose = false
	toKeep  purpose = true
)

// string scans a string and returns what it stands for: a part of the text, or a copy when the text has escapes. A string that
// is only checked is never copied, and what is returned for it means nothing.
func (s *scanner) string(use purpose) (content []byte, ok bool) {
	s.pos++
	start := s.pos
	for ; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; {
		case c == '"':
			content = s.text[start:s.pos]
			s.pos++
			return content, true
		case c == '\\':
			if use == toKeep {
				content = append(content, s.text[start:s.pos]...)
			}
			return s.escaped(content, use)
		case c < ' ':
			return nil, s.stop("a string holds a control character")
		}
	}
	return nil, s.stop("a string is not closed")
}

// escaped goes on with a string from its first escape.
func (s *scanner) escaped(content []byte, use purpose) ([]byte, bool) {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '"':
			s.pos++
			return content, true
		case c == '\\':
			r, ok := s.escape()
			if !ok {
				return nil, false
			}
			if use == toKeep {
				content = utf8.AppendRune(content, r)
			}
		case c < ' ':
			return nil, s.stop("a string holds a control character")
		default:
			if use == toKeep {
				content = append(content, c)
			}
			s.pos++
		}
	}
	return nil, s.stop("a string is not closed")
}

// simpleEscapes are the escapes of one letter (RFC 8259, section 7).
var simpleEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (s *scanner) escape() (rune, bool) {
	s.pos++
	if s.pos == len(s.text) {
		return 0, s.stop("a string is not closed")
	}
	c := s.text[s.pos]
	if plain := simpleEscapes[c]; plain != 0 {
		s.pos++
		return rune(plain), true
	}
	if c != 'u' {
		return 0, s.stop("a string holds an unknown escape")
	}
	r, ok := s.unit()
	if !ok || !utf16.IsSurrogate(r) {
		return r, ok
	}
	// A lone surrogate stands for no character: readers replace it, each in its own way, and two names become one.
	if s.pos+1 < len(s.text) && s.text[s.pos] == '\\' && s.text[s.pos+1] == 'u' {
		s.pos++
		low, ok := s.unit()
		if !ok {
			return 0, false
		}
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, true
		}
	}
	return 0, s.stop("a string holds half a surrogate pair")
}

// unit reads the u and the four hexadecimal digits of an escape.
func (s *scanner) unit() (rune, bool) {
	s.pos++
	if len(s.text)-s.pos < 4 {
		return 0, s.stop("a string is not closed")
	}
	var r rune
	for _, c := range s.text[s.pos : s.pos+4] {
		digit, ok := hexDigit(c)
		if !ok {
			return 0, s.stop("an escape wants four hexadecimal digits")
		}
		r = r<<4 | digit
	}
	s.pos += 4
	return r, true
}

func hexDigit(c byte) (rune, bool) {
	switch {
	case isDigit(c):
		return rune(c - '0'), true
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10, true
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10, true
	}
	return 0, false
}

// ReadString returns what a JSON string stands for. It is not ok when the text is nil or anything else.
func ReadString(text []byte) (content string, ok bool) {
	if len(text) == 0 || text[0] != '"' || !utf8.Valid(text) {
		return "", false
	}
	s := scanner{text: text}
	raw, ok := s.string(toKeep)
	if !ok || s.pos != len(text) {
		return "", false
	}
	return string(raw), true
}
