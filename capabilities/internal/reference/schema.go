// Package reference checks JSON texts with santhosh-tekuri/jsonschema/v5 and converts them with the JSON v2 engine. It is the
// exact, slow way, which every faster one must agree with.
package reference

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Schema is a compiled JSON Schema, draft 2020-12. It is safe for concurrent use.
type Schema struct {
	compiled *jsonschema.Schema
	tree     any // the schema's own text, for the messages
}

// Problem is one thing wrong with a text; see capabilities.Problem.
type Problem struct {
	Pointer string `json:"pointer"`
	Keyword string `json:"keyword"`
	Message string `json:"message"`
}

// location is the schema's address in errors. Nothing is ever fetched: a reference to elsewhere fails to compile.
const location = "capgen:///schema"

// Compile reads a schema. A reference out of the text is an error.
func Compile(text []byte) (*Schema, error) {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.LoadURL = refuse
	if err := c.AddResource(location, bytes.NewReader(text)); err != nil {
		return nil, fmt.Errorf("the schema cannot be read: %w", err)
	}
	compiled, err := c.Compile(location)
	if err != nil {
		return nil, fmt.Errorf("the schema is not valid: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	s := &Schema{compiled: compiled}
	if err := d.Decode(&s.tree); err != nil {
		return nil, fmt.Errorf("the schema cannot be read: %w", err)
	}
	return s, nil
}

// Check returns what is wrong with a text, at most limit problems, or nothing.
func (s *Schema) Check(text []byte, limit int) []Problem {
	value, problem := parse(text)
	if problem != nil {
		return []Problem{*problem}
	}
	err := s.compiled.Validate(value)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []Problem{{Keyword: "$ref", Message: "cannot be checked: the schema refers to itself without end"}}
	}
	return problemsOf(s, value, invalid, limit)
}

// Lazy returns a function that compiles a schema at its first call.
func Lazy(text []byte) func() (*Schema, error) {
	return sync.OnceValues(func() (*Schema, error) { return Compile(text) })
}
