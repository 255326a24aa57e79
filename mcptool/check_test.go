package mcptool_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/capgen/capgen/mcptool"
)

// object is an input with a property, whose schema is given.
func object(property string) string {
	return `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"p":` + property + `},"required":["p"],"additionalProperties":false}`
}

// Every row of the table refuses something, and says so.
func TestRules(t *testing.T) {
	deep := `{"type":"string"}`
	for range 10 {
		deep = `{"type":"array","items":` + deep + `}`
	}
	numbers := make([]string, 1001)
	for i := range numbers {
		numbers[i] = fmt.Sprintf(`"%060d"`, i)
	}
	enum := `{"type":"string","enum":[` + strings.Join(numbers, ",") + `]}`
	many := make([]string, 5001)
	for i := range many {
		many[i] = fmt.Sprintf(`"p%030d":{"type":"string"}`, i)
	}
	plain := object(`{"type":"string"}`)
	for _, test := range []struct {
		rule, profiles string
		tool           mcptool.Tool
		want           string
	}{
		{"name-length", "all claude openai openai-strict gemini bedrock cursor vscode", mcptool.Tool{Name: strings.Repeat("n", 65), Description: "d", Input: []byte(plain)},
			"the name has 65 characters, more than 64: not accepted by P; give the capability a shorter name with tool= (name-length)"},
		{"name-charset", "claude openai openai-strict gemini bedrock vscode", mcptool.Tool{Name: "a.b", Description: "d", Input: []byte(plain)},
			`the name "a.b" has other characters than those of ^[A-Za-z_][A-Za-z0-9_-]*$: not accepted by P; write _ for each other character with tool= (name-charset)`},
		{"name-charset", "all cursor", mcptool.Tool{Name: "a-b", Description: "d", Input: []byte(plain)},
			`the name "a-b" has other characters than those of ^[A-Za-z0-9_]+$: not accepted by P; write _ for each other character with tool= (name-charset)`},
		{"name-budget", "all claude", mcptool.Tool{Name: strings.Repeat("n", 42), Description: "d", Input: []byte(plain)},
			"the name has 42 characters, with 16 for the server's name 58, more than 57: not accepted by P; give the capability a shorter name with tool=, or the server one with fewer characters (name-budget)"},
		{"name-budget", "cursor", mcptool.Tool{Name: strings.Repeat("n", 44), Description: "d", Input: []byte(plain)},
			"the name has 44 characters, with 16 for the server's name 60, more than 59: not accepted by P; give the capability a shorter name with tool=, or the server one with fewer characters (name-budget)"},
		{"description-length", "all openai openai-strict", mcptool.Tool{Name: "n", Description: strings.Repeat("d", 1025), Input: []byte(plain)},
			"the description has 1025 characters, more than 1024: not accepted by P; shorten the doc comment: what concerns one parameter belongs to its field (description-length)"},
		{"description-length", "claude", mcptool.Tool{Name: "n", Description: strings.Repeat("😀", 1025), Input: []byte(plain)},
			"the description has 2050 characters, more than 2048: not accepted by P; shorten the doc comment: what concerns one parameter belongs to its field (description-length)"},
		{"description-missing", "all bedrock", mcptool.Tool{Name: "n", Input: []byte(plain)},
			"there is no description: not accepted by P; write a doc comment that says what it does and when to use it (description-missing)"},
		{"root-object", "all claude openai openai-strict gemini bedrock cursor vscode", input(`{"type":"array","items":{"type":"string"}}`),
			"the input is no object: not accepted by P; declare the input as a struct (root-object)"},
		{"root-combinator", "all claude openai openai-strict bedrock vscode", input(`{"type":"object","anyOf":[{"type":"object"}]}`),
			"the input's own schema has anyOf: not accepted by P; put the alternatives into a field (root-combinator)"},
		{"root-keyword", "bedrock", input(`{"type":"object","title":"T"}`),
			"the input's own schema has title: not accepted by P; serve these clients on a path of their own with runtime.WithDialect (root-keyword)"},
		{"property-name", "all gemini", input(`{"type":"object","properties":{"a.b":{"type":"string"}}}`),
			`the name of "a.b" does not match ^[A-Za-z_][A-Za-z0-9_]{0,63}$: not accepted by P; give the field another JSON name, or serve these clients on a path of their own with runtime.WithDialect (property-name)`},
		{"property-name", "claude bedrock", input(`{"type":"object","properties":{"a[]":{"type":"string"}}}`),
			`the name of "a[]" does not match ^[A-Za-z0-9_.-]{1,64}$: not accepted by P; give the field another JSON name, or serve these clients on a path of their own with runtime.WithDialect (property-name)`},
		{"property-count", "all openai-strict", input(`{"type":"object","properties":{` + strings.Join(many, ",") + `}}`),
			"the input has 5001 properties, more than 5000: not accepted by P; split the capability, or give it fewer fields (property-count)"},
		{"required", "openai-strict", input(`{"type":"object","properties":{"p":{"type":"object","properties":{"q":{"type":"string"}}}},"required":["p"]}`),
			`"q" is optional: not accepted by P; drop omitempty, omitzero or default, or serve these clients on a path of their own with runtime.WithDialect (required)`},
		{"closed", "openai-strict", input(object(`{"type":"object","additionalProperties":{"type":"string"}}`)),
			`"p" takes members of any name: not accepted by P; declare a struct in place of a map, and no additionalProperties (closed)`},
		{"type-missing", "all gemini openai-strict", input(object(`{"type":"array","items":{}}`)),
			`an element of "p" can be of any type: not accepted by P; declare the field with a type of its own (type-missing)`},
		{"type-array", "all gemini cursor", input(object(`{"type":["string","null"]}`)),
			`"p" has the types string and null: not accepted by P; make it optional instead of nullable, with omitempty, or serve these clients on a path of their own with runtime.WithDialect (type-array)`},
		{"nullable-union", "all gemini", input(object(`{"anyOf":[{"type":"string"},{"type":"null"}]}`)),
			`"p" takes null beside other values: not accepted by P; make it optional instead of nullable, with omitempty, or serve these clients on a path of their own with runtime.WithDialect (nullable-union)`},
		{"array-items", "all openai openai-strict gemini vscode", input(object(`{"type":"array"}`)),
			`"p" does not say what its elements are: not accepted by P; say in the schema what the elements are (array-items)`},
		{"enum-type", "all gemini", input(object(`{"type":"integer","enum":[1,2]}`)),
			`"p" has the value 1, which is no string, in its enum: not accepted by P; give the type string constants, or serve these clients on a path of their own with runtime.WithDialect (enum-type)`},
		{"enum-empty", "all gemini", input(object(`{"type":"string","enum":["a",""]}`)),
			`"p" has the value "" in its enum: not accepted by P; leave the value out and make the field optional, with omitempty (enum-empty)`},
		{"enum-count", "all openai-strict", input(object(enum)),
			"the enums of the input have 1001 values, more than 1000: not accepted by P; take a text and check it in the handler (enum-count)"},
		{"enum-length", "all openai-strict", input(object(enum)),
			`the 1001 values of the enum of "p" have 60060 characters together, more than 15000: not accepted by P; take a text and check it in the handler (enum-length)`},
		{"ref", "all claude openai gemini bedrock cursor vscode", input(`{"type":"object","properties":{"p":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"object","properties":{"t":{"$ref":"#/$defs/T"}}}}}`),
			`the type of "p" refers to itself: not accepted by P; a type that refers to itself has no other schema: nest types of their own as deep as is needed (ref)`},
		{"ref", "all claude openai gemini bedrock cursor vscode", input(`{"type":"object","properties":{"p":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"string"}}}`),
			`the type of "p" is written once and referred to: not accepted by P; make the input smaller, or serve these clients on a path of their own with runtime.WithDialect (ref)`},
		{"depth", "all gemini", input(object(deep)),
			`an element of an element of an element of an element of "p" lies 6 objects and arrays deep, more than 5: not accepted by P; flatten the input (depth)`},
		{"depth", "all openai-strict", input(object(deep)),
			`an element of an element of an element of an element of an element of an element of an element of an element of an element of "p" lies 11 objects and arrays deep, more than 10: not accepted by P; flatten the input (depth)`},
		{"text-length", "all openai-strict", input(`{"type":"object","properties":{` + strings.Join(many, ",") + `}}`),
			"the names and values of the input have 155031 characters, more than 120000: not accepted by P; split the capability, or give it fewer fields (text-length)"},
		{"keyword", "gemini openai-strict", input(object(`{"type":"array","items":{"type":"string"},"uniqueItems":true}`)),
			`"p" has the keyword uniqueItems: not accepted by P; leave it out and say it in the comment, or serve these clients on a path of their own with runtime.WithDialect (keyword)`},
		{"keyword", "openai-strict", input(object(`{"type":"string","default":"a"}`)),
			`"p" has the keyword default: not accepted by P; leave it out and say it in the comment, or serve these clients on a path of their own with runtime.WithDialect (keyword)`},
		{"keyword", "gemini vscode", input(plain),
			`the input has the keyword $schema: not accepted by P; serve these clients on a path of their own with runtime.WithDialect (keyword)`},
		{"format", "gemini", input(object(`{"type":"string","format":"email"}`)),
			`"p" has the format email: not accepted by P; leave it out and say it in the comment, or serve these clients on a path of their own with runtime.WithDialect (format)`},
		{"format", "gemini openai-strict", input(object(`{"type":"string","format":"uri"}`)),
			`"p" has the format uri: not accepted by P; leave it out and say it in the comment, or serve these clients on a path of their own with runtime.WithDialect (format)`},
	} {
		for _, profile := range mcptool.Profiles() {
			asked := slices.Contains(strings.Fields(test.profiles), string(profile))
			var got []string
			for _, f := range mcptool.Check(test.tool, profile, mcptool.Options{}) {
				if f.Rule.ID == test.rule {
					got = append(got, clients.ReplaceAllString(f.Message(), "not accepted by P;"))
				}
			}
			if found := slices.Contains(got, test.want); found != asked {
				t.Errorf("%s under %s: got %q, want %q: %v", test.rule, profile, got, test.want, asked)
			}
		}
	}
}

// clients is the part of a message that tells who they are.
var clients = regexp.MustCompile(`not accepted by [^;]+;`)

func input(schema string) mcptool.Tool {
	return mcptool.Tool{Name: "n", Description: "d", Input: []byte(schema)}
}

// A finding of several rows is told once, with all who refuse it.
func TestProfilesOfFinding(t *testing.T) {
	for profile, want := range map[mcptool.Profile]string{
		mcptool.All:    `"p" has the types string and null: not accepted by gemini and cursor; `,
		mcptool.Cursor: `"p" has the types string and null: not accepted by cursor; `,
	} {
		findings := mcptool.Check(input(object(`{"type":["string","null"]}`)), profile, mcptool.Options{})
		if len(findings) != 1 || !strings.HasPrefix(findings[0].Message(), want) {
			t.Errorf("%s: got %v", profile, findings)
		}
	}
	findings := mcptool.Check(mcptool.Tool{Name: "n", Description: strings.Repeat("d", 3000), Input: []byte(object(`{"type":"string"}`))}, mcptool.All, mcptool.Options{})
	const want = "the description has 3000 characters, more than 1024: not accepted by openai, openai-strict and claude; "
	if len(findings) != 1 || !strings.HasPrefix(findings[0].Message(), want) {
		t.Errorf("got %v", findings)
	}
}

func TestCheckCount(t *testing.T) {
	finding, past := mcptool.CheckCount(41, mcptool.All)
	if finding == nil || past != 40 {
		t.Fatalf("got %v, %d", finding, past)
	}
	const want = "there are 41 tools, more than 40: not accepted by cursor; serve fewer, or split the server (tool-count)"
	if got := finding.Message(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if finding, _ := mcptool.CheckCount(128, mcptool.VSCode); finding != nil {
		t.Errorf("got %q", finding.Message())
	}
}

// A row without a source, a date or a remedy cannot be reviewed, and the first row of an ID is the strictest.
func TestTable(t *testing.T) {
	limits := map[string]int{}
	for _, r := range mcptool.Rules() {
		if r.ID == "" || len(r.Profiles) == 0 || r.Says == "" || r.Fix == "" || !strings.HasPrefix(r.Source, "https://") || len(r.Checked) != len("2026-12-01") {
			t.Errorf("incomplete: %+v", r)
		}
		if !r.Default && !strings.Contains(r.Note, "Not in the default") {
			t.Errorf("%s for %v: the note does not say why it is not in the default", r.ID, r.Profiles)
		}
		if last, twice := limits[r.ID]; twice && r.Limit < last {
			t.Errorf("%s: the limit %d comes after %d", r.ID, r.Limit, last)
		}
		limits[r.ID] = r.Limit
		for _, p := range r.Profiles {
			if p == mcptool.All || !slices.Contains(mcptool.Profiles(), p) {
				t.Errorf("%s: %q is no family of clients", r.ID, p)
			}
		}
	}
}

func TestParseProfile(t *testing.T) {
	const list = "the profiles are all, claude, openai, openai-strict, gemini, bedrock, cursor and vscode"
	for name, hint := range map[string]string{
		"gemeni": "did you mean gemini? ", "vsc": "did you mean vscode? ", "openai_strict": "did you mean openai-strict? ", "Cursor": "did you mean cursor? ",
		"": "", "zed": "",
	} {
		_, err := mcptool.ParseProfile(name)
		if want := fmt.Sprintf("there is no profile %q: %s%s", name, hint, list); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for _, p := range mcptool.Profiles() {
		if got, err := mcptool.ParseProfile(string(p)); got != p || err != nil {
			t.Errorf("%s: got %s, %v", p, got, err)
		}
	}
}
