package directive_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/capgen/capgen/gen/internal/diag"
	"github.com/capgen/capgen/gen/internal/directive"
)

// reading is everything the language says in one file.
type reading struct {
	file         directive.File
	pkg          directive.Package
	capabilities map[string]directive.Capability
	tags         map[string][]directive.Tag
	position     func(token.Pos) token.Position
	findings     []string
}

func read(t *testing.T, src string) reading {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "/src/a.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var report diag.List
	r := reading{
		file:         directive.Scan(fset, file, &report),
		capabilities: map[string]directive.Capability{},
		tags:         map[string][]directive.Tag{},
		position:     fset.Position,
	}
	r.pkg = directive.ParsePackage([]directive.File{r.file}, fset.Position, &report)
	for spec, directives := range r.file.Types {
		for _, d := range directives {
			if d.Name != "capability" {
				continue
			}
			if c, ok := directive.ParseCapability(d, r.pkg.Namespace, fset.Position, &report); ok {
				r.capabilities[spec.Name.Name] = c
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok && field.Tag != nil {
			r.tags[field.Names[0].Name] = directive.ParseTag(field.Tag, fset.Position, &report)
		}
		return true
	})
	for _, d := range report.All() {
		r.findings = append(r.findings, d.Format("/src"))
	}
	return r
}

// TestFindings holds the exact text and place of every finding. A source without a package clause gets one as its first line.
func TestFindings(t *testing.T) {
	for _, test := range slices.Concat(misplaced, nearMisses, badArguments, badValues, badTags, fine) {
		t.Run(test.name, func(t *testing.T) {
			src := test.src
			if !strings.Contains(src, "package ") {
				src = "package p\n" + src
			}
			if got := read(t, src).findings; !slices.Equal(got, test.want) {
				t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

type findingsTest struct {
	name, src string
	want      []string
}
