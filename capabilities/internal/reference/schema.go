// Package reference checks JSON texts with santhosh-tekuri/jsonschema/v5 and converts them with the JSON v2 engine. It is the
// exact, slow way, which every faster one must agree with.
package reference

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"sync/atomic"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Schema is a compiled JSON Schema, draft 2020-12. It is safe for concurrent use.
type Schema struct {
	compiled *jsonschema.Schema
	tree     any // the schema's own text, for the messages
	// costly: it has references and alternatives, for which the validator takes a time that grows with the third power of the nesting:
	// 12 s for 900 levels, which anybody can send in a few kilobytes, and 0.2 s for 200.
	costly bool
	// refers: it has references, by which it may be held against one value any number of times.
	refers bool
}

// maxCostlyDepth bounds the nesting of what a costly schema is asked about.
const maxCostlyDepth = 200

var (
	references   = regexp.MustCompile(`"\$(ref|dynamicRef)"\s*:`)
	alternatives = regexp.MustCompile(`"(anyOf|oneOf|not|if)"\s*:`)
)

// depthOf returns how deep a value is nested, and stops counting past the bound.
func depthOf(value any, bound int) int {
	deepest := 0
	if bound < 0 {
		return 1
	}
	switch v := value.(type) {
	case []any:
		deepest = 1
		for _, item := range v {
			deepest = max(deepest, 1+depthOf(item, bound-1))
		}
	case map[string]any:
		deepest = 1
		for _, member := range v {
			deepest = max(deepest, 1+depthOf(member, bound-1))
		}
	}
	return deepest
}

// Problem is one thing wrong with a text; see capabilities.Problem.
type Problem struct {
	Pointer string `json:"pointer"`
	Keyword string `json:"keyword"`
	Message string `json:"message"`
}

// location is the schema's address in errors. Nothing is ever fetched: a reference to elsewhere fails to compile.
const location = "capgen:///schema"

var compilations atomic.Int64

// Compilations returns how many schemas were compiled since the process began: to compile one takes longer than a thousand calls, so tests
// hold that none is compiled without need, or twice.
func Compilations() int64 { return compilations.Load() }

// Compile reads a schema. A reference out of the text is an error.
func Compile(text []byte) (*Schema, error) {
	compilations.Add(1)
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
	s := &Schema{compiled: compiled, refers: references.Match(text)}
	s.costly = s.refers && alternatives.Match(text)
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
	if s.costly && depthOf(value, maxCostlyDepth) > maxCostlyDepth {
		return []Problem{{Keyword: "syntax", Message: fmt.Sprintf("is nested more than %d levels deep, the most that its schema can be asked about", maxCostlyDepth)}}
	}
	if s.refers && isTooCostly(s.compiled, value) {
		return []Problem{{Keyword: "syntax", Message: "is nested deeper than its schema, which refers to itself in several ways, can be asked about"}}
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
