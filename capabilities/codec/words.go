package codec

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Strings are looked at eight bytes at a time. A byte of a word is special when the subtraction below borrows from its highest bit; that
// may carry into the bytes above it, so only the lowest special byte is sure. A word is little-endian: its lowest byte comes first.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// zeros marks, among others above, the lowest byte that is zero. Bytes from 0x80 on may be marked too.
func zeros(word uint64) uint64 { return word - ones }

// specialRead marks the lowest byte that does not stand for itself in a JSON text, or is not ASCII.
func specialRead(word uint64) uint64 {
	return (word | (word - ' '*ones) | zeros(word^('"'*ones)) | zeros(word^('\\'*ones))) & highs
}

// specialWritten marks the lowest byte that is not written as it is, or is not ASCII. < and > differ in one bit, and so do " and &.
func specialWritten(word uint64) uint64 {
	return (word | (word - ' '*ones) | zeros(word&^(2*ones)^('<'*ones)) | zeros(word&^(4*ones)^('"'*ones)) | zeros(word^('\\'*ones))) & highs
}

// lowest returns the number of the lowest byte that is marked.
func lowest(marks uint64) int { return bits.TrailingZeros64(marks) / 8 }

// plainPrefix returns where in a text, from a place on, the first byte is that does not stand for itself in a JSON string or is not
// ASCII: a quote, a backslash, a control character. It is the text's length where there is none.
func plainPrefix(text []byte, from int) int {
	i := from
	for ; i+8 <= len(text); i += 8 {
		b := text[i : i+8 : len(text)]
		word := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		if marks := specialRead(word); marks != 0 {
			return i + lowest(marks)
		}
	}
	for i < len(text) && stands[text[i]] {
		i++
	}
	return i
}

// copyPlain copies a text, and reports whether every byte of it is written as it is.
func copyPlain(dst []byte, text string) bool {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		b := text[i : i+8]
		word := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		if specialWritten(word) != 0 {
			return false
		}
		binary.LittleEndian.PutUint64(dst[i:], word)
	}
	for ; i < len(text); i++ {
		c := text[i]
		if c >= utf8.RuneSelf || !plain[c] {
			return false
		}
		dst[i] = c
	}
	return true
}

// stands says which bytes stand for themselves in a JSON string, of those that are ASCII.
var stands = func() (table [256]bool) {
	for c := range 0x80 {
		table[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return table
}()
