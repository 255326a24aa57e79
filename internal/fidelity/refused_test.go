package fidelity

import (
	"context"
	"errors"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capgen/capgen/gen"
)

var update = flag.Bool("update", false, "rewrite what is expected")

// faults name the field of each declaration that is refused.
var faults = map[string]string{
	"embed-unexported-ptr-input":        "Root.*shared",
	"text-value-out-pointer-in-missing": "Root.S",
	"marshaljson-without-schema":        "Root.Price",
	"unmarshaljson-only":                "Root.F",
	"marshaljson-beats-text":            "Root.B",
	"map-float-key":                     "Root.M",
	"map-any-key":                       "Root.M",
	"nonempty-interface-input":          "Root.S",
	"chan-field":                        "Root.C",
	"func-field-nested":                 "Inner.F",
	"pattern-lookahead-refused":         "Root.S",
	"pattern-re2-only-syntax":           "Root.S",
	"default-must-validate":             "Root.N",
	"constraint-on-wrong-kind":          "Root.N",
	"type-error-in-package":             "Root.N",
}

// within reports whether a finding's position lies on a field, its tag included.
func within(t *testing.T, module, finding, fault string) bool {
	t.Helper()
	parts := strings.SplitN(finding, ":", 4)
	if len(parts) != 4 {
		return false
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, filepath.Join(module, filepath.FromSlash(parts[0])), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	typeName, fieldName, _ := strings.Cut(fault, ".")
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != typeName {
			return true
		}
		for _, field := range spec.Type.(*ast.StructType).Fields.List {
			name := types.ExprString(field.Type)
			if len(field.Names) > 0 {
				name = field.Names[0].Name
			}
			start, end := files.Position(field.Pos()), files.Position(field.End())
			column, err := strconv.Atoi(parts[2])
			found = found || name == fieldName && err == nil && parts[1] == strconv.Itoa(start.Line) && start.Column <= column && column < end.Column
		}
		return false
	})
	return found
}

// TestRefused holds the declarations that must be refused to the exact position and text of what is said.
func TestRefused(t *testing.T) {
	t.Parallel()
	const golden = "testdata/refused.golden"
	var got strings.Builder
	module := newModule(t, "fid.test")
	for _, c := range readCases(t) {
		if c.Error == "" {
			continue
		}
		writeCase(t, module, c)
		_, err := gen.Generate(context.Background(), gen.Config{Dir: module, Patterns: []string{"./" + c.ID}, NoDescriptions: true})
		var found *gen.Errors
		if !errors.As(err, &found) {
			t.Errorf("%s is not refused (%v), want: %s", c.ID, err, c.Error)
			continue
		}
		for _, line := range found.Lines {
			if !within(t, module, line, faults[c.ID]) {
				t.Errorf("%s: not at the fault, %s: %s", c.ID, faults[c.ID], line)
			}
			got.WriteString(line + "\n")
		}
	}
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Error(diff)
	}
}
