package codec

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestIntegerTexts holds the digits that are written against strconv's: all numbers of up to six, and of each number of bits some.
func TestIntegerTexts(t *testing.T) {
	hold := func(value uint64) {
		if got, want := string(appendUint([]byte("x"), value)), "x"+strconv.FormatUint(value, 10); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
		if got, want := string(appendInt(nil, int64(value))), strconv.FormatInt(int64(value), 10); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
	for value := range uint64(1_000_000) {
		hold(value)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for bits := range 65 {
		for range 20_000 {
			hold(r.Uint64() >> bits)
		}
	}
	for power, last := uint64(1), false; !last; power, last = power*10, power > math.MaxUint64/10 {
		hold(power - 1)
		hold(power)
		hold(-power)
		hold(power*9 + 1)
	}
	hold(math.MaxUint64)
	hold(math.MaxInt64)
}

// TestShortDigits tries every number that shortDigits is for.
func TestShortDigits(t *testing.T) {
	step := uint64(1)
	if testing.Short() {
		step = 37
	}
	for value := uint64(0); value < 1e8; value += step {
		digits, n := shortDigits(value, 8), countDigits(value)
		if shortDigits(value, n) != digits>>(8*(8-n)) {
			t.Fatalf("%d has other digits as a part", value)
		}
		sum := uint64(0)
		for i := range 8 {
			digit := digits>>(8*i)&0xff - '0'
			if digit > 9 || digit > 0 && i < 8-n || digit == 0 && i == 8-n && value > 0 {
				t.Fatalf("%d has the digit %d", value, digit)
			}
			sum = sum*10 + digit
		}
		if sum != value {
			t.Fatalf("%d is read back as %d", value, sum)
		}
	}
}
