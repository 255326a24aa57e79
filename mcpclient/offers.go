package mcpclient

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/mcptool"
)

// offers are the tools of a server, by the capabilities that they say they are.
type offers struct {
	byID   map[capabilities.ID]*offer
	byName map[string]*mcp.Tool

	mu sync.Mutex
	// verdicts holds what comparing with a contract found; nil is that a caller can lean on the tool.
	verdicts map[*capabilities.Definition]error
}

// offer is a tool with what its _meta says of its contract.
type offer struct {
	*mcp.Tool
	digest string
}

func list(ctx context.Context, session *mcp.ClientSession) (*offers, error) {
	o := &offers{byID: map[capabilities.ID]*offer{}, byName: map[string]*mcp.Tool{}, verdicts: map[*capabilities.Definition]error{}}
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return nil, fmt.Errorf("listing the tools: %w", err)
		}
		o.byName[tool.Name] = tool
		if id, digest, ok := contractOf(tool); ok {
			o.byID[id] = &offer{tool, digest}
		}
	}
	return o, nil
}

// contractOf returns what a tool says of its contract, and whether it says it.
func contractOf(tool *mcp.Tool) (id capabilities.ID, digest string, ok bool) {
	text, err := json.Marshal(tool.Meta[mcptool.ContractKey])
	if err != nil {
		return id, "", false
	}
	var said struct {
		ID     capabilities.ID
		Digest string
	}
	err = json.Unmarshal(text, &said)
	return said.ID, said.Digest, err == nil && said.ID != capabilities.ID{}
}

// find returns the tool of a contract. Where tools do not say which capability they are, as in revisions before 2025-06-18, the name decides,
// and what the contract is cannot be told.
func (o *offers) find(contract *capabilities.Definition) (*mcp.Tool, error) {
	found := o.byID[contract.ID]
	if found == nil {
		if tool := o.byName[contract.Tool]; tool != nil && tool.Meta[mcptool.ContractKey] == nil {
			return tool, nil
		}
		return nil, o.missing(contract.ID)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	verdict, known := o.verdicts[contract]
	if !known {
		if contract.Digest() != found.digest {
			verdict = compare(contract, found.Tool)
		}
		o.verdicts[contract] = verdict
	}
	return found.Tool, verdict
}

// missing is the error of a capability that the server does not have, or not for this caller, with its other majors.
func (o *offers) missing(id capabilities.ID) error {
	why := "the server has no tool of it for this caller"
	var majors []string
	for other := range o.byID {
		if other.Namespace == id.Namespace && other.Name == id.Name {
			majors = append(majors, other.String())
		}
	}
	if len(majors) > 0 {
		why += ", and has " + joinSorted(majors)
	}
	return &capabilities.ContractMismatch{ID: id, Differences: []capabilities.Difference{{Why: why}}}
}

func joinSorted(names []string) string {
	slices.Sort(names)
	return strings.Join(names, ", ")
}
