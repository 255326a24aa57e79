// Package mcptool declares a capability over the tool type of the Model Context Protocol's own SDK.
//
//capgen:namespace real.mcp
//capgen:schema type=github.com/modelcontextprotocol/go-sdk/mcp.ToolAnnotations file=annotations.schema.json
package mcptool

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capgen/capgen/capabilities"
)

// Review takes a tool as a server lists it and returns it.
//
//capgen:capability tool.review@1 risk=read access=public
type Review struct {
	capabilities.Returns[mcp.Tool]

	// Value is the tool.
	Value mcp.Tool `json:"value"`
}
