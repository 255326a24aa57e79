package servers

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/internal/bench/tools"
)

func newMCPGo() http.Handler { return serveMCPGo() }

func newMCPGoValidating() http.Handler {
	return serveMCPGo(server.WithInputSchemaValidation(), server.WithOutputSchemaValidation())
}

func serveMCPGo(options ...server.ServerOption) http.Handler {
	s := server.NewMCPServer("bench", "1", append(options, server.WithToolCapabilities(false))...)
	s.AddTool(mcpGoTool(albumDefinition), mcp.NewStructuredToolHandler(
		func(_ context.Context, _ mcp.CallToolRequest, in tools.AlbumLookup) (tools.Album, error) {
			return tools.Lookup(&in), nil
		}))
	s.AddTool(mcpGoTool(orderDefinition), mcp.NewStructuredToolHandler(
		func(_ context.Context, _ mcp.CallToolRequest, in tools.OrderQuote) (tools.Quote, error) {
			return tools.Price(&in), nil
		}))
	return server.NewStreamableHTTPServer(s, server.WithStateLess(true), server.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)))
}

func mcpGoTool(d *capabilities.Definition) mcp.Tool {
	tool := mcp.NewToolWithRawSchema(d.Tool, d.Description, json.RawMessage(d.Input))
	tool.RawOutputSchema = json.RawMessage(d.Output)
	return tool
}
