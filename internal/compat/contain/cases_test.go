package contain_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/capgen/capgen/internal/compat/compattest"
	"github.com/capgen/capgen/internal/compat/contain"
)

// The cases that a comparison keyword by keyword gets wrong, or that need a proof. Want is empty for what is contained, else the doubts, each as
// place, keyword, member and the value that shows it, or ? for none.
func TestCases(t *testing.T) {
	for _, test := range []struct{ name, sub, sup, want string }{
		{"a length that the pattern implies", `{"type":"string","pattern":"^[a-z]{3}$"}`, `{"type":"string","minLength":3,"maxLength":3}`, ""},
		{"a length that it does not", `{"type":"string","pattern":"^[a-z]{3}"}`, `{"type":"string","maxLength":3}`, ` maxLength "aaaa"`},
		{"characters, not bytes", `{"type":"string","pattern":"^é{2}$"}`, `{"type":"string","maxLength":2}`, ""},
		{"a pattern and a length", `{"type":"string","pattern":"^[a-z]*$","maxLength":2}`, `{"type":"string","pattern":"^[a-z]?[a-z]?$"}`, ""},
		{"a pattern that is not anchored", `{"type":"string","pattern":"abc"}`, `{"type":"string","pattern":"b"}`, ""},
		{"the other way", `{"type":"string","pattern":"b"}`, `{"type":"string","pattern":"abc"}`, ` pattern "b"`},
		{"a dot and a line break", `{"type":"string"}`, `{"type":"string","pattern":"^.*$"}`, ` pattern "\n"`},
		{"bounds of words", `{"type":"string","pattern":"^a b$"}`, `{"type":"string","pattern":"a\\b"}`, ""},
		{"no bound of a word", `{"type":"string","pattern":"^ab"}`, `{"type":"string","pattern":"a\\b"}`, ` pattern "ab"`},
		{"letters of both cases", `{"type":"string","pattern":"^[aA]$"}`, `{"type":"string","pattern":"^(?i)a$"}`, ""},
		{"a letter with a third case", `{"type":"string","pattern":"^(?i)k$"}`, `{"type":"string","pattern":"^[kK]$"}`, " pattern \"\u212a\""},
		{"long texts", `{"type":"string","maxLength":4096,"pattern":"^([a-z]+-)*[a-z]+$"}`, `{"type":"string","maxLength":4096,"pattern":"^[a-z-]*$"}`, ""},
		{"a pattern that is too much", `{"type":"string"}`, `{"type":"string","pattern":"^.*a.{40}$"}`, ` pattern ""`},
		{"a pattern that is too much to prove", `{"type":"string","pattern":"^[ab]*a[ab]{40}$"}`, `{"type":"string","pattern":"^[ab]*a[ab]{10}[ab]{30}$"}`, " pattern ?"},

		{"whole numbers by a multiple", `{"type":"number","multipleOf":2}`, `{"type":"integer"}`, ""},
		{"numbers that are not whole", `{"type":"number","multipleOf":0.5}`, `{"type":"integer"}`, " type 0.5"},
		{"a number alone", `{"type":"number","minimum":2,"maximum":2}`, `{"type":"integer"}`, ""},
		{"no number", `{"type":"integer","minimum":3,"maximum":2}`, `{"type":"integer","minimum":5}`, ""},
		{"bounds of whole numbers", `{"type":"integer","exclusiveMinimum":0.5}`, `{"type":"integer","minimum":1}`, ""},
		{"bounds of numbers", `{"type":"number","exclusiveMinimum":0.5}`, `{"type":"number","minimum":1}`, " minimum 0.75"},
		{"the bound itself", `{"type":"number","minimum":0}`, `{"type":"number","exclusiveMinimum":0}`, " exclusiveMinimum 0"},
		{"multiples", `{"type":"integer","multipleOf":6}`, `{"type":"number","multipleOf":1.5}`, ""},
		{"not multiples", `{"type":"integer","multipleOf":4}`, `{"type":"integer","multipleOf":6}`, " multipleOf 4"},
		{"numbers past a float", `{"type":"integer","minimum":9007199254740993}`, `{"type":"integer","exclusiveMinimum":9007199254740992}`, ""},
		{"a few numbers", `{"type":"integer","minimum":1,"maximum":3}`, `{"enum":[1,2,3]}`, ""},
		{"one too many", `{"type":"integer","minimum":1,"maximum":4}`, `{"enum":[1,2,3]}`, " enum 4"},

		{"values one by one", `{"enum":["a","b",null]}`, `{"type":["string","null"],"maxLength":1}`, ""},
		{"values that are not allowed themselves", `{"type":"string","enum":["a",1]}`, `{"enum":["a"]}`, ""},
		{"null alone", `{"type":["string","null"]}`, `{"type":"string"}`, " null null"},
		{"null in another form", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"type":["string","null"]}`, ""},
		{"booleans", `{"type":"boolean"}`, `{"enum":[true,false]}`, ""},

		{"as many members as there can be", `{"type":"object","properties":{"a":{},"b":{}},"additionalProperties":false}`, `{"type":"object","maxProperties":2}`, ""},
		{"as many as there must be", `{"type":"object","required":["a","b"]}`, `{"type":"object","minProperties":2}`, ""},
		{"a name that cannot be", `{"type":"object","propertyNames":{"maxLength":1},"additionalProperties":{"type":"string"}}`, `{"type":"object","properties":{"long":{"type":"integer"}}}`, ""},
		{"a name that can", `{"type":"object","additionalProperties":{"type":"string"}}`, `{"type":"object","properties":{"long":{"type":"integer"}}}`, ` properties long {"long":""}`},
		{"members by a pattern", `{"type":"object","patternProperties":{"^x":{}},"additionalProperties":false}`, `{"type":"object","additionalProperties":false}`, ` additionalProperties {"x1":null}`},
		{"names in other words", `{"type":"object","propertyNames":{"pattern":"^[a-z]{2}$"}}`, `{"type":"object","propertyNames":{"type":"string","maxLength":2}}`, ""},
		{"elements of an empty list", `{"type":"array","maxItems":0,"items":{"type":"string"}}`, `{"type":"array","items":{"type":"integer"}}`, ""},
		{"one element is unique", `{"type":"array","maxItems":1}`, `{"type":"array","uniqueItems":true}`, ""},

		{"a definition that moved", `{"$ref":"#/$defs/A","$defs":{"A":{"type":"string"}}}`, `{"type":"string"}`, ""},
		{"more beside a reference", `{"$ref":"#/$defs/A","$defs":{"A":{"type":"string","minLength":2}}}`, `{"$ref":"#/$defs/A","maxLength":1,"$defs":{"A":{"type":"string"}}}`, ` maxLength "aa"`},
		{"itself", `{"$ref":"#/$defs/A","$defs":{"A":{"type":"object","properties":{"n":{"$ref":"#/$defs/A"}},"additionalProperties":false}}}`,
			`{"$ref":"#/$defs/B","$defs":{"B":{"type":"object","properties":{"n":{"$ref":"#/$defs/B"},"m":{}},"additionalProperties":false}}}`, ""},
		{"itself, less deep", `{"$ref":"#/$defs/A","$defs":{"A":{"type":"object","properties":{"n":{"$ref":"#/$defs/A"}},"additionalProperties":false}}}`,
			`{"type":"object","properties":{"n":{"type":"object","additionalProperties":false}}}`, `/properties/n additionalProperties n {"n":{}}`},
		{"references that a name misleads", `{"$id":"http://a/","$ref":"#/$defs/A","$defs":{"A":{"type":"string"}}}`, `{"type":"string"}`, ` type ?`},

		{"unions", union("a", "b"), union("b", "c", "a"), ""},
		{"a union with a variant more", union("a", "b"), union("b"), ` oneOf a {"kind":"a"}`},
		{"a union within an object", union("a"), `{"type":"object"}`, ""},
		{"the same, written otherwise", `{"not":{"const":1},"allOf":[{"type":"string"}]}`, `{"allOf":[{"type":"string","title":"x"}],"not":{"const":1.0}}`, ""},
		{"less of what is not understood", `{"not":{"const":1},"type":"string"}`, `{"type":"string"}`, ""},
		{"more of it", `{"type":"integer"}`, `{"type":"integer","not":{"const":0}}`, " not 0"},
		{"more of it, unseen", `{"type":"integer"}`, `{"type":"integer","not":{"const":77}}`, " not ?"},
		{"names that pointers and addresses spell otherwise", `{"properties":{"a%b/c~d e?f#é\"":{"enum":["x"]},"":{"type":["null","string"]}}}`,
			`{"properties":{"a%b/c~d e?f#é\"":{"type":"integer"},"":{"type":"string"}}}`, `/properties/ null null; /properties/a%b~1c~0d e?f#é" type "x"`},
		{"anything", `true`, `{}`, ""},
		{"nothing", `false`, `{"type":"string"}`, ""},
		{"in nothing", `{"type":"string"}`, `false`, ` type ""`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, d := range contain.In(parse(t, test.sub), parse(t, test.sup)) {
				value := "?"
				if d.Shown {
					value = compattest.Encode(t, d.Value)
				}
				got = append(got, strings.Join(strings.Fields(strings.Replace(fmt.Sprintf("%s %s %s %s", d.Sup, d.Keyword, d.Property, value), `"\n"`, "NEWLINE", 1)), " "))
			}
			want := strings.TrimSpace(strings.Replace(test.want, `"\n"`, "NEWLINE", 1))
			if line := strings.Join(got, "; "); line != want {
				t.Errorf("%s, want %s", line, want)
			}
		})
	}
}

// union returns the schema of a union of variants that have nothing but their names.
func union(kinds ...string) string {
	var variants []string
	for _, kind := range kinds {
		variants = append(variants, `{"type":"object","properties":{"kind":{"const":"`+kind+`"}},"required":["kind"],"additionalProperties":false}`)
	}
	return `{"oneOf":[` + strings.Join(variants, ",") + `]}`
}
