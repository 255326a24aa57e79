package codec

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/capabilities/internal/reference"
)

// Any reads a value of any type as encoding/json reads it into an any.
func (d *Decoder) Any() (value any, ok bool) {
	text, ok := d.Raw()
	if !ok {
		return nil, false
	}
	if err := json.Unmarshal(text, &value); err != nil {
		d.Refuse("type", "a number of 64 bits")
		return nil, false
	}
	return value, true
}

// RawMessage reads a value of any type as its text.
func (d *Decoder) RawMessage() (json.RawMessage, bool) {
	text, ok := d.Raw()
	return bytes.Clone(text), ok
}

// Bytes reads a string that holds bytes in base64 (RFC 4648, section 4), padded.
func (d *Decoder) Bytes() ([]byte, bool) {
	text, ok := d.stringBytes()
	if !ok {
		return nil, false
	}
	value := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Strict().Decode(value, text)
	if err != nil || bytes.ContainsAny(text, "\r\n") {
		d.Refuse("contentEncoding", "base64")
		return nil, false
	}
	return value[:n], true
}

// SetBytes assigns bytes to a slice whose items are bytes of a type of their own.
func SetBytes[S ~[]E, E ~uint8](into *S, value []byte) {
	*into = make(S, len(value))
	for i, b := range value {
		(*into)[i] = E(b)
	}
}

// Encoded returns bytes as the base64 that stands for them, on which constraints are checked.
func Encoded[S ~[]E, E ~uint8](value S) string {
	return base64.StdEncoding.EncodeToString(plainBytes(value))
}

func plainBytes[S ~[]E, E ~uint8](value S) []byte {
	plain := make([]byte, len(value))
	for i, b := range value {
		plain[i] = byte(b)
	}
	return plain
}

// Text reads a string that the type itself decodes, and returns it; format names what the type takes.
func (d *Decoder) Text(into encoding.TextUnmarshaler, format string) (text string, ok bool) {
	inner, ok := d.stringBytes()
	if !ok {
		return "", false
	}
	text = string(inner)
	if err := into.UnmarshalText([]byte(text)); err != nil {
		d.Refuse("format", format)
		return "", false
	}
	return text, true
}

// RefuseNull reports a null where only absence stands for nothing.
func (d *Decoder) RefuseNull() { d.Refuse("type", "a string, number, boolean, object or array") }

// Key has a map's key decode itself from the current member's name.
func (d *Decoder) Key(into encoding.TextUnmarshaler, format string) bool {
	if err := into.UnmarshalText(bytes.Clone(d.Name())); err != nil {
		d.Refuse("propertyNames", format)
		return false
	}
	return true
}

// Time reads a date-time of RFC 3339, as time.Time.UnmarshalText takes it.
func (d *Decoder) Time() (value time.Time, ok bool) {
	text, ok := d.stringBytes()
	if !ok {
		return value, false
	}
	if err := value.UnmarshalText(text); err != nil {
		d.Refuse("format", "date-time (RFC 3339, such as 2026-01-31T12:00:00Z)")
		return time.Time{}, false
	}
	return value, true
}

// Foreign reads a value whose type decodes itself, by the JSON engine; format names what it takes. The text was checked by the schema
// that was declared for the type, if check is not nil. Numbers of more than twenty thousand digits, written out, are refused.
func (d *Decoder) Foreign(into any, check *Declared, format string) bool {
	text, ok := d.Raw()
	if !ok {
		return false
	}
	if !affordable(text) {
		d.Refuse("format", format)
		return false
	}
	if check != nil && !check.check(&d.Report, text) {
		return false
	}
	if reference.Unmarshal(text, into) != nil {
		d.Refuse("format", format)
		return false
	}
	return true
}

var errForeign = errors.New("what a type encodes itself as is not JSON that every reader takes")

// Declared is a schema that was declared for a type whose JSON form is its own. It is compiled when it is first used.
type Declared struct {
	compiled func() (*reference.Schema, error)
}

// Declare returns the schema of a text. Generated code calls it, after the generator has compiled the same text.
func Declare(schema string) *Declared { return &Declared{compiled: reference.Lazy([]byte(schema))} }

func (s *Declared) check(r *Report, text []byte) bool {
	schema, err := s.compiled()
	if err != nil {
		r.Refuse("$ref", "")
		return false
	}
	found := schema.Check(text, capabilities.MaxProblems)
	for _, p := range found {
		r.refuseBelow(p.Pointer, p.Keyword, p.Message)
	}
	return len(found) == 0
}

// CheckName holds the current member's name, which stands for a map's key, to the schema.
func (s *Declared) CheckName(r *Report, name string) { s.check(r, appendQuoted(nil, name)) }

// Raw writes a JSON text; none is null.
func (e *Encoder) Raw(text json.RawMessage) {
	if text == nil {
		e.Null()
		return
	}
	e.Foreign(text, nil)
}

// Any writes a value of any type as encoding/json does.
func (e *Encoder) Any(value any) { e.Foreign(value, nil) }

// Foreign writes a value whose type encodes itself, by the JSON engine, and holds the text to the schema that was declared for
// the type, if check is not nil.
func (e *Encoder) Foreign(value any, check *Declared) {
	text, err := reference.Encode(value)
	if err != nil {
		e.fail(err)
		return
	}
	// The engine allows what our own readers refuse: nesting beyond the limit, and exponents.
	if d := (Decoder{Report: Report{text: text}}); !d.whole(len(e.frames)) {
		e.fail(errForeign)
		return
	}
	if check != nil {
		check.check(&e.Report, text)
	}
	e.text = append(e.text, text...)
}
