package mcptool

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/capgen/capgen/capabilities"
)

// entry is an element of a tools/list result (2026-07-28, server/tools, "Tool").
type entry struct {
	Name         string         `json:"name"`
	Title        string         `json:"title,omitzero"`
	Description  string         `json:"description,omitzero"`
	InputSchema  jsontext.Value `json:"inputSchema"`
	OutputSchema jsontext.Value `json:"outputSchema,omitzero"`
	Annotations  annotations    `json:"annotations"`
	Meta         *meta          `json:"_meta,omitzero"`
}

// ContractKey is the name in a tool's _meta under which generated clients find which contract it has: an object {id, digest}, of the
// capability's ID and its [capabilities.Definition.Digest]. The tool's name is the server's to choose, and does not tell.
const ContractKey = "io.github.capgen/contract"

type meta struct {
	Contract contract `json:"io.github.capgen/contract"`
}

type contract struct {
	ID     string `json:"id"`
	Digest string `json:"digest"`
}

// annotations are always written in full: a client's default for a hint that is missing is the dangerous one, and differs
// between clients.
type annotations struct {
	Title           string `json:"title,omitzero"`
	ReadOnlyHint    bool   `json:"readOnlyHint"`
	DestructiveHint bool   `json:"destructiveHint"`
	IdempotentHint  bool   `json:"idempotentHint"`
	OpenWorldHint   bool   `json:"openWorldHint"`
	// Deprecated is ours: the protocol has no hint that says it, and leaves annotations open.
	Deprecated bool `json:"deprecated,omitzero"`
}

// Encode returns a capability's element of a tools/list result, as one line of JSON. The name is the one that agents call it by. Plain
// leaves out what revisions before 2025-06-18 do not know: the title, the output schema and _meta. The error says which schema is no schema
// of a tool.
func Encode(name string, def *capabilities.Definition, plain bool) ([]byte, error) {
	e := entry{
		Name:        name,
		Description: Describe(def),
		InputSchema: jsontext.Value(def.Input).Clone(),
		Annotations: annotations{
			Title:           def.Title,
			ReadOnlyHint:    def.Risk == capabilities.Read,
			DestructiveHint: def.Risk == capabilities.Destructive,
			IdempotentHint:  def.Idempotent || def.Risk == capabilities.Read,
			OpenWorldHint:   def.OpenWorld,
			Deprecated:      def.Deprecated != "",
		},
	}
	if err := e.InputSchema.Compact(); err != nil || e.InputSchema.Kind() != '{' {
		return nil, fmt.Errorf("the input schema is not a JSON object")
	}
	// 2026-07-28, server/tools, "Tool".
	members, _ := readObject(e.InputSchema)
	if kind, _ := readString(members.get("type")); kind != "object" {
		return nil, fmt.Errorf(`the input schema's root has no "type": "object"`)
	}
	if !plain {
		var err error
		e.Title = def.Title
		e.Meta = &meta{contract{ID: def.ID.String(), Digest: def.Digest()}}
		if e.OutputSchema, err = wrapOutput(def.Output); err != nil {
			return nil, fmt.Errorf("the output schema: %w", err)
		}
	}
	return json.Marshal(e)
}

// Describe returns a capability's description as clients receive it: with what to use instead of a deprecated one, unless its description
// says so already.
func Describe(def *capabilities.Definition) string {
	note := "Deprecated: " + def.Deprecated
	if def.Deprecated == "" || strings.Contains(def.Description, note) {
		return def.Description
	}
	return strings.TrimPrefix(def.Description+"\n\n"+note, "\n\n")
}
