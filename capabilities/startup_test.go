package capabilities_test

import (
	"context"
	"sync"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/capabilities/internal/reference"
	"github.com/capgen/capgen/examples/quickstart/zones"
	"github.com/capgen/capgen/internal/codectest/shapes"
	"github.com/capgen/capgen/internal/codectest/suite"
	"github.com/capgen/capgen/internal/fixture/tools"
	"github.com/capgen/capgen/runtime"
)

// compiled returns how many schemas are compiled while f runs. Tests of this package that compile any run one after another.
func compiled(f func()) int64 {
	before := reference.Compilations()
	f()
	return reference.Compilations() - before
}

// start builds the registry and the handler of what is bound.
func start(t *testing.T, parts ...capabilities.Part) {
	t.Helper()
	registry, err := capabilities.NewRegistry(parts...)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := runtime.NewHandler(registry)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = handler.Shutdown(context.Background()) })
}

// TestGeneratedStartsWithoutSchemas: the generator knew that its schemas are some. One that was declared for a type, and so is left to the
// validator, is compiled by the first value that it is asked about.
func TestGeneratedStartsWithoutSchemas(t *testing.T) {
	unprotected := capabilities.NoResource()
	parts := []capabilities.Part{
		zones.Bind(struct{ zones.Handlers }{}, unprotected), tools.Bind(struct{ tools.Handlers }{}, unprotected),
		shapes.Bind(struct{ shapes.Handlers }{}, unprotected), suite.Bind(struct{ suite.Handlers }{}, unprotected),
	}
	if n := compiled(func() { start(t, parts...) }); n != 0 {
		t.Errorf("%d schemas were compiled", n)
	}
	ask := func() { _, _ = shapes.CallDeclared{}.Capability().Decode([]byte(`{"body": {"level": "INFO"}}`)) }
	first, again := compiled(ask), compiled(ask)
	if first > 1 || again != 0 {
		t.Errorf("a declared schema was compiled %d times, and %d times more", first, again)
	}
}

// once is a declaration without generated code.
type once struct {
	capabilities.Returns[capabilities.Nothing]
}

var handWritten *capabilities.Capability[once, capabilities.Nothing]

func (once) Capability() *capabilities.Capability[once, capabilities.Nothing] { return handWritten }

// TestSchemasAreCompiledOnce: without generated code both schemas of a capability are needed, by the registry first.
func TestSchemasAreCompiledOnce(t *testing.T) {
	handWritten = capabilities.Declare[once, capabilities.Nothing](named("test:once@1", "once"))
	bound := capabilities.Do(func(context.Context, once) error { return nil })
	if n := compiled(func() { start(t, bound) }); n != 2 {
		t.Errorf("%d schemas were compiled, of 2", n)
	}
	n := compiled(func() {
		start(t, bound)
		var calls sync.WaitGroup
		for range 8 {
			calls.Go(func() {
				if _, failure := bound.Invoke(t.Context(), []byte(`{}`), capabilities.Limits{}); failure != nil {
					t.Error(failure)
				}
			})
		}
		calls.Wait()
	})
	if n != 0 {
		t.Errorf("%d schemas were compiled again", n)
	}
}
