package e2e

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/internal/fixture/tools"
	"github.com/capgen/capgen/runtime"
)

// result is the envelope that our runtime puts a capability's result in.
type result[T any] struct {
	Result T `json:"result"`
}

// startReference starts a server with the fixture's tools on go-sdk's own: the same names, types and input schemas, and a
// handler for each era, as go-sdk needs. Its panic tool does not panic, since that would end this process.
func startReference(t *testing.T) string {
	t.Helper()
	service := new(tools.Service)
	server := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "v0.0.0"}, nil)
	addReference(server, nothing(service.Boom))
	addReference(server, service.Deaf)
	addReference(server, service.Echo)
	addReference(server, nothing(func(context.Context, tools.Panic) error { return nil }))
	addReference(server, service.Probe)
	addReference(server, service.Region)
	addReference(server, service.Slow)

	get := func(*http.Request) *mcp.Server { return server }
	legacy := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{JSONResponse: true, MaxRequestBodyBytes: runtime.DefaultMaxRequestBytes})
	modern := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{JSONResponse: true, MaxRequestBodyBytes: runtime.DefaultMaxRequestBytes, Stateless: true})
	mux := http.NewServeMux()
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= "2026-07-28" {
			modern.ServeHTTP(w, r)
			return
		}
		legacy.ServeHTTP(w, r)
	})
	listener := httptest.NewServer(mux)
	t.Cleanup(listener.Close)
	return listener.URL + "/mcp"
}

// nothing gives a handler that has no result an empty one.
func nothing[In any](handle func(context.Context, In) error) func(context.Context, In) (capabilities.Nothing, error) {
	return func(ctx context.Context, in In) (capabilities.Nothing, error) {
		return capabilities.Nothing{}, handle(ctx, in)
	}
}

func addReference[In capabilities.Declared[In, Out], Out any](server *mcp.Server, handle func(context.Context, In) (Out, error)) {
	var none In
	def := none.Capability().Definition()
	never := false
	mcp.AddTool(server, &mcp.Tool{
		Name:        def.Tool,
		Title:       def.Title,
		Description: def.Description,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &never, OpenWorldHint: &never},
		InputSchema: def.Input,
	}, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, result[Out], error) {
		out, err := handle(ctx, in)
		return nil, result[Out]{out}, err
	})
}
