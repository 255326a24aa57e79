package envelope

import (
	"encoding/binary"
	"math/bits"
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
	s.pos += plain(s.text[start:])
	if s.pos == len(s.text) {
		return nil, s.stop("a string is not closed")
	}
	switch s.text[s.pos] {
	case '"':
		content = s.text[start:s.pos]
		s.pos++
		return content, true
	case '\\':
		if use == toKeep {
			content = append(content, s.text[start:s.pos]...)
		}
		return s.escaped(content, use)
	}
	return nil, s.stop("a string holds a control character")
}

// plain returns how many bytes come before the first that means something in a string: a quote, a backslash or a control character. It looks
// at eight of them at a time.
func plain(text []byte) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(text); i += 8 {
		word := binary.LittleEndian.Uint64(text[i:])
		// A byte of each is 0 where word has the quote or the backslash; below borrows where word has less than a space. What the
		// subtractions carry on lies behind the first byte that is found, and only that one counts.
		quote, backslash := word^'"'*ones, word^'\\'*ones
		found := ((quote-ones)&^quote | (backslash-ones)&^backslash | (word-' '*ones)&^word) & highs
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(text); i++ {
		if c := text[i]; c == '"' || c == '\\' || c < ' ' {
			break
		}
	}
	return i
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
	raw, ok := ReadText(text)
	return string(raw), ok
}

// IsString reports whether a text is a JSON string.
func IsString(text []byte) bool {
	_, ok := ReadText(text)
	return ok
}

// EqualString reports whether a text is a JSON string that stands for want.
func EqualString(text []byte, want string) bool {
	raw, ok := ReadText(text)
	return ok && string(raw) == want
}

// ReadText is [ReadString] without a copy: the content is a part of the text, unless the string has escapes.
func ReadText(text []byte) (content []byte, ok bool) {
	if len(text) == 0 || text[0] != '"' || !utf8.Valid(text) {
		return nil, false
	}
	s := scanner{text: text}
	content, ok = s.string(toKeep)
	if !ok || s.pos != len(text) {
		return nil, false
	}
	return content, true
}
