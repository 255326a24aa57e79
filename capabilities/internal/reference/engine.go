package reference

import (
	jsonstd "encoding/json"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// rules are encoding/json's, with the deliberate differences: a nil slice or map is written empty, names match exactly and
// once, and what is read is UTF-8.
var rules = json.JoinOptions(
	jsonv1.DefaultOptionsV1(),
	json.FormatNilSliceAsNull(false),
	json.FormatNilMapAsNull(false),
	json.MatchCaseInsensitiveNames(false),
	jsontext.AllowDuplicateNames(false),
	jsontext.AllowInvalidUTF8(false),
	json.WithMarshalers(json.MarshalToFunc(writeNumber)),
	json.WithUnmarshalers(json.UnmarshalFromFunc(readNumber)),
)

// writeNumber and readNumber convert a json.Number, of which the engine knows its own version and takes encoding/json's for a string.
func writeNumber(e *jsontext.Encoder, n jsonstd.Number) error {
	if n == "" {
		n = "0" // as encoding/json has it
	}
	if text := jsontext.Value(n); text.Kind() == '0' && !strings.ContainsAny(string(n), " \t\r\n") {
		return e.WriteValue(text)
	}
	return errors.New("a json.Number is not a number")
}

func readNumber(d *jsontext.Decoder, into *jsonstd.Number) error {
	if d.PeekKind() != '0' {
		return errors.ErrUnsupported // null and strings, which the engine reads by itself
	}
	text, err := d.ReadValue()
	*into = jsonstd.Number(text)
	return err
}

// Decode converts a checked text into the value that into points at. A problem remains when the type itself refuses the
// text, as a date that does not exist.
func (s *Schema) Decode(text []byte, into any) *Problem {
	err := json.Unmarshal(text, into, rules)
	if err == nil {
		return nil
	}
	problem := &Problem{Keyword: "format", Message: "cannot be read as its type"}
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		problem.Pointer = s.known(string(semantic.JSONPointer))
		if semantic.GoType != nil {
			problem.Message = "must be what a " + typeWords(semantic.GoType.String()) + " allows"
		}
	}
	return problem
}

// typeWords names a Go type for somebody who does not know Go.
func typeWords(goType string) string {
	switch goType {
	case "time.Time":
		return "date-time (RFC 3339, such as 2026-01-31T12:00:00Z)"
	}
	return goType[strings.LastIndexByte(goType, '.')+1:]
}

// Encode returns the value's JSON.
func Encode(value any) ([]byte, error) { return json.Marshal(value, rules) }

// Unmarshal converts a text by the engine alone.
func Unmarshal(text []byte, into any) error { return json.Unmarshal(text, into, rules) }
