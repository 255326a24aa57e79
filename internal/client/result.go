package client

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// keepSpelling puts a result's text mirror in the place of its decoded structured content when both say the same.
// go-sdk decodes numbers into float64, which rounds whole numbers past 2^53; the mirror is the server's own text.
func keepSpelling(result *mcp.CallToolResult) {
	if len(result.Content) == 0 {
		return
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		return
	}
	var mirror any
	if json.Unmarshal([]byte(text.Text), &mirror) == nil && reflect.DeepEqual(mirror, result.StructuredContent) {
		result.StructuredContent = json.RawMessage(text.Text)
	}
}

// Value returns the JSON of what a call answered: V of a structured {"result": V}, the whole structured content when it
// has another shape, and nil when there is none.
func Value(result *mcp.CallToolResult) (json.RawMessage, error) {
	if result.StructuredContent == nil {
		return nil, nil
	}
	whole, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(whole, &members) == nil && len(members) == 1 && members["result"] != nil {
		return members["result"], nil
	}
	return whole, nil
}

// Text returns the text of a result, its blocks separated by line breaks. A block that is not text is named in brackets.
func Text(result *mcp.CallToolResult) string {
	blocks := make([]string, len(result.Content))
	for i, block := range result.Content {
		switch block := block.(type) {
		case *mcp.TextContent:
			blocks[i] = block.Text
		case *mcp.ImageContent:
			blocks[i] = fmt.Sprintf("[image: %s, %d bytes]", block.MIMEType, len(block.Data))
		case *mcp.AudioContent:
			blocks[i] = fmt.Sprintf("[audio: %s, %d bytes]", block.MIMEType, len(block.Data))
		case *mcp.ResourceLink:
			blocks[i] = fmt.Sprintf("[link: %s]", block.URI)
		case *mcp.EmbeddedResource:
			blocks[i] = fmt.Sprintf("[resource: %s]", block.Resource.URI)
		default:
			blocks[i] = fmt.Sprintf("[%T]", block)
		}
	}
	return strings.Join(blocks, "\n")
}

// Indent lays a JSON text out for people, two spaces a level and a line break at the end. Numbers, names and their order
// stay as they are; text is escaped no more than it must be.
func Indent(text []byte) []byte {
	out, err := jsontext.AppendFormat(nil, text, jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true))
	if err != nil {
		return text
	}
	return append(out, '\n')
}
