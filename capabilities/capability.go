package capabilities

import (
	"errors"
	"reflect"
	"sync"

	"github.com/capgen/capgen/capabilities/internal/reference"
)

// SupportsGeneratedContract1 is the generated code's handshake with this package: a file that was generated for contract 1 refers to
// it, so one that is too old or too new for the library fails to compile at a name that says so. Run capgen generate then.
const SupportsGeneratedContract1 = true

// Capability is what one declaration became: its definition, and the codec of its input and its result. Generated code makes
// one for each declaration; it is safe for concurrent use.
type Capability[In, Out any] struct {
	definition func() (*Definition, error)
	input      func() (*reference.Schema, error)
	output     func() (*reference.Schema, error)
}

// Declare returns the capability that a generated contract describes. Generated code calls it. The contract is read at
// the first use, and a schema is compiled when the first text is checked against it.
func Declare[In Declared[In, Out], Out any](contract string) *Capability[In, Out] {
	c := new(Capability[In, Out])
	c.definition = sync.OnceValues(func() (*Definition, error) { return parseDefinition(contract) })
	c.input = compiled(c.definition, func(d *Definition) []byte { return d.Input })
	c.output = compiled(c.definition, func(d *Definition) []byte { return d.Output })
	return c
}

func compiled(definition func() (*Definition, error), part func(*Definition) []byte) func() (*reference.Schema, error) {
	return sync.OnceValues(func() (*reference.Schema, error) {
		d, err := definition()
		if err != nil {
			return nil, err
		}
		return reference.Compile(part(d))
	})
}

// Definition returns what the capability promises. It panics when the embedded contract is not one, which only a hand edit
// of a generated file can cause; [NewRegistry] reports the same as an error.
func (c *Capability[In, Out]) Definition() *Definition {
	d, err := c.definition()
	if err != nil {
		panic(err)
	}
	return d
}

// Decode checks a JSON text against the input schema and returns the value it stands for. The error is a [Problems] when
// the text is at fault.
func (c *Capability[In, Out]) Decode(text []byte) (In, error) {
	var in In
	schema, err := c.input()
	if err != nil {
		return in, err
	}
	if found := schema.Check(text, MaxProblems); len(found) > 0 {
		return in, asProblems(found)
	}
	if problem := schema.Decode(text, &in); problem != nil {
		return in, asProblems([]reference.Problem{*problem})
	}
	return in, nil
}

// Encode returns the result's JSON after checking it against the output schema. The error is a [Problems] when the value
// breaks the schema or is a nil pointer, and another error when the value has no JSON form at all.
func (c *Capability[In, Out]) Encode(out Out) ([]byte, error) {
	schema, err := c.output()
	if err != nil {
		return nil, err
	}
	if v := reflect.ValueOf(&out).Elem(); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, Problems{{Keyword: "type", Message: "the result is nil"}}
	}
	text, err := reference.Encode(out)
	if err != nil {
		return nil, err
	}
	if found := schema.Check(text, MaxProblems); len(found) > 0 {
		return nil, asProblems(found)
	}
	return text, nil
}

func asProblems(found []reference.Problem) error {
	problems := make(Problems, len(found))
	for i, p := range found {
		problems[i] = Problem(p)
	}
	return problems
}

var errNilHandler = errors.New("the handler is nil")
