package compattest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Encode writes a value as JSON.
func Encode(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Validator compiles a schema as a whole, which is what verdicts are held against.
func Validator(t testing.TB, text string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	if err := c.AddResource("test:///schema", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("test:///schema")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return compiled
}
