package directive

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/capgen/capgen/gen/internal/diag"
)

// FuzzArguments holds the scanner to this: it does not panic, every position lies in the text and shows what it should, and
// arguments written out again read the same.
func FuzzArguments(f *testing.F) {
	for _, text := range []string{
		"", "a:b@1 risk=read  access=public idempotent", "k=", "=", "k=\"a b\\\"\\n\" x", "k=`a\\b` y", "k='a'", "k=\"", "\"a b\" c", "a\"b=c", "k=a=b",
		"k=\"a\"b", "k=\"\\xff\"", "k=\xff \u00a0\u2003x", "k=`a\rb`", "k=\"\xff\"", "k=\"\\u00e9é\"",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const base = token.Pos(100)
		inside := func(pos token.Pos) {
			if pos < base || pos > base+token.Pos(len(text)) {
				t.Fatalf("position %d is outside %q", pos-base, text)
			}
		}
		faults := 0
		args := splitArgs(text, base, func(at token.Pos, _ string) { inside(at); faults++ })
		if faults == 0 && len(args) == 0 && strings.TrimSpace(text) != "" {
			t.Fatalf("%q has neither arguments nor faults", text)
		}
		var again []string
		for _, arg := range args {
			inside(arg.Pos)
			inside(arg.ValuePos)
			for i := range len(arg.Value) + 1 {
				if arg.Key != "" {
					inside(arg.at(i))
				}
			}
			if !strings.HasPrefix(text[arg.Pos-base:], arg.Raw) || !strings.HasPrefix(arg.Raw, arg.Key) {
				t.Fatalf("%q at %d is not in %q", arg.Raw, arg.Pos-base, text)
			}
			again = append(again, arg.String())
		}
		rendered := strings.Join(again, " ")
		reread := splitArgs(rendered, base, func(_ token.Pos, message string) { t.Fatalf("%q written as %q: %s", text, rendered, message) })
		if !reflect.DeepEqual(meaning(args), meaning(reread)) {
			t.Fatalf("%q reads as %v, written as %q it reads as %v", text, meaning(args), rendered, meaning(reread))
		}
	})
}

// meaning is arguments without their positions.
func meaning(args []Arg) []Arg {
	bare := make([]Arg, len(args))
	for i, arg := range args {
		bare[i] = Arg{Key: arg.Key, Value: arg.Value, HasValue: arg.HasValue}
	}
	return bare
}

// FuzzTag compares the pairs of a tag with reflect's, and holds each position to the literal.
func FuzzTag(f *testing.F) {
	for _, tag := range []string{`json:"a" minLength:"1"`, `json:"a`, `a:"b"c:"\x41"`, "a:\"b\"\tc:\"d\"", `a b:"c"`, `é:"é"`, `:"a"`, "a:\"\xff\""} {
		f.Add(tag)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		for _, literal := range []string{strconv.Quote(tag), "`" + tag + "`"} {
			unquoted, err := strconv.Unquote(literal)
			if err != nil {
				continue
			}
			lit := &ast.BasicLit{Kind: token.STRING, ValuePos: 100, Value: literal}
			at := func(pos token.Pos) token.Position { return token.Position{Column: int(pos)} }
			var report diag.List
			seen := map[string]bool{}
			for _, pair := range ParseTag(lit, at, &report) {
				value, ok := reflect.StructTag(unquoted).Lookup(pair.Key)
				if first := !seen[pair.Key]; !ok || first && value != pair.Value {
					t.Fatalf("%s has %q as %q, reflect as %q", literal, pair.Key, pair.Value, value)
				}
				seen[pair.Key] = true
				if pair.Pos <= 100 || pair.ValuePos <= pair.Pos || int(pair.ValuePos) >= 100+len(literal) {
					t.Fatalf("%s has %q at %d and %d", literal, pair.Key, pair.Pos, pair.ValuePos)
				}
			}
			for _, found := range report.All() {
				if c := found.Position.Column; c <= 100 || c >= 100+len(literal) {
					t.Fatalf("%s: %s at %d", literal, found.Message, c)
				}
			}
		}
	})
}

// FuzzScan puts any comment before a type: what is found and what is reported lies in that line.
func FuzzScan(f *testing.F) {
	for _, comment := range []string{
		"//capgen:capability a:b@1 risk=read access=public", "// capgen:schema x", "//Capgen: title", "//capgen:schema pattern=`a", "/*capgen:title x*/",
		"//capgen:names handlers=\"\\x\"", "//capgem:title", "//capgen:\u00a0x", "//capgen:deprecated \xff",
	} {
		f.Add(comment)
	}
	f.Fuzz(func(t *testing.T, comment string) {
		if strings.ContainsAny(comment, "\r\n") || !strings.HasPrefix(comment, "//") && !strings.HasPrefix(comment, "/*") {
			return
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "a.go", "package p\n\n"+comment+"\ntype A struct{}\n", parser.ParseComments)
		if err != nil || len(file.Comments) != 1 || len(file.Comments[0].List) != 1 || fset.Position(file.Comments[0].Pos()).Filename != "a.go" {
			return
		}
		var report diag.List
		found := Scan(fset, file, &report)
		inside := func(what string, at token.Position) {
			if at.Line != 3 || at.Column < 1 || at.Column > len(comment)+1 {
				t.Fatalf("%q: %s at %s", comment, what, at)
			}
		}
		for _, directives := range found.Types {
			for _, d := range directives {
				inside("the directive", fset.Position(d.Pos))
				inside("its end", fset.Position(d.End))
				for _, arg := range d.Args {
					inside(arg.Raw, fset.Position(arg.Pos))
				}
				ParseCapability(d, "", fset.Position, &report)
			}
		}
		for _, d := range report.All() {
			inside(d.Message, d.Position)
			if strings.ContainsAny(d.Message, "\r\n") {
				t.Fatalf("%q: a message of two lines: %q", comment, d.Message)
			}
		}
	})
}
