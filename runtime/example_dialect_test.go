package runtime_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/mcptool"
	"github.com/capgen/capgen/runtime"
)

// Greet takes null for a name, which Gemini has no word for.
type Greet struct {
	capabilities.Returns[string]

	Name *string `json:"name"`
}

var greetCapability = capabilities.Declare[Greet, string](`{"id": "example.hall:greet@1", "tool": "greet", "description": "Greets.", "risk": "read", "access": "public",
	"input": {"type": "object", "properties": {"name": {"type": ["string", "null"]}}, "required": ["name"], "additionalProperties": false},
	"output": {"type": "string"}}`)

func (Greet) Capability() *capabilities.Capability[Greet, string] { return greetCapability }

func greet(_ context.Context, in Greet) (string, error) {
	if in.Name == nil {
		return "Hello, whoever you are.", nil
	}
	return "Hello, " + *in.Name + ".", nil
}

func ExampleWithDialect() {
	registry, err := capabilities.NewRegistry(capabilities.Handle(greet))
	if err != nil {
		fmt.Println(err)
		return
	}
	handler, err := runtime.NewHandler(registry, runtime.WithDialect("/mcp/gemini", mcptool.Gemini))
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	mux.Handle("/mcp/gemini", handler)
	server := httptest.NewServer(mux)
	defer server.Close()

	callSum(server.URL+"/mcp", "greet", map[string]any{"name": nil})
	callSum(server.URL+"/mcp/gemini", "greet", map[string]any{}) // what its clients are told to send for null
	// Output:
	// {"result":"Hello, whoever you are."}
	// {"result":"Hello, whoever you are."}
}
