package runtime

import (
	"fmt"
	"strings"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/internal/envelope"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// entry is an element of a tools/list result (2026-07-28, server/tools, "Tool").
type entry struct {
	Name         string         `json:"name"`
	Title        string         `json:"title,omitzero"`
	Description  string         `json:"description,omitzero"`
	InputSchema  jsontext.Value `json:"inputSchema"`
	OutputSchema jsontext.Value `json:"outputSchema,omitzero"`
	Annotations  annotations    `json:"annotations"`
}

// annotations are always written in full: a client's default for a hint that is missing is the dangerous one, and differs
// between clients.
type annotations struct {
	Title           string `json:"title,omitzero"`
	ReadOnlyHint    bool   `json:"readOnlyHint"`
	DestructiveHint bool   `json:"destructiveHint"`
	IdempotentHint  bool   `json:"idempotentHint"`
	OpenWorldHint   bool   `json:"openWorldHint"`
}

// encodeEntry encodes a tool for one half of the revisions: full has what 2025-06-18 added.
func encodeEntry(name string, def *capabilities.Definition, full bool) ([]byte, error) {
	e := entry{
		Name:        name,
		Description: describe(def),
		Annotations: annotations{
			Title:           def.Title,
			ReadOnlyHint:    def.Risk == capabilities.Read,
			DestructiveHint: def.Risk == capabilities.Destructive,
			IdempotentHint:  def.Idempotent || def.Risk == capabilities.Read,
			OpenWorldHint:   def.OpenWorld,
		},
	}
	e.InputSchema = jsontext.Value(def.Input).Clone()
	if err := e.InputSchema.Compact(); err != nil || e.InputSchema.Kind() != '{' {
		return nil, fmt.Errorf("the input schema is not a JSON object")
	}
	// 2026-07-28, server/tools, "Tool".
	members, _ := envelope.ReadObject(e.InputSchema)
	if kind, _ := envelope.ReadString(members.Get("type")); kind != "object" {
		return nil, fmt.Errorf(`the input schema's root has no "type": "object"`)
	}
	if full {
		var err error
		e.Title = def.Title
		if e.OutputSchema, err = wrapOutputSchema(def.Output); err != nil {
			return nil, fmt.Errorf("the output schema: %w", err)
		}
	}
	return json.Marshal(e)
}

// describe adds what to use instead of a deprecated capability, unless its description says so already.
func describe(def *capabilities.Definition) string {
	if def.Deprecated == "" || strings.Contains(def.Description, def.Deprecated) {
		return def.Description
	}
	return strings.TrimPrefix(def.Description+"\n\nDeprecated: "+def.Deprecated, "\n\n")
}
