package fidelity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// schema is the schema of a case's type as it was emitted, within that of a whole input or result.
type schema struct {
	root     map[string]any
	of       any
	compiled *jsonschema.Schema
}

// readSchema reads a case's contract; direction is in or out.
func readSchema(t *testing.T, module string, c *testCase, direction string) schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(module, c.ID, "schemas", "fidelity", c.ID+"."+direction+".v1.json"))
	if err != nil {
		t.Fatal(err)
	}
	var contract struct{ Input, Output json.RawMessage }
	if err := json.Unmarshal(text, &contract); err != nil {
		t.Fatal(err)
	}
	part := contract.Input
	if direction == "out" {
		part = contract.Output
	}
	var s schema
	d := json.NewDecoder(bytes.NewReader(part))
	d.UseNumber()
	if err := d.Decode(&s.root); err != nil {
		t.Fatal(err)
	}
	s.of = s.root
	if direction == "in" {
		s.of = s.root["properties"].(map[string]any)["value"]
	}
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	if err := compiler.AddResource("capgen:///case", bytes.NewReader(part)); err != nil {
		t.Fatal(err)
	}
	if s.compiled, err = compiler.Compile("capgen:///case"); err != nil {
		t.Fatal(err)
	}
	return s
}

// The verdicts of the reference validator that are not "the schema refuses, because …".
const (
	accepted        = "accepted"
	notJSON         = "is not JSON"
	refusedBySchema = "refused"
	crashed         = "the validator crashed"
)

// validate asks the reference validator, which computes numbers of millions of digits or crashes on large exponents.
func (s schema) validate(text []byte) (verdict string) {
	defer func() {
		if p := recover(); p != nil {
			verdict = crashed
		}
	}()
	if !json.Valid(text) {
		return notJSON
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return notJSON
	}
	if s.compiled.Validate(value) != nil {
		return refusedBySchema
	}
	return accepted
}

// checkFacts holds the emitted schema to what the case says of it.
func (c *testCase) checkFacts(t *testing.T, s schema) {
	for _, f := range c.Facts {
		got, found := s.at(f.Pointer)
		switch {
		case f.Absent && found:
			t.Errorf("the schema has %s, %v, want none", f.Pointer, got)
		case !f.Absent && !found:
			t.Errorf("the schema lacks %s, want %v", f.Pointer, f.Value)
		case !f.Absent && !equal(f.Pointer, got, f.Value):
			t.Errorf("the schema's %s is %v, want %v", f.Pointer, got, f.Value)
		}
	}
}

// at follows a pointer, and every $ref on its way.
func (s schema) at(pointer string) (any, bool) {
	node := s.of
	if pointer == "/$schema" {
		node = s.root // which says so for the whole document
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		object, ok := s.resolved(node).(map[string]any)
		if !ok {
			return nil, false
		}
		if node, ok = object[token]; !ok {
			return nil, false
		}
	}
	return node, true
}

func (s schema) resolved(node any) any {
	for {
		object, _ := node.(map[string]any)
		ref, ok := object["$ref"].(string)
		if !ok {
			return node
		}
		if _, beside := object["properties"]; beside {
			return node
		}
		target := any(s.root)
		for token := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
			object, _ := target.(map[string]any)
			target = object[token]
		}
		merged := map[string]any{}
		for name, value := range target.(map[string]any) {
			merged[name] = value
		}
		for name, value := range object {
			if name != "$ref" {
				merged[name] = value
			}
		}
		node = merged
	}
}

// equal compares JSON values, numbers by value, and as sets what is one.
func equal(pointer string, got, want any) bool {
	last := pointer[strings.LastIndexByte(pointer, '/')+1:]
	if slices.Contains([]string{"type", "required", "enum"}, last) {
		return slices.Equal(setOf(got), setOf(want))
	}
	return canonical(got) == canonical(want)
}

func setOf(value any) []string {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	var set []string
	for _, item := range list {
		set = append(set, canonical(item))
	}
	slices.Sort(set)
	return slices.Compact(set)
}

func canonical(value any) string {
	switch v := value.(type) {
	case json.Number:
		n, _ := new(big.Rat).SetString(v.String())
		return n.RatString()
	case []any:
		text := "["
		for _, item := range v {
			text += canonical(item) + ","
		}
		return text + "]"
	case map[string]any:
		text := "{"
		for _, name := range sortedKeys(v) {
			text += name + ":" + canonical(v[name]) + ","
		}
		return text + "}"
	}
	return fmt.Sprintf("%T %v", value, value)
}
