package codectest_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// verdict is what the oracle says of a text.
type verdict struct {
	accept bool
	// why it is refused: a reason of the codec contract's list, or the schema's.
	why string
	// bySchema says that the validator refuses it.
	bySchema bool
	// besides says that an exception refuses it besides.
	besides bool
	// value is what the JSON engine makes of the text, or nil if it makes nothing.
	value any
}

// judge says by the reference validator whether a text is good, and then holds it against the listed exceptions, each found without
// the codec's help.
func (s *subject) judge(text []byte) verdict {
	if !jsontext.Value(text).IsValid() { // strictly: unique names, UTF-8, whole surrogates, nothing after the value
		return verdict{why: "syntax"}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return verdict{why: "syntax"}
	}
	if reason := unreadable(tree, 1); reason != "" {
		return verdict{why: reason} // before the validator sees it, which does not survive such exponents
	}
	reason := s.exception(s.inputTree, tree)
	if err := s.input.Validate(tree); err != nil {
		return verdict{why: err.Error(), bySchema: true, besides: reason != ""}
	}
	v := verdict{accept: reason == "", why: reason}
	plain := text
	if s.name != "declared" { // whose types read the text themselves
		plain, _ = json.Marshal(respelled(tree))
	}
	value, err := s.read(plain)
	if err != nil && v.accept {
		v = verdict{why: "the type itself: " + err.Error()}
	}
	if s.keepsSpelling() {
		value, err = s.read(text)
	}
	if err == nil {
		v.value = value
	}
	return v
}

// keepsSpelling reports whether there is a type that holds numbers as they are spelt.
func (s *subject) keepsSpelling() bool { return s.name == "forms" || s.name == "anything" }

// read has the engine read an input.
func (s *subject) read(text []byte) (any, error) {
	into := reflect.New(s.in)
	err := jsonv2.Unmarshal(text, into.Interface(), engine)
	return into.Elem().Interface(), err
}

// unreadable finds nesting and exponents past the limits.
func unreadable(tree any, depth int) string {
	switch t := tree.(type) {
	case json.Number:
		if _, exponent, ok := strings.Cut(strings.ToLower(t.String()), "e"); ok && len(strings.TrimLeft(strings.TrimLeft(exponent, "+-"), "0")) > 4 {
			return "exponent"
		}
	case []any:
		if depth > 1000 {
			return "depth"
		}
		for _, item := range t {
			if reason := unreadable(item, depth+1); reason != "" {
				return reason
			}
		}
	case map[string]any:
		if depth > 1000 {
			return "depth"
		}
		for _, item := range t {
			if reason := unreadable(item, depth+1); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// respelled writes integral numbers of 64 bits plainly, as the engine wants them for integers.
func respelled(tree any) any {
	switch t := tree.(type) {
	case json.Number:
		if _, exponent, _ := strings.Cut(strings.ToLower(t.String()), "e"); len(t) > 400 || len(strings.Trim(exponent, "+-0")) > 2 {
			return t
		}
		if r, ok := new(big.Rat).SetString(t.String()); ok && r.IsInt() && r.Num().BitLen() <= 65 && (r.Sign() != 0 || t[0] != '-') {
			return json.Number(r.Num().String())
		} else if ok && r.Sign() == 0 {
			return json.Number("0")
		}
	case []any:
		list := make([]any, len(t))
		for i := range t {
			list[i] = respelled(t[i])
		}
		return list
	case map[string]any:
		t = maps.Clone(t)
		for name := range t {
			t[name] = respelled(t[name])
		}
		return t
	}
	return tree
}

// exception finds what the schema allows and the contract refuses: a name that differs only in case from one of an open object's,
// what is not base64, and an integer that big.Int does not read.
func (s *subject) exception(schema, tree any) string {
	o, _ := schema.(map[string]any)
	if ref, ok := o["$ref"].(string); ok {
		return s.exception(s.inputTree.(map[string]any)["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")], tree)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		branches, _ := o[keyword].([]any)
		for _, branch := range branches {
			if reason := s.exception(branch, tree); reason != "" {
				return reason
			}
		}
	}
	switch t := tree.(type) {
	case string:
		if _, err := base64.StdEncoding.Strict().DecodeString(t); o["contentEncoding"] == "base64" && (err != nil || strings.ContainsAny(t, "\r\n")) {
			return "base64"
		}
	case []any:
		for _, item := range t {
			if reason := s.exception(o["items"], item); reason != "" {
				return reason
			}
		}
	case map[string]any:
		return s.exceptionIn(o, t)
	}
	return ""
}

func (s *subject) exceptionIn(schema, tree map[string]any) string {
	properties, _ := schema["properties"].(map[string]any)
	for name, value := range tree {
		below, known := properties[name]
		if !known {
			below = schema["additionalProperties"]
			for property := range properties {
				if below != false && strings.EqualFold(name, property) {
					return fmt.Sprintf("%q for %q", name, property)
				}
			}
		}
		if reason := s.exception(below, value); reason != "" {
			return reason
		}
		if number, ok := value.(json.Number); ok && s.name == "forms" && name == "big" && (strings.ContainsAny(number.String(), ".eE") || len(number) > 20_000) {
			return "big.Int"
		}
	}
	return ""
}
