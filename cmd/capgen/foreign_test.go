package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// foreignServer is a server that Capgen has no part in: tools without structured results, without hints, with plain HTTP
// errors.
func foreignServer() http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "foreign", Version: "v1.0.0"}, &mcp.ServerOptions{PageSize: 2})
	never := false
	add := func(tool mcp.Tool, content ...mcp.Content) {
		tool.InputSchema = map[string]any{"type": "object"}
		server.AddTool(&tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if tool.Name == "broken" {
				return nil, errors.New("out of order")
			}
			result := &mcp.CallToolResult{Content: content, IsError: tool.Name == "failing"}
			if tool.Name == "exact" {
				result.StructuredContent = json.RawMessage(`{"result":9007199254740993}`)
			}
			return result, nil
		})
	}
	add(mcp.Tool{Name: "chart", Description: "Chart draws.\n\nIt takes its time.", Annotations: &mcp.ToolAnnotations{DestructiveHint: &never, IdempotentHint: true, OpenWorldHint: &never}},
		&mcp.TextContent{Text: "see below"}, &mcp.ImageContent{MIMEType: "image/png", Data: []byte("0123")})
	add(mcp.Tool{Name: "failing", Title: "Always fails"}, &mcp.TextContent{Text: "no paper\nno ink"})
	add(mcp.Tool{Name: "exact", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, &mcp.TextContent{Text: `{"result":9007199254740993}`})
	add(mcp.Tool{Name: "broken", Annotations: &mcp.ToolAnnotations{}})

	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	mux.HandleFunc("/locked", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer sesame" || r.Header.Get("X-Tenant") != "one" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/mcp", http.StatusPermanentRedirect)
	})
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>hello")) })
	return mux
}
