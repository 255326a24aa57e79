package runtime

import (
	"encoding/binary"
	"math/bits"
)

// appendInString appends a JSON text to a JSON string that is begun: what needs a backslash there gets one. The text is UTF-8, as JSON is, and its only control
// characters are the space between tokens.
func appendInString(dst, text []byte) []byte {
	start := len(dst)
	// Room for a backslash before each byte, and for the eight that are written before they are looked at.
	dst = grow(dst, 2*len(text)+8)
	out := dst[start:cap(dst)]
	in, n := text, 0
	for len(in) >= 8 {
		word := binary.LittleEndian.Uint64(in)
		binary.LittleEndian.PutUint64(out[n:], word)
		found := special(word)
		if found == 0 {
			in, n = in[8:], n+8
			continue
		}
		plain := bits.TrailingZeros64(found) / 8
		c := in[plain]
		if c < ' ' {
			break
		}
		n += plain
		out[n], out[n+1] = '\\', c
		in, n = in[plain+1:], n+2
	}
	return appendRest(dst[:start+n], in)
}

// special marks the first byte of eight that is a quote, a backslash or a control character, by the highest bit of its place; marks behind the first one
// mean nothing. A byte of each difference is 0 where word has the character that is looked for, and only there does the subtraction borrow.
func special(word uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	quote, backslash := word^'"'*ones, word^'\\'*ones
	return ((quote-ones)&^quote | (backslash-ones)&^backslash | (word-' '*ones)&^word) & highs
}

// appendRest is appendInString, a byte at a time.
func appendRest(dst, text []byte) []byte {
	for _, c := range text {
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
