package runtime

import (
	"errors"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/mcptool"
	"github.com/capgen/capgen/runtime/internal/envelope"
	"github.com/go-json-experiment/json/jsontext"
)

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

// checkOutputRoot refuses what is no schema.
func checkOutputRoot(output []byte) error {
	if _, ok := envelope.ReadObject(output); ok || string(output) == "true" || string(output) == "false" {
		return nil
	}
	return errors.New("the output schema: it is neither an object nor a boolean")
}

// encodeEntry encodes a tool, whose schemas were checked, for one half of the revisions: full has what 2025-06-18 added.
func encodeEntry(name string, def *capabilities.Definition, full bool) []byte {
	text, err := mcptool.Encode(name, def, !full)
	if err != nil {
		panic(err) // the contract was JSON
	}
	return text
}
