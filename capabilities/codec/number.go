package codec

import (
	"bytes"
	"math"
	"strconv"
)

// maxExponent is how many digits a number's exponent may have; a longer one is refused, since exact arithmetic on it would need
// millions of digits.
const maxExponent = 4

// Number reads a number and returns its text, which is good until the text is changed.
func (d *Decoder) Number() (text []byte, ok bool) { return d.number("a number") }

func (d *Decoder) number(want string) ([]byte, bool) {
	if d.dead {
		return nil, false
	}
	if c := d.peek(); c != '-' && (c < '0' || c > '9') {
		d.wrong(want)
		return nil, false
	}
	start := d.pos
	if !d.skipNumber() {
		return nil, false
	}
	return d.text[start:d.pos], true
}

// skipNumber passes over the number that is next (RFC 8259, section 6).
func (d *Decoder) skipNumber() bool {
	text, i := d.text, d.pos
	if text[i] == '-' {
		i++
	}
	digits := func() bool {
		first := i
		for i < len(text) && '0' <= text[i] && text[i] <= '9' {
			i++
		}
		return i > first
	}
	good := true
	if i < len(text) && text[i] == '0' {
		i++
	} else {
		good = digits()
	}
	if good && i < len(text) && text[i] == '.' {
		i++
		good = digits()
	}
	if good && i < len(text) && text[i]|0x20 == 'e' {
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		exponent := i
		good = digits()
		if good && len(bytes.TrimLeft(text[exponent:i], "0")) > maxExponent {
			d.fatal("holds a number whose exponent has more than 4 digits")
			return false
		}
	}
	d.pos = i
	if !good {
		d.syntax(d.mistake())
	}
	return good
}

// Int reads an integer of 8, 16, 32 or 64 bits. Any spelling of an integral value will do, such as 1.0 or 1e3.
func (d *Decoder) Int(bits int) (value int64, ok bool) {
	value, ok = d.int64()
	least := int64(math.MinInt64) >> (64 - bits)
	switch {
	case !ok:
	case value < least:
		d.Refuse("minimum", strconv.FormatInt(least, 10))
	case value > ^least:
		d.Refuse("maximum", strconv.FormatInt(^least, 10))
	default:
		return value, true
	}
	return 0, false
}

func (d *Decoder) int64() (value int64, ok bool) {
	if !d.dead {
		d.peek()
		if mantissa, fraction, length := readShort(d.text[d.pos:]); length > 0 && fraction == 0 {
			d.pos += length
			return mantissa, true
		}
	}
	text, ok := d.number("an integer")
	if !ok {
		return 0, false
	}
	negative, magnitude, outcome := integral(text)
	switch {
	case outcome == notIntegral:
		d.Refuse("type", "an integer")
	case negative && (outcome == tooLarge || magnitude > 1<<63):
		d.Refuse("minimum", strconv.FormatInt(math.MinInt64, 10))
	case !negative && (outcome == tooLarge || magnitude > math.MaxInt64):
		d.Refuse("maximum", strconv.FormatInt(math.MaxInt64, 10))
	case negative:
		return -int64(magnitude), true
	default:
		return int64(magnitude), true
	}
	return 0, false
}

// Uint reads an integer of 8, 16, 32 or 64 bits that is not negative. Any spelling of an integral value will do.
func (d *Decoder) Uint(bits int) (value uint64, ok bool) {
	text, ok := d.number("an integer")
	if !ok {
		return 0, false
	}
	negative, magnitude, outcome := integral(text)
	switch {
	case outcome == notIntegral:
		d.Refuse("type", "an integer")
	case negative && (outcome == tooLarge || magnitude > 0):
		d.Refuse("minimum", "0")
	case outcome == tooLarge || magnitude > math.MaxUint64>>(64-bits):
		d.Refuse("maximum", strconv.FormatUint(math.MaxUint64>>(64-bits), 10))
	default:
		return magnitude, true
	}
	return 0, false
}

// Float reads a number of 64 or 32 bits, with its text, on which bounds are checked: the nearest float may lie on the other side of
// one.
func (d *Decoder) Float(bits int) (value float64, text []byte, ok bool) {
	if bits == 64 && !d.dead {
		d.peek()
		if value, length := shortFloat(d.text[d.pos:]); length > 0 {
			d.pos += length
			return value, d.text[d.pos-length : d.pos], true
		}
	}
	text, ok = d.number("a number")
	if !ok {
		return 0, nil, false
	}
	value, err := strconv.ParseFloat(string(text), bits)
	if err != nil {
		d.Refuse("type", "a number of "+strconv.Itoa(bits)+" bits")
		return 0, nil, false
	}
	return value, text, true
}

// Between reports an integer outside of bounds, each of which is written in the schema as it is here.
func (r *Report) Between(x, least, most int64) {
	if x < least || x > most {
		r.outside(x, least, most)
	}
}

// AtLeast reports an integer that is less than a bound, as Between does.
func (r *Report) AtLeast(x, least int64) { r.Between(x, least, math.MaxInt64) }

// AtMost reports an integer that is greater than a bound, as Between does.
func (r *Report) AtMost(x, most int64) { r.Between(x, math.MinInt64, most) }

func (r *Report) outside(x, least, most int64) {
	if x < least {
		r.Refuse("minimum", strconv.FormatInt(least, 10))
	}
	if x > most {
		r.Refuse("maximum", strconv.FormatInt(most, 10))
	}
}
