// Package runtimetest lets an application's tests call its capabilities as an agent does: through MCP, HTTP and the whole
// pipeline, in memory. To call them typed and without MCP there is [capabilities.Call].
package runtimetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

// Session is a client that is connected to a server of its own. It is safe for concurrent use.
type Session struct {
	mcp *mcp.ClientSession
}

// Client serves the registry as [runtime.NewHandler] does with the options, and returns a client of it that speaks the
// newest revision of the protocol. A mistake in the registry's names or the options ends the test. Client, server and every
// connection are closed when the test ends; a handler that still runs is cancelled then.
func Client(t testing.TB, registry *capabilities.Registry, options ...runtime.Option) *Session {
	t.Helper()
	return ClientOf(t, "", registry, options...)
}

// ClientOf is [Client] for one revision of the protocol: 2026-07-28, which has no sessions, or one of 2025-11-25, 2025-06-18,
// 2025-03-26 and 2024-11-05, which have. "" is the newest. A revision that the server does not agree to ends the test.
func ClientOf(t testing.TB, revision string, registry *capabilities.Registry, options ...runtime.Option) *Session {
	t.Helper()
	handler, err := runtime.NewHandler(registry, options...)
	if err != nil {
		t.Fatalf("runtimetest: %v", err)
	}
	wire := serve(handler)
	session, err := connect(t.Context(), wire, revision)
	t.Cleanup(func() {
		if session != nil {
			_ = session.Close()
		}
		stop(handler)
		wire.close()
	})
	if err != nil {
		t.Fatalf("runtimetest: connecting: %v", err)
	}
	return &Session{mcp: session}
}

func connect(ctx context.Context, wire *wire, revision string) (*mcp.ClientSession, error) {
	transport := &mcp.StreamableClientTransport{
		// The name of this machine, since the connections are as its own.
		Endpoint:   "http://localhost/",
		HTTPClient: &http.Client{Transport: wire.transport},
		MaxRetries: -1,
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "runtimetest", Version: "v1"}, nil)
	session, err := client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		return nil, err
	}
	if agreed := session.InitializeResult().ProtocolVersion; revision != "" && agreed != revision {
		return session, fmt.Errorf("the server answered with revision %s instead of %s", agreed, revision)
	}
	return session, nil
}

// stop cancels what still runs, and waits for all that is not deaf to that.
func stop(handler *runtime.Handler) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	soon, now := context.WithCancel(ctx)
	now()
	_ = handler.Shutdown(soon)
	_ = handler.Shutdown(ctx)
}

// MCP returns go-sdk's session, for what this package does not offer, such as a call that the protocol itself refuses.
func (s *Session) MCP() *mcp.ClientSession { return s.mcp }

// List returns the tools that the server offers, of all pages and in its order. A failure ends the test.
func (s *Session) List(t testing.TB) []*mcp.Tool {
	t.Helper()
	var tools []*mcp.Tool
	for tool, err := range s.mcp.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatalf("runtimetest: listing the tools: %v", err)
		}
		tools = append(tools, tool)
	}
	return tools
}

// Call calls a tool and returns its answer, which may say that the tool failed. The input is a JSON text as a string, []byte or
// json.RawMessage, or any value that encoding/json can write; nil is {}. What the protocol refuses, such as a tool that is not
// there or a handler that panicked, ends the test.
func (s *Session) Call(t testing.TB, tool string, input any) Result {
	t.Helper()
	arguments, err := inputText(input)
	if err != nil {
		t.Fatalf("runtimetest: the input of %s: %v", tool, err)
	}
	answer, err := s.mcp.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("runtimetest: calling %s: %v", tool, err)
	}
	result, err := newResult(answer)
	if err != nil {
		t.Fatalf("runtimetest: the answer of %s: %v", tool, err)
	}
	return result
}

func inputText(input any) (json.RawMessage, error) {
	var text json.RawMessage
	switch in := input.(type) {
	case nil:
		return json.RawMessage(`{}`), nil
	case string:
		text = json.RawMessage(in)
	case []byte:
		text = in
	case json.RawMessage:
		text = in
	default:
		return json.Marshal(in)
	}
	if !json.Valid(text) {
		return nil, errors.New("it is not JSON")
	}
	return text, nil
}
