package codec

import (
	"bytes"
	"math/big"
)

// outcome says whether a number is integral.
type outcome int

const (
	isIntegral outcome = iota
	notIntegral
	// tooLarge is an integral number past 64 bits.
	tooLarge
)

// integral reads a number that may be spelt with a fraction or an exponent, exactly.
func integral(text []byte) (negative bool, magnitude uint64, _ outcome) {
	d := parseDecimal(text)
	if len(d.digits) == 0 {
		return false, 0, isIntegral
	}
	if d.point < len(d.digits) {
		return d.negative, 0, notIntegral
	}
	if d.point > 20 {
		return d.negative, 0, tooLarge
	}
	for i := range d.point {
		digit := uint64(0)
		if i < len(d.digits) {
			digit = uint64(d.digits[i] - '0')
		}
		if magnitude > (1<<64-1-digit)/10 {
			return d.negative, 0, tooLarge
		}
		magnitude = magnitude*10 + digit
	}
	return d.negative, magnitude, isIntegral
}

// decimal is a number's exact value: 0.DIGITS times ten to the power of point. The digits begin and end with others than 0; those
// of zero are none.
type decimal struct {
	negative bool
	digits   []byte
	point    int
}

// parseDecimal reads a number's text, whose syntax was checked.
func parseDecimal(text []byte) decimal {
	var d decimal
	if text[0] == '-' {
		d.negative, text = true, text[1:]
	}
	exponent := 0
	if i := bytes.IndexAny(text, "eE"); i >= 0 {
		exponent = smallInt(text[i+1:])
		text = text[:i]
	}
	whole, fraction, _ := bytes.Cut(text, []byte("."))
	d.point = len(whole) + exponent
	d.digits = whole
	if len(fraction) > 0 {
		d.digits = append(append(make([]byte, 0, len(text)), whole...), fraction...)
	}
	trimmed := bytes.TrimLeft(d.digits, "0")
	d.point -= len(d.digits) - len(trimmed)
	d.digits = bytes.TrimRight(trimmed, "0")
	if len(d.digits) == 0 {
		return decimal{}
	}
	return d
}

func smallInt(text []byte) int {
	value, negative := 0, false
	for _, c := range text {
		switch c {
		case '-':
			negative = true
		case '+':
		default:
			value = value*10 + int(c-'0')
		}
	}
	if negative {
		return -value
	}
	return value
}

// Compare returns -1, 0 or 1 as the number a is less than, equal to or greater than b, exactly.
func Compare(a []byte, b string) int {
	if order, ok := compareShort(a, b); ok {
		return order
	}
	return compareLong(a, b)
}

func compareLong(a []byte, b string) int {
	x, y := parseDecimal(a), parseDecimal([]byte(b))
	sign := func(d decimal) int {
		switch {
		case len(d.digits) == 0:
			return 0
		case d.negative:
			return -1
		}
		return 1
	}
	if sx, sy := sign(x), sign(y); sx != sy {
		return compareInts(sx, sy)
	} else if sx == 0 {
		return 0
	}
	order := compareInts(x.point, y.point)
	if order == 0 {
		order = bytes.Compare(x.digits, y.digits)
	}
	if x.negative {
		return -order
	}
	return order
}

func compareInts(a, b int) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// MultipleOf reports whether a number is an integral multiple of another one, exactly.
func MultipleOf(text []byte, of string) bool {
	x, y := parseDecimal(text), parseDecimal([]byte(of))
	if len(x.digits) == 0 {
		return true
	}
	// Both are integers times a power of ten. That of x does not end in 0, so it is not a multiple of any power of ten.
	power := (x.point - len(x.digits)) - (y.point - len(y.digits))
	if power < 0 {
		return false
	}
	divisor := y.modulo(nil)
	rest := x.modulo(divisor)
	if power > 0 {
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(power)), divisor)
		rest.Mul(rest, scale).Rem(rest, divisor)
	}
	return rest.Sign() == 0
}

// wordDigits is how many digits always fit into an int64.
const wordDigits = 18

// modulo returns the digits as an integer, or what remains of it when divided, in a time that grows with the number of digits and
// not with its square.
func (d decimal) modulo(divisor *big.Int) *big.Int {
	rest := new(big.Int)
	var scale, word big.Int
	for digits := d.digits; len(digits) > 0; {
		n := min(wordDigits, len(digits))
		value, power := int64(0), int64(1)
		for _, c := range digits[:n] {
			value, power = value*10+int64(c-'0'), power*10
		}
		digits = digits[n:]
		rest.Mul(rest, scale.SetInt64(power)).Add(rest, word.SetInt64(value))
		if divisor != nil {
			rest.Rem(rest, divisor)
		}
	}
	return rest
}

const (
	// mostDigits is how many digits a number may have, written out, that others than this package compute with: they take a time that
	// grows with the square of that.
	mostDigits = 20_000
	// mostInAll is how many all numbers of one such text may have.
	mostInAll = 1 << 20
)

// affordable reports whether the numbers in a checked text can be left to math/big.
func affordable(text []byte) bool {
	all := 0
	d := Decoder{Report: Report{text: text}}
	for d.pos < len(text) {
		switch c := text[d.pos]; {
		case c == '"':
			d.skipString()
		case isNumeral(c):
			start := d.pos
			d.skipNumber()
			digits := d.pos - start
			if i := bytes.IndexAny(text[start:d.pos], "eE"); i >= 0 {
				exponent := smallInt(text[start+i+1 : d.pos])
				digits = i + max(exponent, -exponent)
			}
			if all += digits; digits > mostDigits || all > max(mostInAll, len(text)) {
				return false
			}
		default:
			d.pos++
		}
	}
	return true
}
