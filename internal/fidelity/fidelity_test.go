package fidelity

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/capgen/capgen/gen"
)

// wide is the case of types nested by value so that there are 2^24 ways to the innermost. Go's own type checker goes them all, about 13
// seconds in the generator and once more in the compiler, so that the case is run beside the others.
const wide = "wide-nesting-types"

// TestCases generates, builds and runs every declaration that must work.
func TestCases(t *testing.T) {
	t.Parallel()
	module := runCases(t, func(c *testCase) bool { return c.Error == "" && c.ID != wide })

	// Nothing depends on the order of a map, nor on what was generated before.
	plan, err := gen.Generate(context.Background(), gen.Config{Dir: module, Patterns: []string{"./..."}, NoDescriptions: true})
	if err != nil {
		t.Fatal(err)
	}
	if stale := plan.Stale(); len(stale) > 0 {
		t.Errorf("a second run writes %s otherwise", stale)
	}
}

// TestWideNesting is TestCases for the slow one.
func TestWideNesting(t *testing.T) {
	t.Parallel()
	runCases(t, func(c *testCase) bool { return c.ID == wide })
}

// runCases runs the chosen cases in one module, which it returns.
func runCases(t *testing.T, chosen func(*testCase) bool) (module string) {
	t.Helper()
	var cases []*testCase
	for _, c := range readCases(t) {
		if chosen(c) {
			cases = append(cases, c)
		}
	}
	module = newModule(t, "fid.test")
	write(t, filepath.Join(module, "fidelitydriver", "driver.go"), string(driverSource))
	for _, c := range cases {
		writeCase(t, module, c)
	}
	refused := generate(t, module)
	good := slices.DeleteFunc(slices.Clone(cases), func(c *testCase) bool { return refused[c.ID] != nil })
	answers := runDriver(t, module, good)
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			if lines := refused[c.ID]; lines != nil {
				t.Fatalf("is refused:\n%s", strings.Join(lines, "\n"))
			}
			a := answers[c.ID]
			if c.input() {
				s := readSchema(t, module, c, "in")
				c.checkFacts(t, s)
				c.checkInput(t, s, a)
			}
			if c.output() {
				s := readSchema(t, module, c, "out")
				c.checkFacts(t, s)
				c.checkOutput(t, s, a)
			}
		})
	}
	return module
}

// generate writes every case's output. It returns what was said of cases that are refused, and takes those out of the module.
func generate(t *testing.T, module string) map[string][]string {
	t.Helper()
	refused := map[string][]string{}
	for {
		plan, err := gen.Generate(context.Background(), gen.Config{Dir: module, Patterns: []string{"./..."}, NoDescriptions: true})
		var found *gen.Errors
		switch {
		case err == nil:
			if err := plan.Apply(); err != nil {
				t.Fatal(err)
			}
			return refused
		case !errors.As(err, &found):
			t.Fatal(err)
		}
		for _, line := range found.Lines {
			id, _, inCase := strings.Cut(line, "/")
			if !inCase || strings.Contains(id, ":") {
				t.Fatal(err)
			}
			if !strings.Contains(line, ": warning: ") {
				refused[id] = append(refused[id], line)
			}
		}
		for id := range refused {
			if err := os.RemoveAll(filepath.Join(module, id)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// answer is what the driver says of one case; see testdata/driver.
type answer struct {
	Texts, Values, Wants []result
}

type result struct {
	Text  []byte
	Error string
	Again *result
}

// runDriver builds one program of all cases and asks it about their texts.
func runDriver(t *testing.T, module string, cases []*testCase) map[string]answer {
	t.Helper()
	requests := map[string]map[string][][]byte{}
	var imports, table strings.Builder
	for i, c := range cases {
		fmt.Fprintf(&imports, "\tc%d %q\n", i, "fid.test/"+c.ID)
		fmt.Fprintf(&table, "\t\t%q: c%d.FidelityCase(),\n", c.ID, i)
		request := map[string][][]byte{}
		if c.input() {
			accept, reject := c.inputTexts()
			for _, text := range append(slices.Clone(accept), reject...) {
				request["Texts"] = append(request["Texts"], wrapped(text))
			}
			for _, d := range c.Decodes {
				request["Wants"] = append(request["Wants"], wrapped(d.JSON))
			}
		}
		requests[c.ID] = request
	}
	write(t, filepath.Join(module, "fidelitymain", "main.go"), "package main\n\nimport (\n\t\"fid.test/fidelitydriver\"\n"+imports.String()+
		")\n\nfunc main() {\n\tdriver.Run(map[string]driver.Case{\n"+table.String()+"\t})\n}\n")
	program := filepath.Join(t.TempDir(), "driver")
	// The cache knows the packages again in the next run's folder only if their paths are trimmed.
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./fidelitymain")
	build.Dir = module
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("what was generated does not build: %v\n%s", err, out)
	}
	text, err := json.Marshal(requests)
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(program)
	run.Stdin = bytes.NewReader(text)
	var stderr bytes.Buffer
	run.Stderr = &stderr
	out, err := run.Output()
	if err != nil {
		t.Fatalf("the driver failed: %v\n%s", err, &stderr)
	}
	var answers map[string]answer
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	return answers
}

// wrapped makes a text the value of the input's one field.
func wrapped(text string) []byte { return []byte(`{"value":` + text + `}`) }

// verdictOf tells what the reference validator has to say of a text, by who is to refuse it. A text that the decoder alone has to refuse
// may break the emitted schema too.
var verdictOf = map[string]string{"schema": refusedBySchema, "both": refusedBySchema, "syntax": notJSON}

// checkInput holds the decoder and the reference validator to the case's texts.
func (c *testCase) checkInput(t *testing.T, s schema, a answer) {
	accept, reject := c.inputTexts()
	for i, text := range accept {
		if a.Texts[i].Error != "" {
			t.Errorf("the decoder refuses %s: %s", text, a.Texts[i].Error)
		}
		if verdict := s.validate(wrapped(text)); verdict != accepted {
			t.Errorf("the schema refuses %s: %s", text, verdict)
		}
	}
	for i, text := range reject {
		switch err := a.Texts[len(accept)+i].Error; {
		case err == "":
			t.Errorf("the decoder accepts %s", shortened(text))
		case strings.HasPrefix(err, "panic: "):
			t.Errorf("the decoder panics on %s: %s", shortened(text), err)
		}
		verdict := s.validate(wrapped(text))
		if want, said := verdictOf[c.RejectedBy[text]]; said && verdict != want {
			t.Errorf("the validator's verdict on %s, which is to be refused by %s, is %s", shortened(text), c.RejectedBy[text], verdict)
		}
	}
	for i, d := range c.Decodes {
		if a.Wants[i].Error != "" {
			t.Errorf("%s is not decoded to %s: %s", d.JSON, d.Expr, a.Wants[i].Error)
		}
	}
}

// checkOutput holds the encoder and the output schema to the case's values and texts.
func (c *testCase) checkOutput(t *testing.T, s schema, a answer) {
	for i, v := range c.Values {
		got := a.Values[i]
		switch {
		case v.MarshalError != "":
			if got.Error == "" {
				t.Errorf("%s is encoded to %s, want an error", v.Expr, got.Text)
			}
		case got.Error != "":
			t.Errorf("%s is not encoded: %s", v.Expr, got.Error)
		case string(got.Text) != v.JSON:
			t.Errorf("%s is encoded to %s, want %s", v.Expr, got.Text, v.JSON)
		default:
			if verdict := s.validate(got.Text); verdict != accepted {
				t.Errorf("the schema refuses what is sent for %s, %s: %s", v.Expr, got.Text, verdict)
			}
		}
	}
	for i, text := range c.Accept {
		if verdict := s.validate([]byte(text)); verdict != accepted {
			t.Errorf("the output schema refuses %s: %s", text, verdict)
		}
		if !c.input() || a.Texts[i].Again == nil {
			continue
		}
		// What was decoded can be sent.
		if again := a.Texts[i].Again; again.Error != "" {
			t.Errorf("%s is decoded and not encoded again: %s", text, again.Error)
		} else if verdict := s.validate(again.Text); verdict != accepted {
			t.Errorf("%s is encoded again as %s, which the output schema refuses", text, again.Text)
		}
	}
	for _, text := range c.Reject {
		by := c.RejectedBy[text]
		if (by == "schema" || by == "both") && !slices.Contains(c.NeedsClosed, text) && s.validate([]byte(text)) == accepted {
			t.Errorf("the output schema accepts %s", text)
		}
	}
}

func shortened(text string) string {
	if len(text) > 200 {
		return text[:200] + "…"
	}
	return text
}
