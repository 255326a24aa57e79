package gen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/gen"
	"github.com/capgen/capgen/internal/testcache"
)

// TestDeep nests 24 levels of two fields each: written out, the schema and the code would have 2^24 parts.
func TestDeep(t *testing.T) {
	var types strings.Builder
	for i := range 24 {
		fmt.Fprintf(&types, "// L%d nests.\ntype L%d struct {\n\tA *L%d `json:\"a,omitempty\"`\n\tB []L%d `json:\"b\"`\n}\n\n", i, i, i+1, i+1)
	}
	types.WriteString("// L24 ends.\ntype L24 struct {\n\tX int `json:\"x\"`\n}\n")
	dir := sizeModule(t, "L0", types.String())
	start := time.Now()
	generate(t, dir)
	t.Logf("generated in %v", time.Since(start).Round(time.Millisecond))
	for _, name := range []string{"capgen_gen.go", "schemas/size/ask.v1.json"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > 1000*24 {
			t.Errorf("%s has %d bytes, more than a thousand a level", name, info.Size())
		}
	}
	got := try(t, dir, `
	in, err := app.Ask{}.Capability().Decode([]byte("{\"value\":{\"a\":{\"b\":[{\"b\":[]}]},\"b\":[]}}"))
	fmt.Println(len(in.Value.A.B), err)
	_, err = app.Ask{}.Capability().Decode([]byte("{\"value\":{\"a\":{\"b\":[{\"b\":[{}]}]},\"b\":[]}}"))
	fmt.Println(err)
`)
	if want := "1 <nil>\n/value/a/b/0/b/0: must have the property \"b\"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestManyFields reads and writes a struct that is large enough to be taken apart.
func TestManyFields(t *testing.T) {
	dir := sizeModule(t, "Wide", wideType(600))
	generate(t, dir)
	got := try(t, dir, `
	var text strings.Builder
	for i := range 600 {
		if i%4 == 0 || i == 599 {
			fmt.Fprintf(&text, ",\"f%d\":\"%d\"", i, i)
		}
	}
	read := func(more string) (app.Ask, error) {
		return app.Ask{}.Capability().Decode([]byte("{\"value\":{" + text.String()[1:] + more + "}}"))
	}
	in, err := read(",\"f1\":7,\"f598\":true")
	out, failed := app.Ask{}.Capability().Encode(in.Value)
	fmt.Println(in.Value.F0, in.Value.F1, in.Value.F5, in.Value.F598, in.Value.F596, err, len(out), failed)
	_, err = read(",\"f1\":0,\"f598\":1,\"none\":[]")
	fmt.Println(strings.Split(err.Error(), ";")[:2])
	fmt.Println(strings.Contains(err.Error(), "has a property that is not known"))
	_, err = read(",\"f0\":\"\"")
	fmt.Println(err)
	_, err = app.Ask{}.Capability().Decode([]byte("{\"value\":{}}"))
	fmt.Println(strings.Split(err.Error(), ";")[1])
`)
	want := "0 7 5 true 596 <nil> 3514 <nil>\n[/value/f1: must be at least 1  /value/f598: must be a boolean]\ntrue\nis not JSON: an object has the same name twice\n /value: must have the property \"f4\"\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestTenThousandFields compiles what is generated for a type of 10,000 fields.
func TestTenThousandFields(t *testing.T) {
	if testing.Short() {
		t.Skip("the compiler takes most of a minute")
	}
	sizes := map[int]int64{}
	for _, fields := range []int{1000, 10000} {
		dir := sizeModule(t, "Wide", wideType(fields))
		start := time.Now()
		generate(t, dir)
		generated := time.Since(start)
		info, err := os.Stat(filepath.Join(dir, "capgen_gen.go"))
		if err != nil {
			t.Fatal(err)
		}
		sizes[fields] = info.Size()
		if fields < 10000 {
			continue
		}
		start = time.Now()
		command(t, dir, "go", "build", "-trimpath", ".")
		t.Logf("generated in %v, built in %v", generated.Round(time.Millisecond), time.Since(start).Round(time.Millisecond))
	}
	if sizes[10000] > 12*sizes[1000] {
		t.Errorf("ten times the fields have %d bytes of code in the place of %d", sizes[10000], sizes[1000])
	}
}

// wideType is a struct with fields of four kinds, every fourth of them required, and the last one.
func wideType(fields int) string {
	var text strings.Builder
	text.WriteString("// Wide is wide.\ntype Wide struct {\n")
	for i := range fields {
		switch {
		case i%4 == 0 || i == fields-1:
			fmt.Fprintf(&text, "\tF%d string `json:\"f%d\"`\n", i, i)
		case i%4 == 1:
			fmt.Fprintf(&text, "\tF%d int `json:\"f%d,omitzero\" minimum:\"1\" default:\"%d\"`\n", i, i, i)
		case i%4 == 2:
			fmt.Fprintf(&text, "\tF%d bool `json:\"f%d,omitzero\"`\n", i, i)
		default:
			fmt.Fprintf(&text, "\tF%d *[]float64 `json:\"f%d,omitempty\"`\n", i, i)
		}
	}
	text.WriteString("}\n")
	return text.String()
}

var requirements = regexp.MustCompile(`(?ms)^require \(.*?^\)\n`)

// sizeModule makes a module example.com/app with a capability whose input has a value of a type, and whose result is of it.
func sizeModule(t *testing.T, typeName, types string) string {
	t.Helper()
	testcache.DependOn(t, "..")
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "go.mod", "module example.com/app\n\ngo 1.26.0\n\nrequire github.com/capgen/capgen v0.0.0\n\nreplace github.com/capgen/capgen => "+root+"\n\n"+
		strings.Join(requirements.FindAllString(string(mod), -1), "\n"))
	write(t, dir, "go.sum", string(sum))
	write(t, dir, "app.go", fmt.Sprintf(`package app

import "github.com/capgen/capgen/capabilities"

// Ask asks.
//
//capgen:capability size:ask@1 risk=read access=public
type Ask struct {
	capabilities.Returns[%s]

	Value %s `+"`json:\"value\"`"+`
}

%s`, typeName, typeName, types))
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func generate(t *testing.T, dir string) {
	t.Helper()
	plan, err := gen.Generate(t.Context(), gen.Config{Dir: dir, NoDescriptions: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(); err != nil {
		t.Fatal(err)
	}
}

// try runs statements that use the module, and returns what they print.
func try(t *testing.T, dir, statements string) string {
	t.Helper()
	imports := "\t\"fmt\"\n"
	if strings.Contains(statements, "strings.") {
		imports += "\t\"strings\"\n"
	}
	write(t, dir, "try/main.go", "package main\n\nimport (\n"+imports+"\n\t\"example.com/app\"\n)\n\nfunc main() {"+statements+"}\n")
	return command(t, dir, "go", "run", "./try")
}

func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}
