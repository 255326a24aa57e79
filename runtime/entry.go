package runtime

import (
	"errors"
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

// checkRoots refuses schemas that cannot be those of a tool.
func checkRoots(def *capabilities.Definition) error {
	if !beginsAs(def.Input, generatedRoot+`"type":"object",`) {
		if jsontext.Value(def.Input).Kind() != '{' {
			return errors.New("the input schema is not a JSON object")
		}
		// 2026-07-28, server/tools, "Tool".
		members, _ := envelope.ReadObject(def.Input)
		if kind, _ := envelope.ReadString(members.Get("type")); kind != "object" {
			return errors.New(`the input schema's root has no "type": "object"`)
		}
	}
	if !beginsAs(def.Output, generatedRoot) {
		return checkOutputRoot(def.Output)
	}
	return nil
}

// encodeEntry encodes a tool, whose schemas were checked, for one half of the revisions: full has what 2025-06-18 added.
func encodeEntry(name string, def *capabilities.Definition, full bool) []byte {
	e := entry{
		Name:        name,
		Description: describe(def),
		InputSchema: jsontext.Value(def.Input),
		Annotations: annotations{
			Title:           def.Title,
			ReadOnlyHint:    def.Risk == capabilities.Read,
			DestructiveHint: def.Risk == capabilities.Destructive,
			IdempotentHint:  def.Idempotent || def.Risk == capabilities.Read,
			OpenWorldHint:   def.OpenWorld,
		},
	}
	if full {
		e.Title = def.Title
		e.OutputSchema = wrapOutputSchema(def.Output)
	}
	text, err := json.Marshal(e)
	if err != nil {
		panic(err) // the contract was JSON
	}
	return text
}

// describe adds what to use instead of a deprecated capability, unless its description says so already.
func describe(def *capabilities.Definition) string {
	if def.Deprecated == "" || strings.Contains(def.Description, def.Deprecated) {
		return def.Description
	}
	return strings.TrimPrefix(def.Description+"\n\nDeprecated: "+def.Deprecated, "\n\n")
}
