package codec

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
)

// Encoder appends one value's JSON. What is wrong with the value is reported, and writing goes on. It is not safe for concurrent use.
type Encoder struct {
	Report
	buf []byte
	err error
	// discriminator is the member that the object begun next holds first.
	discriminator string
}

var (
	errTwoKeys  = errors.New("two keys of a map have one name")
	errTooDeep  = fmt.Errorf("the value is nested more than %d levels deep", maxDepth)
	errNoNumber = errors.New("a json.Number is not a number")
)

// Append appends a value's JSON by a generated function. The error is a capabilities.Problems when the value breaks its schema, and
// another error when it has no JSON form; what was appended is then of no use.
func Append[T any](dst []byte, value *T, write func(*Encoder, *T)) ([]byte, error) {
	e := Encoder{buf: dst}
	var frames [16]frame
	e.frames = frames[:0]
	write(&e, value)
	if e.err != nil {
		return dst, e.err
	}
	if len(e.problems) > 0 {
		return dst, e.problems
	}
	return e.buf, nil
}

// fail notes that the value has no JSON form.
func (e *Encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// Object begins an object whose names are the schema's. It is false when the value is nested too deep, as one that holds itself is,
// and after any other error.
func (e *Encoder) Object() bool {
	if !e.begin(inObject, '{') {
		return false
	}
	if e.discriminator != "" {
		e.buf = append(e.buf, e.discriminator...)
		e.top().index++
		e.discriminator = ""
	}
	return true
}

// Map begins an object whose names are the value's own.
func (e *Encoder) Map() bool { return e.begin(inMap, '{') }

// Array begins an array.
func (e *Encoder) Array() bool { return e.begin(inArray, '[') }

func (e *Encoder) begin(kind frameKind, open byte) bool {
	if len(e.frames) >= maxDepth {
		e.fail(errTooDeep)
	}
	if e.err != nil {
		return false // at every level: a value that holds itself twice would else be written 2^1000 times
	}
	e.buf = append(e.buf, open)
	e.push(kind)
	return true
}

// Name begins a member: quoted is its name as JSON with the colon after it.
func (e *Encoder) Name(quoted string) {
	f := e.top()
	if f.index++; f.index > 0 {
		e.buf = append(e.buf, ',')
	}
	f.name = quoted
	e.buf = append(e.buf, quoted...)
}

// Key begins a member of a map.
func (e *Encoder) Key(name string) {
	f := e.top()
	if f.index++; f.index > 0 {
		e.buf = append(e.buf, ',')
	}
	e.buf = append(appendQuoted(e.buf, name), ':')
}

// Item begins an item of an array.
func (e *Encoder) Item() {
	f := e.top()
	if f.index++; f.index > 0 {
		e.buf = append(e.buf, ',')
	}
	if f.extra != nil {
		f.extra.starts = append(f.extra.starts, len(e.buf))
	}
}

// UniqueItems says that no two items of the array just begun may be equal.
func (e *Encoder) UniqueItems() { e.top().extra = &extra{unique: true} }

// EndObject ends an object or map, and returns how many members it has.
func (e *Encoder) EndObject() int { return e.end('}') }

// EndArray ends an array, and returns how many items it has.
func (e *Encoder) EndArray() int {
	x := e.top().extra
	n := e.end(']')
	if x != nil && e.err == nil {
		if unique, _ := distinct(e.buf, x.starts, forms{}); !unique {
			e.Refuse("uniqueItems", "true")
		}
	}
	return n
}

func (e *Encoder) end(closing byte) int {
	n := e.top().index + 1
	e.pop()
	e.buf = append(e.buf, closing)
	return n
}

// Null writes null.
func (e *Encoder) Null() { e.buf = append(e.buf, "null"...) }

// Nil reports a nil where the schema wants a value, and writes null.
func (e *Encoder) Nil() {
	e.Refuse("type", "a value, and is nil")
	e.Null()
}

// Bool writes a boolean.
func (e *Encoder) Bool(value bool) { e.buf = strconv.AppendBool(e.buf, value) }

// Int writes an integer.
func (e *Encoder) Int(value int64) { e.buf = strconv.AppendInt(e.buf, value, 10) }

// Uint writes an integer that is not negative.
func (e *Encoder) Uint(value uint64) { e.buf = strconv.AppendUint(e.buf, value, 10) }

// Float writes a number of 64 or 32 bits as encoding/json does, and returns its text, on which bounds are checked. Infinities and NaN
// have no JSON form.
func (e *Encoder) Float(value float64, bits int) []byte {
	if math.IsInf(value, 0) || math.IsNaN(value) {
		e.fail(fmt.Errorf("the number %v has no JSON form", value))
		return []byte("0")
	}
	start := len(e.buf)
	e.buf = appendFloat(e.buf, value, bits)
	return e.buf[start:]
}

// appendFloat writes the shortest text that reads back as the number, with an exponent below 1e-6 and from 1e21 on.
func appendFloat(dst []byte, value float64, bits int) []byte {
	format, abs := byte('f'), math.Abs(value)
	if abs != 0 && (bits == 64 && (abs < 1e-6 || abs >= 1e21) || bits == 32 && (float32(abs) < 1e-6 || float32(abs) >= 1e21)) {
		format = 'e'
	}
	dst = strconv.AppendFloat(dst, value, format, -1, bits)
	if n := len(dst); format == 'e' && n >= 4 && dst[n-4] == 'e' && (dst[n-3] == '-' || dst[n-3] == '+') && dst[n-2] == '0' {
		dst[n-2] = dst[n-1] // e-09 is written e-9
		dst = dst[:n-1]
	}
	return dst
}

// String writes a string, with the escapes that encoding/json writes.
func (e *Encoder) String(value string) { e.buf = appendQuoted(e.buf, value) }

// WriteBytes writes bytes in base64.
func WriteBytes[S ~[]E, E ~uint8](e *Encoder, value S) {
	e.buf = append(base64.StdEncoding.AppendEncode(append(e.buf, '"'), plainBytes(value)), '"')
}

// NotNull reports when what was written last is null, where only absence stands for nothing.
func (e *Encoder) NotNull() {
	if bytes.HasSuffix(e.buf, []byte(":null")) {
		e.Refuse("type", "a string, number, boolean, object or array")
	}
}

// Time writes a date-time of RFC 3339.
func (e *Encoder) Time(value time.Time) {
	text, err := value.AppendText(append(e.buf, '"'))
	if err != nil {
		e.fail(err)
		return
	}
	e.buf = append(text, '"')
}

// Text writes a string that the type itself encodes, and returns it.
func (e *Encoder) Text(value encoding.TextMarshaler) string {
	text, err := value.MarshalText()
	if err != nil {
		e.fail(err)
	}
	e.String(string(text))
	return string(text)
}

// Number writes a json.Number, "" as 0.
func (e *Encoder) Number(value json.Number) []byte {
	text := string(value)
	if text == "" {
		text = "0"
	}
	if d := (Decoder{Report: Report{source: []byte(text)}}); !isNumeral(text[0]) || !d.whole(0) {
		e.fail(errNoNumber)
		text = "0"
	}
	start := len(e.buf)
	e.buf = append(e.buf, text...)
	return e.buf[start:]
}
