package capabilities

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/capgen/capgen/capabilities/internal/reference"
)

// SupportsGeneratedContract1 is the generated code's handshake with this package: a file that was generated for contract 1 refers to
// it, so one that is too old or too new for the library fails to compile at a name that says so. Run capgen generate then.
const SupportsGeneratedContract1 = true

// Codec is the generated code that reads and writes a capability's values. A part that is nil is done by the reference validator and
// the JSON engine, exactly and slowly.
type Codec[In, Out any] struct {
	// Decode reads an input text; the result is empty exactly when the text is good.
	Decode func(text []byte, into *In) Problems
	// AppendInput and AppendOutput append a value's JSON. Their errors are those of [Capability.Encode].
	AppendInput  func(dst []byte, value *In) ([]byte, error)
	AppendOutput func(dst []byte, value *Out) ([]byte, error)
}

// Capability is what one declaration became: its definition, and the codec of its input and its result. Generated code makes
// one for each declaration; it is safe for concurrent use.
type Capability[In, Out any] struct {
	definition func() (*Definition, error)
	codec      Codec[In, Out]
	input      func() (*reference.Schema, error)
	output     func() (*reference.Schema, error)
}

// DeclareCodec returns the capability that a generated contract describes, with its generated codec. Generated code calls it. The
// contract is read at the first use, and a schema is compiled only for what the codec leaves to it.
func DeclareCodec[In Declared[In, Out], Out any](contract string, codec Codec[In, Out]) *Capability[In, Out] {
	c := &Capability[In, Out]{codec: codec}
	c.definition = sync.OnceValues(func() (*Definition, error) { return parseDefinition(contract) })
	c.input = compiled(c.definition, func(d *Definition) []byte { return d.Input })
	c.output = compiled(c.definition, func(d *Definition) []byte { return d.Output })
	return c
}

// check compiles the schemas that a codec leaves to the reference validator, so that one that is no schema is found before a call. What was
// generated is known to be one.
func (c *Capability[In, Out]) check() (err error) {
	if c.codec.Decode == nil {
		if _, err = c.input(); err != nil {
			return fmt.Errorf("the input schema: %w", err)
		}
	}
	if c.codec.AppendOutput == nil {
		if _, err = c.output(); err != nil {
			return fmt.Errorf("the output schema: %w", err)
		}
	}
	return nil
}

// Declare is DeclareCodec without generated code: the reference validator and the JSON engine do all of it. It is what generated
// codecs are held against.
func Declare[In Declared[In, Out], Out any](contract string) *Capability[In, Out] {
	return DeclareCodec(contract, Codec[In, Out]{})
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
	if c.codec.Decode == nil {
		err := c.referenceDecode(text, &in)
		return in, err
	}
	if problems := c.codec.Decode(text, &in); len(problems) > 0 {
		return in, problems
	}
	return in, nil
}

// Encode returns the result's JSON after checking it against the output schema. The error is a [Problems] when the value
// breaks the schema or is a nil pointer, and another error when the value has no JSON form at all.
func (c *Capability[In, Out]) Encode(out Out) ([]byte, error) {
	return c.append(nil, &out)
}

func (c *Capability[In, Out]) append(dst []byte, out *Out) ([]byte, error) {
	if c.codec.AppendOutput != nil {
		return c.codec.AppendOutput(dst, out)
	}
	text, err := c.referenceEncode(*out)
	if err != nil {
		return nil, err
	}
	return append(dst, text...), nil
}

// encodeInput returns an input's JSON, for a call in process.
func (c *Capability[In, Out]) encodeInput(in In) ([]byte, error) {
	if c.codec.AppendInput == nil {
		return reference.Encode(in)
	}
	return c.codec.AppendInput(nil, &in)
}

// referenceDecode is Decode by the reference validator and the JSON engine.
func (c *Capability[In, Out]) referenceDecode(text []byte, into *In) error {
	schema, err := c.input()
	if err != nil {
		return err
	}
	if found := schema.Check(text, MaxProblems); len(found) > 0 {
		return asProblems(found)
	}
	if problem := schema.Decode(text, into); problem != nil {
		return asProblems([]reference.Problem{*problem})
	}
	return nil
}

// referenceEncode is Encode by the JSON engine and the reference validator.
func (c *Capability[In, Out]) referenceEncode(out Out) ([]byte, error) {
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
