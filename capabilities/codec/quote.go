package codec

import "unicode/utf8"

const hexDigits = "0123456789abcdef"

// plain says which bytes stand for themselves in a string as encoding/json writes it: the characters that HTML gives a meaning to do
// not.
var plain = func() (table [utf8.RuneSelf]bool) {
	for c := range table {
		table[c] = c >= ' ' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
	}
	return table
}()

// appendQuoted appends a string as JSON. What is not UTF-8 in it becomes U+FFFD.
func appendQuoted(dst []byte, text string) []byte {
	from, end := len(dst), len(dst)+len(text)+2
	if end <= cap(dst) {
		out := dst[from:end]
		if copyPlain(out[1:], text) {
			out[0], out[len(out)-1] = '"', '"'
			return dst[:end]
		}
	}
	return appendEscaping(dst, text)
}

func appendEscaping(dst []byte, text string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if plain[c] {
				i++
				continue
			}
			dst = appendEscaped(append(dst, text[start:i]...), c)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(append(dst, text[start:i]...), `\ufffd`...)
			start = i + size
		case r == '\u2028' || r == '\u2029': // JavaScript's own line breaks
			dst = append(append(dst, text[start:i]...), '\\', 'u', '2', '0', '2', hexDigits[r&0xf])
			start = i + size
		}
		i += size
	}
	return append(append(dst, text[start:]...), '"')
}

func appendEscaped(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
}
