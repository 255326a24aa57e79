package fidelity

import (
	"cmp"
	_ "embed"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

//go:embed testdata/driver/driver.go
var driverSource []byte

// repository returns the folder of this module, two above the one that tests run in.
func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// newModule makes an empty module that uses this one, with its dependencies.
func newModule(t *testing.T, name string) (dir string) {
	t.Helper()
	root := repository(t)
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	own := fmt.Sprintf("module %s\n\ngo 1.26.0\n\nrequire github.com/capgen/capgen v0.0.0\n\nreplace github.com/capgen/capgen => %s\n", name, root)
	for _, block := range strings.SplitAfter(string(mod), "\n)\n") {
		if _, requires, ok := strings.Cut(block, "require (\n"); ok {
			own += "\nrequire (\n" + requires
		}
	}
	dir = t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), own)
	write(t, filepath.Join(dir, "go.sum"), string(sum))
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// sourcesOf returns a case's files, with its constraints, by their names.
func sourcesOf(t *testing.T, c *testCase) map[string]string {
	t.Helper()
	sources := map[string]string{}
	archive := txtar.Parse([]byte(c.Go))
	for _, f := range archive.Files {
		sources[f.Name] = string(f.Data)
	}
	if len(archive.Files) == 0 {
		sources["root.go"] = c.Go
	}
	declarations, err := constrain(sources, c)
	if err != nil {
		t.Fatalf("%s: %v", c.ID, err)
	}
	sources["fidelity_declarations.go"] = "package " + packageName(t, sources) + "\n\n" +
		"import \"github.com/capgen/capgen/capabilities\"\n" + declarations + declare(c)
	return sources
}

// writeCase writes a case's package into a module, with declarations around the type.
func writeCase(t *testing.T, module string, c *testCase) {
	t.Helper()
	sources := sourcesOf(t, c)
	for name, text := range sources {
		write(t, filepath.Join(module, c.ID, filepath.FromSlash(name)), text)
	}
	if c.Error == "" {
		write(t, filepath.Join(module, c.ID, "fidelity_driver.go"), driverOf(c, packageName(t, sources)))
	}
}

// packageName returns the name of the package at the top of a case.
func packageName(t *testing.T, sources map[string]string) string {
	t.Helper()
	for _, name := range sortedKeys(sources) {
		if path.Dir(name) == "." {
			file, err := parser.ParseFile(token.NewFileSet(), name, sources[name], parser.PackageClauseOnly)
			if err != nil {
				t.Fatal(err)
			}
			return file.Name.Name
		}
	}
	t.Fatal("no file at the top")
	return ""
}

// declare makes capabilities of the case's type: the value is a field of an input, and a result.
func declare(c *testCase) string {
	text := ""
	if c.input() {
		text += fmt.Sprintf(`
// FidelityIn takes the value.
//
//capgen:capability fidelity:%s.in@1 risk=read access=public
type FidelityIn struct {
	capabilities.Returns[capabilities.Nothing]

	Value %s %s
}
`, c.ID, c.Type, "`json:\"value\"`")
	}
	if c.output() {
		text += fmt.Sprintf(`
// FidelityOut returns the value.
//
//capgen:capability fidelity:%s.out@1 risk=read access=public
type FidelityOut struct {
	capabilities.Returns[%s]
}
`, c.ID, c.Type)
	}
	return text
}

// driverOf writes what the driver needs of the package. The case's expressions name what only the package itself can.
func driverOf(c *testCase, packageName string) string {
	var body strings.Builder
	if c.input() {
		body.WriteString("\t\tDecode: func(text []byte) (any, error) {\n\t\t\tin, err := FidelityIn{}.Capability().Decode(text)\n\t\t\treturn in.Value, err\n\t\t},\n")
	}
	if c.output() {
		fmt.Fprintf(&body, "\t\tEncode: func(value any) ([]byte, error) { return FidelityOut{}.Capability().Encode(value.(%s)) },\n", c.Type)
	}
	var expressions []string
	for _, v := range c.Values {
		if c.output() {
			expressions = append(expressions, v.Expr)
		}
	}
	functions(&body, "Values", c.Type, expressions)
	expressions = nil
	for _, d := range c.Decodes {
		expressions = append(expressions, d.Expr)
	}
	functions(&body, "Wants", c.Type, expressions)

	imports := "\t\"fid.test/fidelitydriver\"\n"
	for _, imported := range c.ValueImports {
		if strings.Contains(body.String(), path.Base(imported)+".") {
			imports += "\t\"" + imported + "\"\n"
		}
	}
	return "package " + packageName + "\n\nimport (\n" + imports + ")\n\n" +
		"func FidelityCase() driver.Case {\n\treturn driver.Case{\n" + body.String() + "\t}\n}\n"
}

func functions(b *strings.Builder, field, typeName string, expressions []string) {
	if len(expressions) == 0 {
		return
	}
	fmt.Fprintf(b, "\t\t%s: []func() any{\n", field)
	for _, e := range expressions {
		if strings.HasPrefix(e, "&") {
			e = "*(" + e + ")"
		}
		fmt.Fprintf(b, "\t\t\tfunc() any { var value %s = %s; return value },\n", typeName, e)
	}
	b.WriteString("\t\t},\n")
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
