package gen

import (
	"fmt"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/gen/internal/lint"
	"github.com/capgen/capgen/gen/internal/model"
	"github.com/capgen/capgen/gen/internal/schema"
	"github.com/capgen/capgen/mcptool"
)

// definitionOf returns what a capability promises, as its contract says it.
func definitionOf(c *model.Capability) *capabilities.Definition {
	return &capabilities.Definition{
		ID: c.ID, Tool: c.Tool, Title: c.Title, Description: c.Description, Deprecated: c.Deprecated, Risk: c.Risk, Access: c.Access,
		Idempotent: c.Idempotent, OpenWorld: c.OpenWorld,
		Input:  schema.Of(c.Input, schema.Input).Compact(),
		Output: schema.Of(c.Output, schema.Output).Compact(),
	}
}

// toolOf returns a capability as clients receive it.
func toolOf(c *model.Capability) (lint.Tool, error) {
	def := definitionOf(c)
	entry, err := mcptool.Encode(c.Tool, def, false)
	if err != nil {
		return lint.Tool{}, fmt.Errorf("%s: %w", c.ID, err)
	}
	return lint.Tool{
		Capability: c,
		Tool:       mcptool.Tool{Name: c.Tool, Description: mcptool.Describe(def), Input: def.Input},
		Bytes:      len(entry),
		Prompt:     mcptool.PromptBytes(entry),
	}, nil
}
