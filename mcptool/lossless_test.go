package mcptool_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/capgen/capgen/mcptool"
)

// Of every value that an input takes there is a form that the clients are told of, and every such form stands for a value that the input
// takes. Both are tried for all values that can be made of a few.
func TestNothingIsLost(t *testing.T) {
	for _, test := range []struct {
		profile    mcptool.Profile
		properties string
		required   string
		// worded says that a part of the schema is only said in a description, so that not every form need be right.
		worded bool
	}{
		{mcptool.Gemini, `"a":{"type":["string","null"]}`, `"a"`, false},
		{mcptool.Cursor, `"a":{"type":"object","properties":{"b":{"type":["string","null"]}},"required":["b"],"additionalProperties":false}`, ``, false},
		{mcptool.Gemini, `"a":{"type":"integer","enum":[1,2]},"b":{"type":["string","null"],"enum":["","s",null]}`, `"a","b"`, false},
		{mcptool.Gemini, `"a.b":{"type":"string"},"a-b":{"type":"integer"}`, `"a.b"`, false},
		{mcptool.Gemini, `"m":{"type":"object","additionalProperties":{"type":["integer"]}}`, ``, false},
		{mcptool.Gemini, `"m":{"type":"object","additionalProperties":{"type":"object","properties":{"a":{"type":["integer","null"]}},"required":["a"],"additionalProperties":false}}`, `"m"`, false},
		{mcptool.Gemini, `"v":{},"l":{"type":"array","items":{},"maxItems":1}`, `"v"`, false},
		{mcptool.Gemini, `"u":{"oneOf":[{"type":"object","properties":{"k":{"const":"s"},"n":{"type":["integer","null"]}},"required":["k","n"],"additionalProperties":false},` +
			`{"type":"object","properties":{"k":{"const":"1"}},"required":["k"],"additionalProperties":false}]}`, `"u"`, false},
		{mcptool.Gemini, `"i":{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":2},"l":{"type":"array","items":{"type":"integer"},"uniqueItems":true}`, `"i"`, true},
		{mcptool.OpenAIStrict, `"a":{"type":"string"},"b":{"type":"integer","default":2},"c":{"type":"integer","enum":[1]},"d":{"type":["integer","null"]}`, `"a","d"`, false},
		{mcptool.OpenAIStrict, `"m":{"type":"object","additionalProperties":{"type":"integer"}},"v":{}`, ``, false},
		{mcptool.OpenAIStrict, `"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"integer"}},"additionalProperties":false}},"additionalProperties":false}`, ``, false},
		{mcptool.OpenAIStrict, `"a":{"anyOf":[{"type":"object","properties":{"b":{"type":"integer"}},"additionalProperties":false},{"type":"null"}]}`, `"a"`, false},
		{mcptool.Claude, `"a[]":{"type":"string"},"r":{"$ref":"#/$defs/T"}`, `"r"`, false},
		{mcptool.Bedrock, `"a":{"type":"string"}`, ``, false},
	} {
		input := `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{` + test.properties + `},"required":[` + test.required + `],` +
			`"additionalProperties":false,"$defs":{"T":{"type":"object","properties":{"x":{"type":"integer"}},"additionalProperties":false}}}`
		d, err := mcptool.Rewrite(mcptool.Tool{Input: []byte(input)}, test.profile)
		if err != nil {
			t.Errorf("%s: %v", input, err)
			continue
		}
		meant, told := compile(t, []byte(input)), compile(t, d.Input)
		reached := []any{}
		forms := pool{document: value(t, string(d.Input)), texts: []any{"s", "1", "2", "null", "true", "{}", "[]", `"s"`, `"1"`}}
		for _, sent := range forms.values(forms.document) {
			if told.Validate(sent) != nil {
				continue
			}
			stands := value(t, string(d.Restore(text(t, sent))))
			if err := meant.Validate(stands); err != nil && !test.worded {
				t.Errorf("%s: %s stands for %s: %v", input, text(t, sent), text(t, stands), err)
			}
			reached = append(reached, stands)
		}
		tried := 0
		originals := pool{document: value(t, input), texts: []any{"s", "1"}}
		for _, v := range originals.values(originals.document) {
			if meant.Validate(v) != nil {
				continue
			}
			tried++
			if !contains(reached, v) {
				t.Errorf("%s: nothing stands for %s in %s", input, text(t, v), d.Input)
			}
		}
		if tried == 0 {
			t.Errorf("%s: no value was tried", input)
		}
	}
}

// pool makes values of a few parts, for the schemas of one document.
type pool struct {
	document any
	texts    []any
}

// values returns values for a schema: not all fit.
func (p pool) values(schema any) []any {
	s, _ := schema.(map[string]any)
	if reference, ok := s["$ref"].(string); ok {
		return p.values(p.document.(map[string]any)["$defs"].(map[string]any)[reference[len("#/$defs/"):]])
	}
	var all []any
	for _, keyword := range []string{"anyOf", "oneOf"} {
		alternatives, _ := s[keyword].([]any)
		for _, each := range alternatives {
			all = append(all, p.values(each)...)
		}
	}
	if enum, ok := s["enum"].([]any); ok {
		return append(all, enum...)
	}
	if constant, ok := s["const"]; ok {
		return append(all, constant)
	}
	kinds, _ := s["type"].([]any)
	if kind, ok := s["type"]; ok && kinds == nil {
		kinds = []any{kind}
	}
	if kinds == nil && len(all) == 0 {
		kinds = []any{"string", "integer", "null", "boolean"}
		all = append(all, map[string]any{}, []any{})
	}
	for _, kind := range kinds {
		all = append(all, p.of(s, kind.(string))...)
	}
	return all
}

func (p pool) of(s map[string]any, kind string) []any {
	switch kind {
	case "string":
		return p.texts
	case "integer":
		return []any{json.Number("1"), json.Number("2")}
	case "null":
		return []any{nil}
	case "boolean":
		return []any{true}
	case "array":
		all := []any{[]any{}}
		for _, element := range p.values(s["items"]) {
			all = append(all, []any{element})
		}
		return all
	}
	all := []any{map[string]any{}}
	properties, _ := s["properties"].(map[string]any)
	for name, of := range properties {
		var more []any
		for _, object := range all {
			for _, v := range p.values(of) {
				more = append(more, with(object.(map[string]any), name, v))
			}
		}
		all = append(all, more...)
	}
	if of, ok := s["additionalProperties"].(map[string]any); ok {
		for _, v := range p.values(of) {
			all = append(all, map[string]any{"s": v})
		}
	}
	return all
}

func with(object map[string]any, name string, v any) map[string]any {
	larger := map[string]any{name: v}
	for other, value := range object {
		larger[other] = value
	}
	return larger
}

func contains(all []any, v any) bool {
	for _, each := range all {
		if reflect.DeepEqual(each, v) {
			return true
		}
	}
	return false
}

func text(t *testing.T, v any) []byte {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
