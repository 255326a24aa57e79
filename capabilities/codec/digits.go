package codec

import (
	"encoding/binary"
	"math/bits"
)

// Integers are written eight digits at a time, without branches on how many there are, which in most values nobody can predict. The number
// of digits is found apart from the digits themselves: where the next value goes need not wait for them.

// appendInt appends an integer.
func appendInt(dst []byte, value int64) []byte {
	if uint64(value) < 10 {
		return append(dst, '0'+byte(value))
	}
	from := len(dst)
	if uint64(value) >= 1e8 || cap(dst)-from < 8 {
		return appendLong(dst, value)
	}
	n := countDigits(uint64(value))
	binary.LittleEndian.PutUint64(dst[from:from+8], shortDigits(uint64(value), n))
	return dst[:from+n]
}

func appendLong(dst []byte, value int64) []byte {
	if value < 0 {
		return appendUint(append(dst, '-'), -uint64(value))
	}
	return appendUint(dst, uint64(value))
}

// appendUint appends an integer.
func appendUint(dst []byte, value uint64) []byte {
	if value >= 1e8 {
		return binary.LittleEndian.AppendUint64(appendUint(dst, value/1e8), shortDigits(value%1e8, 8))
	}
	n := countDigits(value)
	return binary.LittleEndian.AppendUint64(dst, shortDigits(value, n))[:len(dst)+n]
}

// shortDigits returns the last n of a number's eight digits as a text in the lowest bytes of a word. The number is below 100,000,000.
func shortDigits(value uint64, n int) uint64 {
	// Of two halves of four digits, quarters of two, and so on, each is divided at once by multiplying with the inverse.
	halves := value/1e4 | value%1e4<<32
	hundreds := halves * 10486 >> 20 & 0x7f_0000_007f // 10486/2^20 is 1/100, near enough below 10,000
	quarters := hundreds | (halves-100*hundreds)<<16
	tens := quarters * 103 >> 10 & 0x000f_000f_000f_000f // 103/2^10 is 1/10, near enough below 100
	digits := tens | (quarters-10*tens)<<8
	return (digits | '0'*ones) >> (8 * (8 - n) % 64)
}

// countDigits returns how many digits a number below 100,000,000 has.
func countDigits(value uint64) int {
	return int((value + digitCounts[bits.Len64(value)%32]) >> 32)
}

// digitCounts holds, for each number of bits, the number of digits times 2^32 that the smallest number has, less the next power of ten,
// plus one time 2^32: the numbers from that power on, which have one more, carry into the upper half.
var digitCounts = func() (table [32]uint64) {
	digits, power := uint64(1), uint64(10)
	for n := range table {
		if smallest := uint64(1) << n / 2; smallest >= power {
			digits, power = digits+1, power*10
		}
		table[n] = (digits+1)<<32 - power
	}
	return table
}()
