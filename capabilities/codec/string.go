package codec

import (
	"unicode/utf16"
	"unicode/utf8"
)

// String reads a string.
func (d *Decoder) String() (value string, ok bool) {
	text, ok := d.stringBytes()
	return string(text), ok
}

// stringBytes reads a string; what it returns may be part of the text.
func (d *Decoder) stringBytes() ([]byte, bool) {
	if d.dead {
		return nil, false
	}
	if d.peek() != '"' {
		d.wrong("a string")
		return nil, false
	}
	return d.contents()
}

// contents reads the string that is next.
func (d *Decoder) contents() ([]byte, bool) {
	start := d.pos
	end := plainPrefix(d.text, start+1)
	if end < len(d.text) && d.text[end] == '"' {
		d.pos = end + 1
		return d.text[start+1 : end], true
	}
	if !d.skipSpecial(end) {
		return nil, false
	}
	return unquoted(d.text[start:d.pos]), true
}

// skipString passes over the string that is next.
func (d *Decoder) skipString() bool {
	end := plainPrefix(d.text, d.pos+1)
	if end < len(d.text) && d.text[end] == '"' {
		d.pos = end + 1
		return true
	}
	return d.skipSpecial(end)
}

// skipSpecial does what skipString does, from the first byte on that is special, checking that the string is UTF-8 and that its escapes are
// whole (RFC 8259, section 7).
func (d *Decoder) skipSpecial(from int) bool {
	text := d.text
	i := from
	ascii := true
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			if !ascii && !utf8.Valid(text[d.pos:i]) {
				d.syntax("a string is not UTF-8")
				return false
			}
			d.pos = i + 1
			return true
		case c == '\\':
			n := escapeLength(text[i:])
			if n == 0 {
				d.pos = i
				d.syntax(d.mistake())
				return false
			}
			i += n - 1
		case c < ' ':
			d.pos = i
			d.syntax(d.mistake())
			return false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	d.pos = i
	d.syntax(d.mistake())
	return false
}

// escapeLength returns how long the escape at the beginning of a text is, or 0 if it is not a whole one. Half of a surrogate pair is
// not.
func escapeLength(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		first := hex4(text[2:])
		switch {
		case first < 0:
			return 0
		case !utf16.IsSurrogate(first):
			return 6
		case len(text) >= 8 && text[6] == '\\' && text[7] == 'u' && utf16.DecodeRune(first, hex4(text[8:])) != utf8.RuneError:
			return 12
		}
	}
	return 0
}

// hex4 reads four hexadecimal digits, or returns -1.
func hex4(text []byte) rune {
	if len(text) < 4 {
		return -1
	}
	var value rune
	for _, c := range text[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		value = value<<4 | rune(c)
	}
	return value
}

// unquoted returns the contents of a string that was checked: part of the text, unless it has escapes.
func unquoted(text []byte) []byte {
	inner := text[1 : len(text)-1]
	for _, c := range inner {
		if c == '\\' {
			out, _ := appendUnescaped(make([]byte, 0, len(inner)), inner)
			return out
		}
	}
	return inner
}

var unescapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// appendUnescaped appends a string's contents with every escape undone. The result is false for an escape that is not whole.
func appendUnescaped(dst, inner []byte) ([]byte, bool) {
	for i := 0; i < len(inner); {
		if inner[i] != '\\' {
			dst = append(dst, inner[i])
			i++
			continue
		}
		n := escapeLength(inner[i:])
		switch n {
		case 0:
			return dst, false
		case 2:
			dst = append(dst, unescapes[inner[i+1]])
		case 6:
			dst = utf8.AppendRune(dst, hex4(inner[i+2:]))
		case 12:
			dst = utf8.AppendRune(dst, utf16.DecodeRune(hex4(inner[i+2:]), hex4(inner[i+8:])))
		}
		i += n
	}
	return dst, true
}

// Length checks how many characters (Unicode code points) a string has; most -1 means that there is no such bound.
func (r *Report) Length(text string, least, most int) {
	// A character takes one to four bytes, so most strings need not be counted. As unsigned, -1 is the greatest number.
	if len(text)/4 < least || uint(len(text)) > uint(most) {
		r.countCharacters(text, least, most)
	}
}

func (r *Report) countCharacters(text string, least, most int) {
	r.count(utf8.RuneCountInString(text), least, most, "minLength", "maxLength")
}
