package mcpclient

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/internal/compat"
	"github.com/capgen/capgen/mcptool"
)

// compare returns a mismatch if a caller of the contract cannot lean on the tool, judged as capgen compat does. What it cannot decide passes: the
// client holds every input and result against its own contract anyway.
func compare(contract *capabilities.Definition, tool *mcp.Tool) error {
	before, after, err := bothSides(contract, tool)
	if err != nil {
		return err
	}
	findings, err := compat.Compare([]*compat.Contract{before}, []*compat.Contract{after})
	if err != nil {
		return fmt.Errorf("comparing the contract of %s: %w", contract.ID, err)
	}
	mismatch := &capabilities.ContractMismatch{ID: contract.ID}
	for _, f := range findings {
		if f.Verdict == compat.Breaking && len(mismatch.Differences) < capabilities.MaxDifferences {
			mismatch.Differences = append(mismatch.Differences, capabilities.Difference{
				Pointer: unwrapped(f.Pointer), Before: f.Before, After: f.After, Why: f.Rule,
			})
		}
	}
	if len(mismatch.Differences) > 0 {
		return mismatch
	}
	return nil
}

// bothSides writes the contract and what the tool tells of its own alike: as an element of tools/list, read as go-sdk does. What a tool does not
// tell, such as its access, is as in the contract: a caller without it is refused by the call.
func bothSides(contract *capabilities.Definition, tool *mcp.Tool) (before, after *compat.Contract, err error) {
	entry, err := mcptool.Encode(contract.Tool, contract, false)
	if err != nil {
		return nil, nil, err
	}
	own := new(mcp.Tool)
	if err := json.Unmarshal(entry, own); err != nil {
		return nil, nil, err
	}
	write := func(t *mcp.Tool) (*compat.Contract, error) {
		c := &compat.Contract{Path: "tools/list", ID: contract.ID, Tool: contract.Tool, Access: contract.Access, Risk: capabilities.Write}
		if a := t.Annotations; a != nil {
			c.Idempotent = a.IdempotentHint
			c.OpenWorld = a.OpenWorldHint != nil && *a.OpenWorldHint
			switch {
			case a.ReadOnlyHint:
				c.Risk = capabilities.Read
			case a.DestructiveHint == nil || *a.DestructiveHint:
				c.Risk = capabilities.Destructive
			}
		}
		var err error
		if c.Input, err = json.Marshal(t.InputSchema); err != nil {
			return nil, err
		}
		c.Output, err = json.Marshal(t.OutputSchema)
		return c, err
	}
	if before, err = write(own); err != nil {
		return nil, nil, err
	}
	after, err = write(tool)
	return before, after, err
}

// unwrapped is a pointer into the contract, where the output is not wrapped as {"result": …}.
func unwrapped(pointer string) string {
	const wrapping = "/output/properties/result"
	if rest, ok := strings.CutPrefix(pointer, wrapping); ok && (rest == "" || rest[0] == '/') {
		return "/output" + rest
	}
	return pointer
}
