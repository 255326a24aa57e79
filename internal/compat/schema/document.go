// Package schema reads JSON Schemas, draft 2020-12, for comparison: references followed, the forms that capgen writes taken apart, and
// everything else kept so that it can at least be seen to be the same.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Document is one schema with all that it refers to. It is not safe for concurrent use.
type Document struct {
	value any
	// base is where the document lies in its file, as a JSON pointer.
	base string
	// resources says that parts of the document have names of their own, so that references may lead elsewhere than they seem to.
	resources bool
	compiler  *jsonschema.Compiler
	compiled  map[string]*jsonschema.Schema
	nodes     map[string]*Node
}

// Parse reads a schema. Base is where it lies in its file, as a JSON pointer, and is what the pointers of nodes begin with. The error is
// that of a text that is no JSON or no schema.
func Parse(text []byte, base string) (*Document, error) {
	d := &Document{base: base, compiler: jsonschema.NewCompiler(), compiled: map[string]*jsonschema.Schema{}, nodes: map[string]*Node{}}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&d.value); err != nil {
		return nil, fmt.Errorf("it is no JSON: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the schema")
	}
	if anywhere(d.value, isHuge) {
		return nil, fmt.Errorf("it holds a number whose exponent has more than %d digits", maxExponent)
	}
	if members, ok := d.value.(map[string]any); ok {
		if dialect, said := members["$schema"]; said && dialect != draft {
			return nil, fmt.Errorf("it is of the dialect %v, and schemas of %s are compared", dialect, draft)
		}
		d.resources = anywhere(d.value, isNamed)
	}
	d.compiler.Draft = jsonschema.Draft2020
	d.compiler.LoadURL = func(url string) (io.ReadCloser, error) { return nil, fmt.Errorf("%s is not part of the schema", url) }
	if err := d.compiler.AddResource(location, bytes.NewReader(text)); err != nil {
		return nil, firstLine(err)
	}
	_, err := d.compile("")
	return d, err
}

// draft is the dialect that contracts are written in.
const draft = "https://json-schema.org/draft/2020-12/schema"

// isNamed reports whether a value may be a schema that has a name which references can use.
func isNamed(value any) bool {
	members, _ := value.(map[string]any)
	return slices.ContainsFunc([]string{"$id", "$anchor", "$dynamicAnchor"}, func(name string) bool { _, is := members[name].(string); return is })
}

// maxExponent is how many digits the exponent of a number may have, which would be computed.
const maxExponent = 4

func isHuge(value any) bool {
	number, _ := value.(json.Number)
	i := strings.IndexAny(number.String(), "eE")
	return i >= 0 && len(strings.TrimLeft(number.String()[i+1:], "+-0")) > maxExponent
}

// anywhere reports whether something holds for a value or for one that is in it.
func anywhere(value any, holds func(any) bool) bool {
	if holds(value) {
		return true
	}
	below := func(v any) bool { return anywhere(v, holds) }
	switch v := value.(type) {
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), below)
	case []any:
		return slices.ContainsFunc(v, below)
	}
	return false
}

// must is Parse for a schema of this program's own.
func must(text string) *Node {
	d, err := Parse([]byte(text), "")
	if err != nil {
		panic(err)
	}
	return d.Root()
}

// location is the name under which the validator knows the document.
const location = "capgen:///schema"

// compile returns the validator of the schema at a pointer into the document.
func (d *Document) compile(pointer string) (*jsonschema.Schema, error) {
	if known, ok := d.compiled[pointer]; ok {
		return known, nil
	}
	at := location
	if pointer != "" {
		segments := strings.Split(pointer, "/")
		for i, segment := range segments {
			segments[i] = url.PathEscape(segment)
		}
		at += "#" + strings.Join(segments, "/")
	}
	compiled, err := d.compiler.Compile(at)
	if err != nil {
		return nil, firstLine(err)
	}
	d.compiled[pointer] = compiled
	return compiled, nil
}

func firstLine(err error) error {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(strings.ReplaceAll(line, location, "the schema"))
}

// Root returns the schema itself.
func (d *Document) Root() *Node { return d.node("", d.value) }

// find returns the value that a pointer into the document leads to.
func (d *Document) find(pointer string) (any, bool) {
	value := d.value
	if pointer == "" {
		return value, true
	}
	if !strings.HasPrefix(pointer, "/") {
		return nil, false
	}
	for segment := range strings.SplitSeq(pointer[1:], "/") {
		segment = strings.NewReplacer("~1", "/", "~0", "~").Replace(segment)
		switch v := value.(type) {
		case map[string]any:
			below, ok := v[segment]
			if !ok {
				return nil, false
			}
			value = below
		case []any:
			i, err := strconv.Atoi(segment)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			value = v[i]
		default:
			return nil, false
		}
	}
	return value, true
}

// Escape writes a name as a segment of a JSON pointer.
func Escape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
