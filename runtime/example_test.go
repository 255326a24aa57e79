package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Sum is declared in a package of the application; capgen generates its method Capability.
type Sum struct {
	capabilities.Returns[int]

	A int `json:"a"`
	B int `json:"b"`
}

var sumCapability = capabilities.Declare[Sum, int](`{"id": "example.math:sum@1", "tool": "math_sum", "risk": "read", "access": "public",
	"input": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"], "additionalProperties": false},
	"output": {"type": "integer"}}`)

func (Sum) Capability() *capabilities.Capability[Sum, int] { return sumCapability }

func sum(_ context.Context, in Sum) (int, error) {
	if in.A > 1000 {
		return 0, errors.New("the abacus is full")
	}
	return in.A + in.B, nil
}

// callSum calls the tool of that name at a URL and prints the answer's text.
func callSum(url, tool string, arguments map[string]any) {
	ctx := context.Background()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "v1"}, nil).
		Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	result, err := client.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Content[0].(*mcp.TextContent).Text)
}

func ExampleNewHandler() {
	registry, err := capabilities.NewRegistry(capabilities.Handle(sum))
	if err != nil {
		fmt.Println(err)
		return
	}
	handler, err := runtime.NewHandler(registry,
		runtime.WithInfo("abacus", "v1.2.0", runtime.InfoTitle("Abacus")),
		runtime.WithInstructions("Adds whole numbers."),
		runtime.WithDeadline(2*time.Second))
	if err != nil {
		fmt.Println(err)
		return
	}

	// A handler is mounted like any other, in a server that the application has already.
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	server := httptest.NewServer(mux)
	defer server.Close()

	callSum(server.URL+"/mcp", "math_sum", map[string]any{"a": 2, "b": 3})
	callSum(server.URL+"/mcp", "math_sum", map[string]any{"a": 2})
	// Output:
	// {"result":5}
	// The input does not match the schema.
	// the input: must have the property "b" (required)
}

func ExampleRun() {
	registry, err := capabilities.NewRegistry(capabilities.Handle(sum))
	if err != nil {
		fmt.Println(err)
		return
	}
	// A program passes the context of signal.NotifyContext, and runtime.Config{} to listen on 127.0.0.1:8053.
	ctx, stop := context.WithCancel(context.Background())
	err = runtime.Run(ctx, registry, runtime.Config{Port: runtime.FreePort}, runtime.OnListen(func(addr net.Addr) {
		go func() {
			callSum("http://"+addr.String()+"/mcp", "math_sum", map[string]any{"a": 2, "b": 3})
			stop()
		}()
	}))
	fmt.Println("stopped:", err)
	// Output:
	// {"result":5}
	// stopped: <nil>
}

func ExampleOnToolFailure() {
	registry, err := capabilities.NewRegistry(capabilities.Handle(sum))
	if err != nil {
		fmt.Println(err)
		return
	}
	handler, err := runtime.NewHandler(registry, runtime.OnToolFailure(func(_ context.Context, failure runtime.ToolFailure) {
		fmt.Println("hook:", failure.ID, failure.Tool, failure.Kind, failure.Observation.Problems)
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(handler)
	defer server.Close()

	// The caller is not told the error's text, and neither is the hook: that is in the log.
	callSum(server.URL, "math_sum", map[string]any{"a": 2000, "b": 3})
	callSum(server.URL, "math_sum", map[string]any{"a": "two", "b": 3})
	// Output:
	// hook: example.math:sum@1 math_sum handler-failed []
	// The capability failed.
	// hook: example.math:sum@1 math_sum invalid-input [{/a type}]
	// The input does not match the schema.
	// /a: must be an integer (type)
}

func ExampleWithToolNames() {
	registry, err := capabilities.NewRegistry(capabilities.Handle(sum))
	if err != nil {
		fmt.Println(err)
		return
	}
	handler, err := runtime.NewHandler(registry, runtime.WithToolNames(capabilities.LengthEncodedToolName))
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	callSum(server.URL, "cap_12_example_math_3_sum_v1", map[string]any{"a": 2, "b": 3})

	_, err = runtime.NewHandler(registry, runtime.WithToolNames(func(id capabilities.ID) string { return id.String() }))
	fmt.Println(err)
	// Output:
	// {"result":5}
	// runtime: example.math:sum@1: tool name "example.math:sum@1" is not 1 to 128 characters of A-Z a-z 0-9 _ . -
}
