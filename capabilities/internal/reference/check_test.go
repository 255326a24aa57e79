package reference_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities/internal/reference"
)

// TestCheck has a row for each keyword: a schema, a text that breaks it, and each problem as "pointer keyword: message".
func TestCheck(t *testing.T) {
	for _, test := range []struct {
		schema, text string
		want         []string
	}{
		{`{"type": "string"}`, `1`, []string{" type: must be a string"}},
		{`{"type": "integer"}`, `1.5`, []string{" type: must be an integer"}},
		{`{"type": "object"}`, `[]`, []string{" type: must be an object"}},
		{`{"type": ["string", "null"]}`, `1`, []string{" type: must be a string or null"}},
		{`{"enum": ["a", 1, null]}`, `"b"`, []string{` enum: must be one of "a", 1 or null`}},
		{`{"const": "a"}`, `"b"`, []string{` const: must be "a"`}},
		{`{"minimum": 1.50}`, `1`, []string{" minimum: must be at least 1.50"}},
		{`{"maximum": 10}`, `11`, []string{" maximum: must be at most 10"}},
		{`{"maximum": 9223372036854775807}`, `9223372036854775808`, []string{" maximum: must be at most 9223372036854775807"}},
		{`{"exclusiveMinimum": 0}`, `0`, []string{" exclusiveMinimum: must be greater than 0"}},
		{`{"exclusiveMaximum": 1}`, `1.0`, []string{" exclusiveMaximum: must be less than 1"}},
		{`{"multipleOf": 0.01}`, `0.005`, []string{" multipleOf: must be a multiple of 0.01"}},
		{`{"minLength": 1}`, `""`, []string{" minLength: must have at least 1 character"}},
		{`{"maxLength": 2}`, `"abc"`, []string{" maxLength: must have at most 2 characters"}},
		{`{"pattern": "^[a-z<>&]+$"}`, `"A"`, []string{" pattern: must match the pattern ^[a-z<>&]+$"}},
		{`{"minItems": 1}`, `[]`, []string{" minItems: must have at least 1 item"}},
		{`{"maxItems": 2}`, `[1,2,3]`, []string{" maxItems: must have at most 2 items"}},
		{`{"uniqueItems": true}`, `[1, {"a": 1.0}, {"a": 1}]`, []string{" uniqueItems: must have no two equal items"}},
		{`{"minProperties": 1}`, `{}`, []string{" minProperties: must have at least 1 property"}},
		{`{"maxProperties": 0}`, `{"a":1}`, []string{" maxProperties: must have at most 0 properties"}},
		{`{"required": ["a", "b", "c"]}`, `{"b": 1}`, []string{` required: must have the property "a"`, ` required: must have the property "c"`}},
		{`{"properties": {"year": {}, "id": {}}, "additionalProperties": false}`, `{"z": 1, "secret": 2}`,
			[]string{" additionalProperties: has a property that is not known; the properties are id, year"}},
		{`{"properties": {"year": {}}, "additionalProperties": false}`, `{"Year": 1}`,
			[]string{` additionalProperties: has a property that is not known; the properties are year; did you mean "year"?`}},
		{`{"additionalProperties": false}`, `{"a": 1}`, []string{" additionalProperties: has a property that is not known; there are none"}},

		// Where it is: names of the schema's own, escaped, and indices; a map's keys are the caller's.
		{`{"properties": {"a/b~c%d é": {"items": {"type": "string"}}}}`, `{"a/b~c%d é": ["", 1]}`, []string{"/a~1b~0c%d é/1 type: must be a string"}},
		{`{"additionalProperties": {"type": "integer"}}`, `{"secret": "x"}`, []string{"/* type: must be an integer"}},
		{`{"additionalProperties": {"additionalProperties": {"type": "integer"}}}`, `{"1": {"2": ""}}`, []string{"/*/* type: must be an integer"}},
		{`{"properties": {"m": {"additionalProperties": {"properties": {"n": {"minimum": 1}}}}}}`, `{"m": {"secret": {"n": 0}}}`,
			[]string{"/m/*/n minimum: must be at least 1"}},
		// A branch that has the name says what it is, also after one that has not.
		{`{"oneOf": [{"properties": {"a": {}}, "additionalProperties": false}, {"properties": {"b": {"minimum": 1}}, "required": ["b"]}]}`, `{"b": 0}`,
			[]string{" additionalProperties: has a property that is not known; the properties are a", "/b minimum: must be at least 1"}},
		{tree, `{"value": 1, "below": [{"value": 2, "below": [{"value": ""}]}]}`, []string{"/below/0/below/0/value type: must be an integer"}},
		{tree, `{"value": 1, "below": [{"x": 0}]}`, []string{
			"/below/0 additionalProperties: has a property that is not known; the properties are below, value",
			`/below/0 required: must have the property "value"`}},
		{`{"anyOf": [{"type": "string"}, {"type": "null"}]}`, `1`, []string{" type: must be a string", " type: must be null"}},

		// Several, in an order that depends on the text alone.
		{`{"properties": {"a": {"minLength": 3, "pattern": "^x"}, "b": {"type": "null"}}, "required": ["c"]}`, `{"b": 1, "a": "y"}`, []string{
			` required: must have the property "c"`, "/a minLength: must have at least 3 characters", "/a pattern: must match the pattern ^x",
			"/b type: must be null"}},

		// What is no JSON text, or none that every reader reads the same way.
		{`{}`, ``, []string{" syntax: is not JSON: the text ends too early"}},
		{`{}`, `{"a": [1, `, []string{" syntax: is not JSON: the text ends too early"}},
		{`{}`, `{"a" 1}`, []string{" syntax: is not JSON: there is a mistake at byte 5"}},
		{`{}`, `1 2`, []string{" syntax: is not JSON: something follows the value"}},
		{`{}`, `{"a": 1, "\u0061": 2}`, []string{" syntax: is not JSON: an object has the same name twice"}},
		{`{}`, "\"\xff\"", []string{" syntax: is not JSON: there is a mistake at byte 1"}},
		{`{}`, `"\ud800"`, []string{" syntax: is not JSON: there is a mistake at byte 1"}},
		{`{}`, strings.Repeat("[", 1001) + strings.Repeat("]", 1001), []string{" syntax: is nested more than 1000 levels deep"}},
		{costlySchema, strings.Repeat("[", 201) + strings.Repeat("]", 201), []string{" syntax: is nested more than 200 levels deep, the most that its schema can be asked about"}},
		{doubleSchema, nest(10), nil},
		{doubleSchema, nest(30), []string{" syntax: is nested deeper than its schema, which refers to itself in several ways, can be asked about"}},
		{doubleSchema, nest(900), []string{" syntax: is nested more than 200 levels deep, the most that its schema can be asked about"}},
		{bothSchema, nest(40), []string{" syntax: is nested deeper than its schema, which refers to itself in several ways, can be asked about"}},
		{bothSchema, `[` + strings.Repeat("1,", 50_000) + `1]`, nil},
		{costlySchema, strings.Repeat("[", 200) + strings.Repeat("]", 200), nil},
		{`{}`, strings.Repeat("[", 1000) + strings.Repeat("]", 1000), nil},
		// A number that would take gigabytes to write out.
		{`{"type": "integer", "multipleOf": 3}`, `1e99999999`, []string{" syntax: holds a number whose exponent has more than 4 digits"}},
		{`{"type": "number"}`, `[1E-10000]`, []string{" syntax: holds a number whose exponent has more than 4 digits"}},
		{`{"type": "integer", "multipleOf": 10}`, `1e+0009999`, nil},

		// Values that are right.
		{`{"type": "integer", "minimum": 1000}`, `1e3`, nil},
		{`{"type": "integer"}`, `-0.0`, nil},
		{`{"maxLength": 2}`, `"😀é"`, nil},
		{tree, `{"value": 1, "below": [{"value": 2, "below": []}]}`, nil},
	} {
		schema, err := reference.Compile([]byte(test.schema))
		if err != nil {
			t.Fatalf("%s: %v", test.schema, err)
		}
		var got []string
		for _, p := range schema.Check([]byte(test.text), 16) {
			got = append(got, fmt.Sprintf("%s %s: %s", p.Pointer, p.Keyword, p.Message))
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", test.want) {
			t.Errorf("%s\n%.100s\n got %q\nwant %q", test.schema, test.text, got, test.want)
		}
	}
}

// tree is a schema that refers to itself.
const tree = `{"$ref": "#/$defs/node", "$defs": {"node": {
	"type": "object",
	"properties": {"value": {"type": "integer"}, "below": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
	"required": ["value"],
	"additionalProperties": false
}}}`

func TestCheckStopsAtTheLimit(t *testing.T) {
	schema, err := reference.Compile([]byte(`{"items": {"type": "string"}}`))
	if err != nil {
		t.Fatal(err)
	}
	found := schema.Check([]byte("["+strings.Repeat("1,", 100)+"1]"), 16)
	if len(found) != 16 || found[0].Pointer != "/0" {
		t.Errorf("%d problems, the first %+v", len(found), found[0])
	}
}

func TestCompileRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                     "the schema cannot be read: ",
		`{"type": "zzz"}`:       "the schema is not valid: ",
		`{"$ref": "https://x"}`: "references to other documents are not followed",
		`{"$ref": "#/$defs/x"}`: "the schema is not valid: ",
	} {
		if _, err := reference.Compile([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// costlySchema refers to itself in an alternative.
const costlySchema = `{"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#/$defs/n"}}]}}}`

// doubleSchema refers to itself in two branches of an alternative, and bothSchema in two parts that both count: each level doubles the
// validator's work.
const (
	branch       = `{"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}}}`
	doubleSchema = `{"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [{"type": "integer", "maximum": 3}, ` + branch + `, ` + branch + `]}}}`
	bothSchema   = `{"$ref": "#/$defs/n", "$defs": {"n": {"allOf": [` + both + `, ` + both + `]}}}`
	both         = `{"properties": {"a": {"$ref": "#/$defs/n"}}, "items": {"$ref": "#/$defs/n"}}`
)

// nest returns objects in each other.
func nest(levels int) string {
	return strings.Repeat(`{"a":`, levels) + "3" + strings.Repeat("}", levels)
}
