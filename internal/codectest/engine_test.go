package codectest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/capgen/capgen/internal/codectest/shapes"
)

// discriminator is the one of the union Figure.
const discriminator = "ki/nd"

// engine are encoding/json's rules with the deliberate differences of the codec contract. What it knows nothing of, json.Number and
// unions, it is told here.
var engine jsonv2.Options

func init() { // since a variant holds figures
	engine = jsonv2.JoinOptions(
		jsonv1.DefaultOptionsV1(), jsonv2.MatchCaseInsensitiveNames(false), jsontext.AllowDuplicateNames(false), jsontext.AllowInvalidUTF8(false),
		jsonv2.FormatNilSliceAsNull(false), jsonv2.FormatNilMapAsNull(false),
		jsonv2.WithUnmarshalers(jsonv2.JoinUnmarshalers(
			jsonv2.UnmarshalFromFunc(func(d *jsontext.Decoder, into *json.Number) error { // which the engine takes for a string
				text, err := d.ReadValue()
				*into = json.Number(text)
				return err
			}),
			jsonv2.UnmarshalFromFunc(readFigure),
		)),
		jsonv2.WithMarshalers(jsonv2.JoinMarshalers(
			jsonv2.MarshalToFunc(func(e *jsontext.Encoder, from json.Number) error { return e.WriteValue([]byte(from)) }),
			jsonv2.MarshalToFunc(writeFigure),
		)),
	)
}

// readFigure reads the variant that the discriminator names from the other members.
func readFigure(d *jsontext.Decoder, into *shapes.Figure) error {
	text, err := d.ReadValue()
	if err != nil {
		return err
	}
	var names []string
	others := bytes.NewBufferString("{")
	which := ""
	members := jsontext.NewDecoder(bytes.NewReader(text))
	if _, err := members.ReadToken(); err != nil {
		return err
	}
	for members.PeekKind() == '"' {
		token, err := members.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		value, err := members.ReadValue()
		if err != nil {
			return err
		}
		if name == discriminator {
			which = string(value)
			continue
		}
		names = append(names, name)
		quoted, _ := json.Marshal(name)
		fmt.Fprintf(others, "%s%s:%s", strings.Repeat(",", min(1, len(names)-1)), quoted, value)
	}
	others.WriteByte('}')
	if err := json.Unmarshal([]byte(which), &which); err != nil {
		return err
	}
	*into, err = readVariant(which, others.Bytes())
	if square, ok := (*into).(*shapes.Square); ok && err == nil && !slices.Contains(names, "side") {
		square.Side = 1 // by default
	}
	return err
}

func readVariant(name string, text []byte) (shapes.Figure, error) {
	switch name {
	case "Circle":
		return variant[shapes.Circle](text)
	case "Group":
		return variant[shapes.Group](text)
	case "Loose":
		return variant[shapes.Loose](text)
	case "Nothing":
		return variant[shapes.Nothing](text)
	case "Mixed":
		mixed := new(shapes.Mixed)
		return mixed, jsonv2.Unmarshal(text, mixed, engine)
	case "square":
		square := new(shapes.Square)
		return square, jsonv2.Unmarshal(text, square, engine)
	}
	return nil, fmt.Errorf("there is no variant %q", name)
}

func variant[F shapes.Figure](text []byte) (shapes.Figure, error) {
	var f F
	err := jsonv2.Unmarshal(text, &f, engine)
	return f, err
}

// writeFigure writes the discriminator and then what the engine writes for the variant, which by itself has none.
func writeFigure(e *jsontext.Encoder, from *shapes.Figure) error {
	if v := reflect.ValueOf(*from); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return errors.New("there is no variant")
	}
	name := ""
	switch (*from).(type) {
	case shapes.Circle, *shapes.Circle:
		name = "Circle"
	case shapes.Group, *shapes.Group:
		name = "Group"
	case shapes.Loose, *shapes.Loose:
		name = "Loose"
	case shapes.Nothing, *shapes.Nothing:
		name = "Nothing"
	case *shapes.Mixed:
		name = "Mixed"
	case *shapes.Square:
		name = "square"
	}
	text, err := jsonv2.Marshal(*from, engine)
	if err != nil {
		return err
	}
	if string(text) == "{}" {
		return e.WriteValue(fmt.Appendf(nil, `{%q:%q}`, discriminator, name))
	}
	return e.WriteValue(fmt.Appendf(nil, `{%q:%q,%s`, discriminator, name, text[1:]))
}
