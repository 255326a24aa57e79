package directive

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the reference into package capabilities")

const docFile = "../../../capabilities/doc.go"

// TestReference checks that the documentation of package capabilities holds every directive, key and keyword as the table says, and no
// others: its two sections are what the table renders to.
func TestReference(t *testing.T) {
	doc, err := os.ReadFile(docFile)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found1 := bytes.Cut(doc, []byte("// # Directives\n"))
	_, tail, found2 := bytes.Cut(rest, []byte("// # Values\n"))
	if !found1 || !found2 {
		t.Fatalf("%s has lost the headings Directives and Values", docFile)
	}
	want := string(head) + commented(reference()) + "// # Values\n" + string(tail)
	if string(doc) == want {
		return
	}
	if !*update {
		t.Fatalf("%s does not say what the table says: run go test ./gen/internal/directive -run Reference -update", docFile)
	}
	if err := os.WriteFile(docFile, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestReferenceValues checks that the rules of values are told there as in the help.
func TestReferenceValues(t *testing.T) {
	doc, err := os.ReadFile(docFile)
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(strings.ReplaceAll(string(doc), "\n// ", "\n")), " ")
	if !strings.Contains(words, ValueRules) {
		t.Errorf("%s does not hold ValueRules", docFile)
	}
}

// reference renders the table as Go documentation.
func reference() string {
	var b strings.Builder
	b.WriteString("# Directives\n\n")
	for _, spec := range Table {
		fmt.Fprintf(&b, "On %s:\n\n\t%s\n\n", spec.Place, spec)
		wrap(&b, "", spec.Doc)
		b.WriteString("\n")
		items := 0
		for _, key := range spec.Keys {
			if !key.Keyword {
				required := ""
				if key.Required {
					required = " (required)"
				}
				item(&b, key.String()+required+": "+key.Doc)
				items++
			}
		}
		if items > 0 {
			b.WriteString("\n")
		}
	}
	b.WriteString("# Keywords\n\n")
	wrap(&b, "", "A keyword is the key of a struct tag, or an argument of //capgen:schema.")
	b.WriteString("\n")
	for _, k := range Keywords {
		item(&b, fmt.Sprintf("%s (on %s; %s): %s", k.Name, k.kinds(), k.Value, k.Doc))
	}
	b.WriteString("\n")
	return b.String()
}

func item(b *strings.Builder, text string) {
	var lines strings.Builder
	wrap(&lines, "    ", text)
	b.WriteString("  - " + strings.TrimPrefix(lines.String(), "    "))
}

func commented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line == "\n" || strings.HasPrefix(line, "\t") {
			b.WriteString("//" + line)
		} else {
			b.WriteString("// " + line)
		}
	}
	return b.String()
}
