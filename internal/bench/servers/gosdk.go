package servers

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/internal/bench/tools"
)

func newSDKSession() http.Handler   { return newSDK(false) }
func newSDKStateless() http.Handler { return newSDK(true) }

// newSDK is go-sdk's server with typed tools, which checks inputs and results against the schemas.
func newSDK(stateless bool) http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	mcp.AddTool(server, sdkTool(albumDefinition), func(_ context.Context, _ *mcp.CallToolRequest, in tools.AlbumLookup) (*mcp.CallToolResult, tools.Album, error) {
		return nil, tools.Lookup(&in), nil
	})
	mcp.AddTool(server, sdkTool(orderDefinition), func(_ context.Context, _ *mcp.CallToolRequest, in tools.OrderQuote) (*mcp.CallToolResult, tools.Quote, error) {
		return nil, tools.Price(&in), nil
	})
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: stateless, JSONResponse: true})
}

func sdkTool(d *capabilities.Definition) *mcp.Tool {
	return &mcp.Tool{Name: d.Tool, Description: d.Description, InputSchema: sdkSchema(d.Input), OutputSchema: sdkSchema(d.Output)}
}

func sdkSchema(text []byte) *jsonschema.Schema {
	schema := new(jsonschema.Schema)
	if err := json.Unmarshal(text, schema); err != nil {
		panic(err)
	}
	return schema
}
