package codec

import "math"

// Most numbers are short: at most 18 digits and no exponent. They are read in one go and compared as integers; all others go the long way,
// which gives the same answers.

// mostShort is how many digits always fit into an int64.
const mostShort = 18

// readShort reads a short number at the beginning of a text: it is mantissa divided by ten to the power of fraction. The length is 0 where
// there is none.
func readShort[T string | []byte](text T) (mantissa int64, fraction, length int) {
	i := 0
	if len(text) > 0 && text[0] == '-' {
		i = 1
	}
	first := i
	for ; i < len(text) && text[i]-'0' <= 9; i++ {
		mantissa = mantissa*10 + int64(text[i]-'0')
	}
	digits := i - first
	if digits == 0 || digits > 1 && text[first] == '0' {
		return 0, 0, 0
	}
	if i < len(text) && text[i] == '.' {
		i++
		point := i
		for ; i < len(text) && text[i]-'0' <= 9; i++ {
			mantissa = mantissa*10 + int64(text[i]-'0')
		}
		fraction = i - point
		if fraction == 0 {
			return 0, 0, 0
		}
	}
	if digits+fraction > mostShort || i < len(text) && text[i]|0x20 == 'e' {
		return 0, 0, 0
	}
	if text[0] == '-' {
		mantissa = -mantissa
	}
	return mantissa, fraction, i
}

// shortFloat reads a short number as the nearest float of 64 bits: both parts of the division are exact, and so the quotient is rounded
// once (IEEE 754, section 4.3). The length is 0 where there is none, or it is not that simple.
func shortFloat(text []byte) (value float64, length int) {
	mantissa, fraction, length := readShort(text)
	if length == 0 || mantissa < -1<<53 || mantissa > 1<<53 {
		return 0, 0
	}
	if mantissa == 0 && text[0] == '-' {
		return math.Copysign(0, -1), length
	}
	return float64(mantissa) / float64(tens[fraction]), length
}

// tens are the powers of ten that a short number may be divided by. All are exact as floats.
var tens = func() (table [mostShort]int64) {
	power := int64(1)
	for i := range table {
		table[i] = power
		power *= 10
	}
	return table
}()

// compareShort compares two numbers as Compare does, if both are short and as integers do not get too large.
func compareShort(a []byte, b string) (order int, ok bool) {
	x, xFraction, length := readShort(a)
	if length < len(a) {
		return 0, false
	}
	y, yFraction, length := readShort(b)
	if length < len(b) {
		return 0, false
	}
	if x, ok = scale(x, yFraction-xFraction); !ok {
		return 0, false
	}
	if y, ok = scale(y, xFraction-yFraction); !ok {
		return 0, false
	}
	switch {
	case x < y:
		return -1, true
	case x > y:
		return 1, true
	}
	return 0, true
}

// scale multiplies with a power of ten, with none where it is negative.
func scale(value int64, power int) (int64, bool) {
	if power <= 0 {
		return value, true
	}
	factor := tens[power]
	if limit := math.MaxInt64 / factor; value > limit || value < -limit {
		return 0, false
	}
	return value * factor, true
}
