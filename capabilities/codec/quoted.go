package codec

import (
	"math"
	"strconv"
)

// The methods here read and write values under the json option string: a value's JSON inside a string.

// quotedText reads a string and returns the JSON text in it, if it is one value and nothing else. Refuse says that it is not.
func (d *Decoder) quotedText(refuse func(), first func(byte) bool) (*Decoder, bool) {
	text, ok := d.stringBytes()
	if !ok {
		return nil, false
	}
	inner := &Decoder{Report: Report{text: text}}
	if len(text) == 0 || !first(text[0]) || !inner.whole(0) {
		refuse()
		return nil, false
	}
	inner.pos = 0
	return inner, true
}

// quotedPattern reads what a pattern is said to hold to.
func (d *Decoder) quotedPattern(want string, first func(byte) bool) (*Decoder, bool) {
	return d.quotedText(func() { d.Refuse("pattern", want) }, first)
}

func isNumeral(c byte) bool { return c == '-' || '0' <= c && c <= '9' }

// QuotedInt reads an integer inside a string, spelt as encoding/json writes it.
func (d *Decoder) QuotedInt(bits int) (value int64, ok bool) {
	const want = "^(0|-?[1-9][0-9]*)$"
	inner, ok := d.quotedPattern(want, isNumeral)
	if !ok {
		return 0, false
	}
	value, err := strconv.ParseInt(string(inner.text), 10, bits)
	if err != nil || string(inner.text) == "-0" {
		d.Refuse("pattern", want)
		return 0, false
	}
	return value, true
}

// QuotedUint reads an integer that is not negative inside a string.
func (d *Decoder) QuotedUint(bits int) (value uint64, ok bool) {
	const want = "^(0|[1-9][0-9]*)$"
	inner, ok := d.quotedPattern(want, isNumeral)
	if !ok {
		return 0, false
	}
	value, err := strconv.ParseUint(string(inner.text), 10, bits)
	if err != nil {
		d.Refuse("pattern", want)
		return 0, false
	}
	return value, true
}

// QuotedFloat reads a number inside a string.
func (d *Decoder) QuotedFloat(bits int) (value float64, ok bool) {
	const want = `^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`
	inner, ok := d.quotedPattern(want, isNumeral)
	if !ok {
		return 0, false
	}
	value, err := strconv.ParseFloat(string(inner.text), bits)
	if err != nil || math.IsInf(value, 0) {
		d.Refuse("pattern", want)
		return 0, false
	}
	return value, true
}

// QuotedBool reads true or false inside a string.
func (d *Decoder) QuotedBool() (value, ok bool) {
	inner, ok := d.quotedText(func() { d.RefuseEnum(`"true"`, `"false"`) }, func(c byte) bool { return c == 't' || c == 'f' })
	if !ok {
		return false, false
	}
	return inner.Bool()
}

// QuotedString reads a string inside a string.
func (d *Decoder) QuotedString() (value string, ok bool) {
	inner, ok := d.quotedPattern(`^"(.|\n)*"$`, func(c byte) bool { return c == '"' })
	if !ok {
		return "", false
	}
	return inner.String()
}

// QuotedInt writes an integer inside a string.
func (e *Encoder) QuotedInt(value int64) {
	e.text = append(strconv.AppendInt(append(e.text, '"'), value, 10), '"')
}

// QuotedUint writes an integer that is not negative inside a string.
func (e *Encoder) QuotedUint(value uint64) {
	e.text = append(strconv.AppendUint(append(e.text, '"'), value, 10), '"')
}

// QuotedFloat writes a number inside a string.
func (e *Encoder) QuotedFloat(value float64, bits int) {
	e.text = append(e.text, '"')
	e.Float(value, bits)
	e.text = append(e.text, '"')
}

// QuotedBool writes true or false inside a string.
func (e *Encoder) QuotedBool(value bool) {
	e.text = append(strconv.AppendBool(append(e.text, '"'), value), '"')
}

// QuotedString writes a string inside a string.
func (e *Encoder) QuotedString(value string) { e.String(string(appendQuoted(nil, value))) }
