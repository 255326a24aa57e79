package mcptool_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/capgen/capgen/mcptool"
)

// Each case is an input, what a profile's clients are told of it, and what their arguments stand for.
func TestRewrite(t *testing.T) {
	for _, test := range []struct {
		name    string
		profile mcptool.Profile
		input   string
		want    string
		// sent are arguments, each followed by what they stand for.
		sent []string
	}{
		{"a reference is written out, with what stands beside it", mcptool.Claude,
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/T","description":"A."},"b":{"type":"array","items":{"$ref":"#/$defs/T"}}},"$defs":{"T":{"type":"object","description":"T.","properties":{"u":{"$ref":"#/$defs/U"}}},"U":{"type":"string"}}}`,
			`{"type":"object","properties":{"a":{"type":"object","description":"A.","properties":{"u":{"type":"string"}}},"b":{"type":"array","items":{"type":"object","description":"T.","properties":{"u":{"type":"string"}}}}}}`,
			[]string{`{"a":{"u":"x"}}`, `{"a":{"u":"x"}}`}},
		{"null is left out", mcptool.Cursor,
			`{"type":"object","properties":{"a":{"type":["string","null"],"description":"A."},"b":{"type":"object","properties":{"c":{"type":["integer","null"]}},"required":["c"]}},"required":["a"]}`,
			`{"type":"object","properties":{"a":{"type":"string","description":"A. Leave it out for null."},"b":{"type":"object","properties":{"c":{"type":"integer","description":"Leave it out for null."}}}}}`,
			[]string{`{}`, `{"a":null}`, `{"a":"x","b":{}}`, `{"a":"x","b":{"c":null}}`, `{"a":null,"b":{"c":1}}`, `{"a":null,"b":{"c":1}}`}},
		{"null that absence means is dropped", mcptool.Gemini,
			`{"type":"object","properties":{"a":{"type":["string","null"],"default":null}}}`,
			`{"type":"object","properties":{"a":{"type":"string"}}}`,
			[]string{`{}`, `{}`}},
		{"null as an alternative", mcptool.Gemini,
			`{"type":"object","properties":{"a":{"anyOf":[{"type":"string","pattern":"^a"},{"type":"null"}],"description":"A."}},"required":["a"]}`,
			`{"type":"object","properties":{"a":{"type":"string","pattern":"^a","description":"A. Leave it out for null."}}}`,
			[]string{`{}`, `{"a":null}`}},
		{"null in an enum", mcptool.Gemini,
			`{"type":"object","properties":{"a":{"type":["integer","null"],"enum":[1,2,null]}},"required":["a"]}`,
			`{"type":"object","properties":{"a":{"type":"string","enum":["1","2"],"description":"Leave it out for null."}}}`,
			[]string{`{"a":"2"}`, `{"a":2}`, `{}`, `{"a":null}`, `{"a":3}`, `{"a":3}`}},
		{"an empty value of an enum", mcptool.Gemini,
			`{"type":"object","properties":{"a":{"type":"string","enum":["","x"]}}}`,
			`{"type":"object","properties":{"a":{"type":"string","enum":["(empty)","x"]}}}`,
			[]string{`{"a":"(empty)"}`, `{"a":""}`, `{"a":"x"}`, `{"a":"x"}`}},
		{"names", mcptool.Gemini,
			`{"type":"object","properties":{"a.b":{"type":"string"},"a-b":{"type":"string"},"a_b":{"type":"string"},"1":{"type":"string"},"q":{"type":"object","properties":{"a.b":{"type":"string"}}}},"required":["a-b"]}`,
			`{"type":"object","properties":{"a_b_2":{"type":"string"},"a_b_3":{"type":"string"},"a_b":{"type":"string"},"_1":{"type":"string"},"q":{"type":"object","properties":{"a.b":{"type":"string"}}}},"required":["a_b_3"]}`,
			[]string{`{"a_b_2":"1","a_b_3":"2","a_b":"3","_1":"4"}`, `{"a.b":"1","a-b":"2","a_b":"3","1":"4"}`}},
		{"an object with names of the caller's", mcptool.Gemini,
			`{"type":"object","properties":{"m":{"type":"object","propertyNames":{"pattern":"^[a-z]+$"},"additionalProperties":{"type":"object","additionalProperties":{"type":"integer"}},"maxProperties":3}},"additionalProperties":false}`,
			`{"type":"object","properties":{"m":{"type":"array","maxItems":3,"description":"It is an object, written as an array of its members' names and values.","items":{"type":"object","properties":{"name":{"type":"string","pattern":"^[a-z]+$"},"value":{"type":"array","description":"It is an object, written as an array of its members' names and values.","items":{"type":"object","properties":{"name":{"type":"string"},"value":{"type":"integer"}},"required":["name","value"]}}},"required":["name","value"]}}}}`,
			[]string{`{"m":[{"value":[{"name":"x","value":1}],"name":"a"},{"name":"b","value":[]}]}`, `{"m":{"a":{"x":1},"b":{}}}`, `{"m":[]}`, `{"m":{}}`, `{"m":[{"name":1}]}`, `{"m":[{"name":1}]}`, `{"m":{"a":1}}`, `{"m":{"a":1}}`}},
		{"anything", mcptool.Gemini,
			`{"type":"object","properties":{"v":{"description":"V."},"l":{"type":"array","items":{}},"r":{"type":["string","number","boolean","object","array"]}},"required":["v"]}`,
			`{"type":"object","properties":{"v":{"type":"string","description":"V. It is written as JSON, in a string."},"l":{"type":"array","items":{"type":"string","description":"It is written as JSON, in a string."}},"r":{"type":"string","description":"It is written as JSON, in a string."}},"required":["v"]}`,
			[]string{`{"v":"{\"a\":[1,null]}","l":["1","\"s\"","plain"]}`, `{"v":{"a":[1,null]},"l":[1,"s","plain"]}`, `{"v":"null"}`, `{"v":null}`, `{"v":{"as":"is"}}`, `{"v":{"as":"is"}}`}},
		{"keywords that Gemini does not know", mcptool.Gemini,
			`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"i":{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":9,"multipleOf":2,"x-unit":"ms"},"n":{"type":"number","exclusiveMinimum":0.5,"description":"N."},"s":{"type":"string","format":"email","contentEncoding":"base64","examples":["a",1]},"l":{"type":"array","items":{"type":"string"},"uniqueItems":true,"deprecated":true},"c":{"const":"x"},"h":{"type":"string","x-mcp-header":"H"}},"additionalProperties":false}`,
			`{"type":"object","properties":{"i":{"type":"integer","minimum":1,"maximum":8,"description":"It is a multiple of 2. Its unit is ms."},"n":{"type":"number","description":"N. It is greater than 0.5."},"s":{"type":"string","description":"Its format is email. It is base64. For example \"a\" or 1."},"l":{"type":"array","items":{"type":"string"},"description":"No two elements are equal. It is deprecated."},"c":{"type":"string","enum":["x"]},"h":{"type":"string"}}}`,
			[]string{`{"i":2}`, `{"i":2}`}},
		{"a union", mcptool.Gemini,
			`{"type":"object","properties":{"u":{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"n":{"type":["string","null"]}},"required":["kind","n"]},{"type":"object","properties":{"kind":{"const":"b"}},"required":["kind"]}]}}}`,
			`{"type":"object","properties":{"u":{"anyOf":[{"type":"object","properties":{"kind":{"type":"string","enum":["a"]},"n":{"type":"string","description":"Leave it out for null."}},"required":["kind"]},{"type":"object","properties":{"kind":{"type":"string","enum":["b"]}},"required":["kind"]}]}}}`,
			[]string{`{"u":{"kind":"a"}}`, `{"u":{"kind":"a","n":null}}`, `{"u":{"kind":"b"}}`, `{"u":{"kind":"b"}}`, `{"u":{"kind":"c"}}`, `{"u":{"kind":"c"}}`}},
		{"strict mode", mcptool.OpenAIStrict,
			`{"type":"object","properties":{"a":{"type":"string","minLength":1},"b":{"type":"integer","default":3,"description":"B."},"e":{"type":"string","enum":["x"]},"n":{"type":["string","null"]},"m":{"type":"object","additionalProperties":{"type":"boolean"}},"v":{}},"required":["a","n"],"additionalProperties":false}`,
			`{"type":"object","properties":{"a":{"type":"string","description":"It has at least 1 characters."},"b":{"type":["integer","null"],"description":"B. Null stands for 3."},"e":{"type":["string","null"],"enum":["x",null],"description":"Null leaves it out."},"n":{"type":["string","null"]},"m":{"type":["array","null"],"description":"Null leaves it out. It is an object, written as an array of its members' names and values.","items":{"type":"object","properties":{"name":{"type":"string"},"value":{"type":"boolean"}},"required":["name","value"],"additionalProperties":false}},"v":{"type":["string","null"],"description":"Null leaves it out. It is written as JSON, in a string."}},"additionalProperties":false,"required":["a","b","e","n","m","v"]}`,
			[]string{`{"a":"x","b":null,"e":null,"n":null,"m":null,"v":null}`, `{"a":"x","n":null}`, `{"a":"x","b":1,"e":"x","n":"y","m":[{"name":"t","value":true}],"v":"null"}`, `{"a":"x","b":1,"e":"x","n":"y","m":{"t":true},"v":null}`}},
		{"strict mode keeps what refers to itself", mcptool.OpenAIStrict,
			`{"type":"object","properties":{"t":{"$ref":"#/$defs/T","description":"The tree."}},"required":["t"],"additionalProperties":false,"$defs":{"T":{"type":"object","properties":{"name":{"type":"string"},"left":{"$ref":"#/$defs/T"}},"required":["name"],"additionalProperties":false}}}`,
			`{"type":"object","properties":{"t":{"anyOf":[{"$ref":"#/$defs/T"}],"description":"The tree."}},"additionalProperties":false,"required":["t"],"$defs":{"T":{"type":"object","properties":{"name":{"type":"string"},"left":{"anyOf":[{"$ref":"#/$defs/T"},{"type":"null"}],"description":"Null leaves it out."}},"additionalProperties":false,"required":["name","left"]}}}`,
			[]string{`{"t":{"name":"a","left":{"name":"b","left":{"name":"c","left":null}}}}`, `{"t":{"name":"a","left":{"name":"b","left":{"name":"c"}}}}`}},
		{"null beside what has another form", mcptool.OpenAIStrict,
			`{"type":"object","properties":{"a":{"anyOf":[{"type":"object","properties":{"b":{"type":"string"}},"additionalProperties":false},{"type":"null"}]}},"required":["a"],"additionalProperties":false}`,
			`{"type":"object","properties":{"a":{"anyOf":[{"type":"object","properties":{"b":{"type":["string","null"],"description":"Null leaves it out."}},"additionalProperties":false,"required":["b"]},{"type":"null"}]}},"additionalProperties":false,"required":["a"]}`,
			[]string{`{"a":{"b":null}}`, `{"a":{}}`, `{"a":null}`, `{"a":null}`}},
		{"the root of Nova", mcptool.Bedrock,
			`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","title":"T","description":"It is more.","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false,"minProperties":1}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, nil},
		{"the draft, which VS Code did not know", mcptool.VSCode,
			`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":{"type":["string","null"]}},"additionalProperties":false}`,
			`{"type":"object","properties":{"a":{"type":["string","null"]}},"additionalProperties":false}`, nil},
		{"several types", mcptool.Gemini,
			`{"type":"object","properties":{"a":{"type":["string","integer"],"description":"A."}}}`,
			`{"type":"object","properties":{"a":{"description":"A.","anyOf":[{"type":"string"},{"type":"integer"}]}}}`, nil},
	} {
		tool := mcptool.Tool{Name: "n", Description: "Does something.", Input: []byte(test.input)}
		d, err := mcptool.Rewrite(tool, test.profile)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if string(d.Input) != test.want {
			t.Errorf("%s: got  %s\nwant %s", test.name, d.Input, test.want)
		}
		for _, f := range d.Check(test.profile) {
			t.Errorf("%s: %s", test.name, f.Message())
		}
		told, meant := compile(t, d.Input), compile(t, []byte(test.input))
		for i := 0; i < len(test.sent); i += 2 {
			sent, stands := test.sent[i], test.sent[i+1]
			got := d.Restore([]byte(sent))
			if string(got) != stands {
				t.Errorf("%s: %s: got %s, want %s", test.name, sent, got, stands)
			}
			// What clients are told to be right is right.
			if after := meant.Validate(value(t, stands)); told.Validate(value(t, sent)) == nil && after != nil {
				t.Errorf("%s: %s: the rewritten schema takes it, the original says %v", test.name, sent, after)
			}
		}
	}
}

// What one schema says in a keyword that clients do not know is still said.
func TestRewrittenDescription(t *testing.T) {
	d, err := mcptool.Rewrite(mcptool.Tool{Description: "Does it.", Input: []byte(`{"type":"object","description":"It is more.","minProperties":1,"title":"T"}`)}, mcptool.Bedrock)
	if err != nil {
		t.Fatal(err)
	}
	if want := "Does it.\n\nIt is more.\n\nIt has at least 1 members."; d.Description != want {
		t.Errorf("got %q, want %q", d.Description, want)
	}
}

func TestLosses(t *testing.T) {
	for _, test := range []struct {
		profile     mcptool.Profile
		input, want string
	}{
		{mcptool.Claude, `{"type":"object","properties":{"t":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"object","properties":{"t":{"$ref":"#/$defs/T"}}}}}`,
			`"t" is of a type that refers to itself, which claude has no word for: nest types of their own as deep as is needed`},
		{mcptool.Gemini, `{"type":"object","properties":{"l":{"type":"array","items":{"type":["string","null"]}}}}`,
			`an element of "l" may be null, and cannot be left out instead, which gemini has no word for: take parts that are never null`},
		{mcptool.Gemini, `{"type":"object","properties":{"a":{"type":["string","null"],"default":"x"}}}`,
			`"a" may be null and may be left out, which are not the same, which gemini has no word for: let it be one of them, by omitempty or without it`},
		{mcptool.OpenAIStrict, `{"type":"object","properties":{"a":{"type":["string","null"]}},"additionalProperties":false}`,
			`"a" may be null and may be left out, which are not the same, which openai-strict has no word for: let it be one of them, by omitempty or without it`},
		{mcptool.OpenAIStrict, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":true}`,
			`the input takes members of any name beside its own, which openai-strict has no word for: drop additionalProperties`},
		{mcptool.Gemini, `{"type":"object","properties":{"a":{"type":"string","not":{"const":"x"}}}}`,
			`"a" has the keyword not, which gemini has no word for: leave it out`},
		{mcptool.Gemini, `{"type":"object","properties":{"a":{"enum":[1,"1"]}}}`,
			`"a" can be of any type and has the keyword enum, which gemini has no word for: leave it out`},
		{mcptool.Gemini, `{"type":"object","properties":{"a":false}}`,
			`"a" is the schema false, which gemini has no word for: say what it is`},
		{mcptool.Gemini, `{"type":"object","properties":{"a":{"anyOf":[{"type":"integer","enum":[1]},{"type":"string"}]}}}`,
			`an alternative of "a" would be sent in another form, and cannot be told from the other alternatives, which gemini has no word for: make it a union with a discriminator`},
		{mcptool.Claude, `[]`, `the input is no object, which claude has no word for: declare the input as a struct`},
		{mcptool.Claude, `{"type":"object","properties":{"a":{"$ref":"#/$defs/T"}}}`,
			`"a" refers to #/$defs/T, which is no schema, which claude has no word for: correct the reference`},
	} {
		_, err := mcptool.Rewrite(mcptool.Tool{Input: []byte(test.input)}, test.profile)
		var loss *mcptool.Loss
		if !errors.As(err, &loss) || loss.Error() != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}

// What the generator writes is taken by those that it is rewritten for, or told to be impossible.
func TestRewriteContracts(t *testing.T) {
	rewritten, lost := 0, 0
	for _, contract := range contracts(t) {
		tool := mcptool.Tool{Name: contract.Tool, Description: contract.Description, Input: contract.Input}
		for _, profile := range mcptool.Profiles() {
			d, err := mcptool.Rewrite(tool, profile)
			if err != nil {
				lost++
				t.Logf("%s: %v", contract.path, err)
				continue
			}
			rewritten++
			compile(t, d.Input)
			for _, f := range d.Check(profile) {
				if f.Part == mcptool.TheInput && f.Rule.ID != "depth" {
					t.Errorf("%s: %v: %s", contract.path, f.Path, f.Message())
				}
			}
		}
	}
	t.Logf("%d rewritten, %d not", rewritten, lost)
	if rewritten < 10*lost || lost == 0 {
		t.Errorf("%d inputs were rewritten and %d were not", rewritten, lost)
	}
}

// Whatever a client sends, what it stands for is JSON again.
func FuzzRestore(f *testing.F) {
	f.Add(`{"a":null,"m":[{"name":"x","value":"1"}],"v":"{}","e":"2"}`)
	f.Add(`{"u":{"kind":"a"},"a":{"a":[]}}`)
	tool := mcptool.Tool{Input: []byte(`{"type":"object","properties":{"a":{"type":["string","null"]},"m":{"type":"object","additionalProperties":{}},"v":{},"e":{"type":"integer","enum":[1,2]},` +
		`"u":{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"n":{"type":["string","null"]}},"required":["kind","n"]},{"type":"string"}]}},"required":["a"]}`)}
	d, err := mcptool.Rewrite(tool, mcptool.Gemini)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, arguments string) {
		if !json.Valid([]byte(arguments)) {
			return
		}
		if got := d.Restore([]byte(arguments)); !json.Valid(got) {
			t.Errorf("%s: got %s", arguments, got)
		}
	})
}

type contract struct {
	path, Tool, Description string
	Input                   json.RawMessage
}

// contracts returns every contract that is committed in the repository.
func contracts(t *testing.T) []contract {
	t.Helper()
	var all []contract
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.Contains(path, "/schemas/") || filepath.Ext(path) != ".json" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		c := contract{path: path}
		if json.Unmarshal(text, &c) == nil && c.Tool != "" && len(text) < 1<<20 {
			all = append(all, c)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func compile(t *testing.T, schema []byte) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	if err := c.AddResource("mem:///s", strings.NewReader(string(schema))); err != nil {
		t.Fatalf("%v: %s", err, schema)
	}
	compiled, err := c.Compile("mem:///s")
	if err != nil {
		t.Fatalf("%v: %s", err, schema)
	}
	return compiled
}

func value(t *testing.T, text string) any {
	t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}
