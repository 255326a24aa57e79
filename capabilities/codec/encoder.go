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
	"sync"
	"time"
)

// Encoder appends one value's JSON. What is wrong with the value is reported, and writing goes on. It is not safe for concurrent use.
type Encoder struct {
	Report
	err error
	// most is how deep objects and arrays may be nested; 0 after an error, so that nothing more is begun.
	most int
	// discriminator is the member that the object begun next holds first.
	discriminator string
}

var (
	errTwoKeys  = errors.New("two keys of a map have one name")
	errTooDeep  = fmt.Errorf("the value is nested more than %d levels deep", maxDepth)
	errNoNumber = errors.New("a json.Number is not a number")
)

// pooledEncoder is an encoder that is used again, with the room for its frames.
type pooledEncoder struct {
	Encoder
	room [16]frame
}

var encoders = sync.Pool{New: func() any { return new(pooledEncoder) }}

// Append appends a value's JSON by a generated function. The error is a capabilities.Problems when the value breaks its schema, and
// another error when it has no JSON form; what was appended is then of no use.
func Append[T any](dst []byte, value *T, write func(*Encoder, *T)) ([]byte, error) {
	e := encoders.Get().(*pooledEncoder)
	e.text, e.frames, e.writing, e.most = dst, e.room[:0], true, maxDepth
	write(&e.Encoder, value)
	text, problems, err := e.text, e.problems, e.err
	*e = pooledEncoder{} // which holds nothing of the caller's
	encoders.Put(e)
	if err != nil {
		return dst, err
	}
	if len(problems) > 0 {
		return dst, problems
	}
	return text, nil
}

// fail notes that the value has no JSON form.
func (e *Encoder) fail(err error) {
	if e.err == nil {
		e.err, e.closed, e.most = err, true, 0
	}
}

// Object begins an object whose names are the schema's. It is false when the value is nested too deep, as one that holds itself is,
// and after any other error.
func (e *Encoder) Object() bool { return e.begin(inObject, '{') }

// Map begins an object whose names are the value's own.
func (e *Encoder) Map() bool { return e.begin(inMap, '{') }

// Array begins an array.
func (e *Encoder) Array() bool { return e.begin(inArray, '[') }

func (e *Encoder) begin(kind frameKind, open byte) bool {
	if len(e.frames) >= e.most {
		e.fail(errTooDeep)
		return false // at every level: a value that holds itself twice would else be written 2^1000 times
	}
	e.text = append(e.text, open)
	e.push(kind).start = len(e.text)
	if e.discriminator != "" { // which no array or map has
		e.text = append(e.text, e.discriminator...)
		e.top().index++
		e.discriminator = ""
	}
	return true
}

// Name begins a member: quoted is its name as JSON with the colon after it.
func (e *Encoder) Name(quoted string) {
	e.separate()
	e.Then(quoted)
}

// Then begins a member that another one always precedes: quoted begins with the comma between them. EndObject does not count it.
func (e *Encoder) Then(quoted string) {
	e.text = append(e.text, quoted...)
}

// Key begins a member of a map.
func (e *Encoder) Key(name string) {
	e.separate()
	e.text = append(appendQuoted(e.text, name), ':')
}

// Item begins an item of an array.
func (e *Encoder) Item() {
	if f := e.separate(); f.extra != nil {
		f.extra.starts = append(f.extra.starts, len(e.text))
	}
}

// separate counts a member or item, and writes the comma before it.
func (e *Encoder) separate() *frame {
	f := e.top()
	if f.index++; f.index > 0 {
		e.text = append(e.text, ',')
	}
	return f
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
		if unique, _ := distinct(e.text, x.starts, forms{}); !unique {
			e.Refuse("uniqueItems", "true")
		}
	}
	return n
}

func (e *Encoder) end(closing byte) int {
	n := e.top().index + 1
	e.pop()
	e.text = append(e.text, closing)
	return n
}

// Null writes null.
func (e *Encoder) Null() { e.text = append(e.text, "null"...) }

// Nil reports a nil where the schema wants a value, and writes null.
func (e *Encoder) Nil() {
	e.Refuse("type", "a value, and is nil")
	e.Null()
}

// Bool writes a boolean.
func (e *Encoder) Bool(value bool) { e.text = strconv.AppendBool(e.text, value) }

// Int writes an integer.
func (e *Encoder) Int(value int64) { e.text = appendInt(e.text, value) }

// Uint writes an integer that is not negative.
func (e *Encoder) Uint(value uint64) { e.text = appendUint(e.text, value) }

// Float writes a number of 64 or 32 bits as encoding/json does, and returns its text, on which bounds are checked. Infinities and NaN
// have no JSON form.
func (e *Encoder) Float(value float64, bits int) []byte {
	if math.IsInf(value, 0) || math.IsNaN(value) {
		e.fail(fmt.Errorf("the number %v has no JSON form", value))
		return []byte("0")
	}
	start := len(e.text)
	e.text = appendFloat(e.text, value, bits)
	return e.text[start:]
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
func (e *Encoder) String(value string) { e.text = appendQuoted(e.text, value) }

// WriteBytes writes bytes in base64.
func WriteBytes[S ~[]E, E ~uint8](e *Encoder, value S) {
	e.text = append(base64.StdEncoding.AppendEncode(append(e.text, '"'), plainBytes(value)), '"')
}

// NotNull reports when what was written last is null, where only absence stands for nothing.
func (e *Encoder) NotNull() {
	if bytes.HasSuffix(e.text, []byte(":null")) {
		e.Refuse("type", "a string, number, boolean, object or array")
	}
}

// Time writes a date-time of RFC 3339.
func (e *Encoder) Time(value time.Time) {
	text, err := value.AppendText(append(e.text, '"'))
	if err != nil {
		e.fail(err)
		return
	}
	e.text = append(text, '"')
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
	if d := (Decoder{Report: Report{text: []byte(text)}}); !isNumeral(text[0]) || !d.whole(0) {
		e.fail(errNoNumber)
		text = "0"
	}
	start := len(e.text)
	e.text = append(e.text, text...)
	return e.text[start:]
}
