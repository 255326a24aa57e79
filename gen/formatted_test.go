package gen_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/capgen/capgen/gen"
)

// A run that takes over what the last one formatted writes what one without a record writes: after an edit, and after an edit of the output.
func TestFormattedParts(t *testing.T) {
	var types strings.Builder
	types.WriteString("// Large has many types.\ntype Large struct {\n")
	for i := range 120 {
		types.WriteString("\tF" + number(i) + " T" + number(i) + " `json:\"f" + number(i) + "\"`\n")
	}
	types.WriteString("}\n")
	for i := range 120 {
		types.WriteString("// T" + number(i) + " is one.\ntype T" + number(i) + " struct {\n\tA string `json:\"a\" minLength:\"1\"`\n\tB []int `json:\"b\"`\n}\n")
	}
	dir := sizeModule(t, "Large", types.String())
	output := filepath.Join(dir, "capgen_gen.go")
	source := filepath.Join(dir, "app.go")
	original, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	cached := gen.Config{Dir: dir, NoDescriptions: true, Cache: t.TempDir()}
	apply := func(config gen.Config) []byte {
		t.Helper()
		plan, err := gen.Generate(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		if err := plan.Apply(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(output)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	compare := func(what string) {
		t.Helper()
		got := apply(cached)
		if want := apply(gen.Config{Dir: dir, NoDescriptions: true}); !bytes.Equal(got, want) {
			t.Errorf("%s: the output differs", what)
		}
	}
	apply(cached)
	for what, edit := range map[string]func() error{
		"an edit": func() error {
			return os.WriteFile(source, bytes.Replace(original, []byte(`minLength:"1"`), []byte(`minLength:"2"`), 1), 0o666)
		},
		"an edit of the output": func() error {
			text, err := os.ReadFile(output)
			if err != nil {
				return err
			}
			return os.WriteFile(output, bytes.Replace(text, []byte("func read"), []byte("func raed"), 1), 0o666)
		},
	} {
		if err := edit(); err != nil {
			t.Fatal(err)
		}
		compare(what)
	}
}

func number(i int) string { return string(rune('A'+i/26)) + string(rune('a'+i%26)) }
