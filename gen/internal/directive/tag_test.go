package directive_test

import (
	"testing"
)

// field puts a tag literal on a field: the literal begins in column 8 of line 3.
func field(tag string) string { return "type A struct {\n\tF int " + tag + "\n}" }

var badTags = []findingsTest{
	{"misspelt", field("`json:\"f\" minLenght:\"1\" MinLength:\"1\" defualt:\"2\" Enum:\"a\" readonly:\"true\" enums:\"a\" titel:\"x\" db:\"f\" minlen:\"3\"`"), []string{
		"a.go:3:18: unknown keyword minLenght: did you mean minLength?",
		"a.go:3:32: unknown keyword MinLength: did you mean minLength?",
		"a.go:3:46: unknown keyword defualt: did you mean default?",
		"a.go:3:58: unknown keyword Enum: did you mean enum?",
		"a.go:3:67: unknown keyword readonly: did you mean readOnly?",
	}},
	{"no symbol", field("`unit:\"it's\"`"), []string{
		`a.go:3:15: the value of unit is a symbol of at most 32 characters, without spaces and quotes, not "it's": write one such as unit:"ms"`,
	}},
	{"twice", field("`json:\"f\" minimum:\"1\" json:\"g\" minimum:\"2\" choice:\"a\" choice:\"b\"`"), []string{
		"a.go:3:30: json is written twice in this tag: keep one",
		"a.go:3:39: minimum is written twice in this tag: keep one",
	}},
	{"values", field("`minLength:\"-1\" maximum:\"1.\" uniqueItems:\"yes\" x-mcp-header:\"a b\" maxItems:\"1e2\" maximum:\"1e99999\" minItems:\"\"`"), []string{
		`a.go:3:20: the value of minLength is a whole number from 0, not "-1": write one such as minLength:"1"`,
		`a.go:3:33: the value of maximum is a number, not "1.": write one such as maximum:"1"`,
		`a.go:3:50: the value of uniqueItems is true or false, not "yes": write one such as uniqueItems:"true"`,
		`a.go:3:69: the value of x-mcp-header is the header's name, without Mcp-Param-, not "a b": write one such as x-mcp-header:"Region"`,
		`a.go:3:84: the value of maxItems is a whole number from 0, not "1e2": write one such as maxItems:"1"`,
		`a.go:3:98: the value of maximum is a number, not "1e99999": write one such as maximum:"1"`,
		`a.go:3:117: the value of minItems is a whole number from 0, not "": write one such as minItems:"1"`,
	}},
	{"in a quoted tag", field(`"json:\"f\" minLength:\"\x78\""`), []string{
		`a.go:3:32: the value of minLength is a whole number from 0, not "x": write one such as minLength:"1"`,
	}},
	{"not quoted", field("`json:\"f\" minLength:1`"), []string{
		`a.go:3:18: the value of minLength is not quoted: reflect drops it, write minLength:"1"`,
	}},
	{"single quotes", field("`json:'f'`"), []string{`a.go:3:9: warning: the value of json is not quoted: reflect drops it, write json:"f"`}},
	{"a space before the value", field("`json: \"f\"`"), []string{
		`a.go:3:9: warning: a space after json: in a struct tag: reflect drops what follows, write json:"…"`,
	}},
	{"an equals sign", field("`json:\"f\" minLength=1`"), []string{`a.go:3:18: minLength=1 is not key:"value": reflect drops it, write minLength:"1"`}},
	{"a comma between", field("`json:\"f\",minLength:\"1\"`"), []string{
		"a.go:3:17: the pairs of a struct tag are separated by spaces: write a space in place of ,",
	}},
	{"a tab between", field("`json:\"f\"\tminLength:\"1\"`"), []string{
		"a.go:3:17: a tab or line break in a struct tag: reflect drops what follows, write a space",
	}},
	{"a line break between", field("`json:\"f\"\n\tminLength:\"1\"`"), []string{
		"a.go:3:17: a tab or line break in a struct tag: reflect drops what follows, write a space",
	}},
	{"no closing quote", field("`json:\"f\" pattern:\"^\\d$\"`"), []string{
		"a.go:3:26: the value of pattern has no closing quote, or an escape that Go does not know: reflect drops it, write \\\\ for a backslash",
	}},
	{"a bare word", field("`required`"), []string{`a.go:3:9: warning: required has no value: reflect drops it, write required:"…"`}},
	{"no key", field("`:\"x\"`"), []string{`a.go:3:9: warning: a struct tag holds key:"value" pairs: reflect drops what follows`}},
}

var fine = []findingsTest{
	{"all of it", `// Package p is one.
//
//capgen:namespace example.catalog
//capgen:names handlers=H bind="B"
package p

// A is one.
//
//capgen:title Two words, "quoted"
//capgen:deprecated use B
//capgen:capability a.b@2 risk=read scopes=a:read,b tool=a_b timeout=1m30s idempotent openworld
type A struct {
	F string ` + "`json:\"f\" pattern:\"^\\\\d\\\"$\"`" + `
	G int "json:\"g\" xml:\"g\" maximum:\"1e3\""
}

//capgen:schema pattern=` + "`^[a-z \"]+$` minLength=1 title=\"a \\\"b\\\"\" enum=a,b" + `
type B string

type (
	//capgen:capability other:c@1 risk=read access=public
	C A
)
`, nil},
}

func TestReading(t *testing.T) {
	r := read(t, fine[0].src)
	for _, test := range []struct{ what, got, want string }{
		{"namespace", r.pkg.Namespace, "example.catalog"},
		{"handlers", r.pkg.Handlers, "H"},
		{"bind", r.pkg.Bind, "B"},
		{"ID", r.capabilities["A"].ID.String(), "example.catalog:a.b@2"},
		{"full ID", r.capabilities["C"].ID.String(), "other:c@1"},
		{"timeout", r.capabilities["A"].Timeout.String(), "1m30s"},
		{"access", r.position(r.capabilities["A"].AccessPos).String(), "/src/a.go:11:44"},
		{"tool", r.position(r.capabilities["A"].ToolPos).String(), "/src/a.go:11:58"},
		{"pattern", r.tags["F"][1].Value, `^\d"$`},
		{"pattern's place", r.position(r.tags["F"][1].ValuePos).String(), "/src/a.go:13:30"},
		{"maximum", r.tags["G"][2].Value, "1e3"},
		{"maximum's place", r.position(r.tags["G"][2].Pos).String(), "/src/a.go:14:30"},
		{"its value's place", r.position(r.tags["G"][2].ValuePos).String(), "/src/a.go:14:40"},
	} {
		if test.got != test.want {
			t.Errorf("%s is %q, want %q", test.what, test.got, test.want)
		}
	}
}
