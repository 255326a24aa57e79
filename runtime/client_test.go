package runtime_test

import (
	"context"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect opens go-sdk's client in one era.
func connect(t *testing.T, url, revision string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil)
	s, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, MaxRetries: -1}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestClient speaks to the server as go-sdk's own client does, in both eras.
func TestClient(t *testing.T) {
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			f := newFixture()
			s := connect(t, server(t, f), revision)
			if got := s.InitializeResult(); got.ProtocolVersion != revision || got.Capabilities.Tools == nil {
				t.Errorf("%+v", got)
			}
			tools, err := s.ListTools(t.Context(), nil)
			if err != nil || len(tools.Tools) != 8 || tools.Tools[2].Name != "echo" {
				t.Fatalf("%v %v", tools, err)
			}
			call := func(name string, arguments any) (*mcp.CallToolResult, error) {
				return s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
			}
			result, err := call("echo", map[string]any{"text": "hello"})
			if err != nil || result.IsError || result.StructuredContent.(map[string]any)["result"] != "hello" {
				t.Errorf("%+v %v", result, err)
			}
			result, err = call("echo", map[string]any{"text": 5})
			if err != nil || !result.IsError {
				t.Errorf("%+v %v", result, err)
			}
			result, err = call("region", map[string]any{"region": "eu", "n": 5})
			if err != nil || result.IsError {
				t.Errorf("%+v %v", result, err)
			}
			for name, code := range map[string]int64{"nope": -32602, "panic": -32603} {
				_, err = call(name, nil)
				var failed *jsonrpc.Error
				if !errors.As(err, &failed) || failed.Code != code {
					t.Errorf("%s: %v", name, err)
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-f.started
				cancel()
			}()
			if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "slow", Arguments: map[string]any{"ms": 60000, "key": "k"}}); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			eventually(t, func() bool { return f.get("k") == "cancelled" })
			// The connection is as good as before.
			if _, err := call("echo", map[string]any{"text": "again"}); err != nil {
				t.Error(err)
			}
		})
	}
}
