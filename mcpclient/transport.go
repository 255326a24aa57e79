// Package mcpclient carries the calls of generated clients over MCP, on the session of go-sdk's client that an application has.
package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capgen/capgen/capabilities"
)

// problemsKey is the name under which a result's _meta holds what is wrong with an input.
const problemsKey = "io.github.capgen/problems"

// Transport is a [capabilities.Transport] over a session. It is safe for concurrent use.
type Transport struct {
	session *mcp.ClientSession

	// offers holds the server's tools, nil before they are listed. Whoever takes them out puts them back.
	offers chan *offers
}

// New returns the transport of a session, which stays the caller's to close. It lists the server's tools before the first call, and finds
// a capability by its ID, whatever the server calls the tool.
func New(session *mcp.ClientSession) *Transport {
	t := &Transport{session: session, offers: make(chan *offers, 1)}
	t.offers <- nil
	return t
}

// Call implements [capabilities.Transport]. Nothing is sent to a server that has another contract, unless a caller can lean on that as well.
func (t *Transport) Call(ctx context.Context, contract *capabilities.Definition, input []byte) ([]byte, error) {
	known, err := t.known(ctx, false)
	if err != nil {
		return nil, err
	}
	tool, err := known.find(contract)
	if err != nil {
		return nil, err
	}
	result, err := t.session.CallTool(ctx, &mcp.CallToolParams{Name: tool.Name, Arguments: json.RawMessage(input)})
	if err != nil {
		return nil, t.refused(ctx, contract, tool.Name, err)
	}
	return valueOf(tool.Name, result)
}

// Check implements [capabilities.Transport]. It lists the server's tools anew; in revision 2026-07-28 the session may answer that with what it was told
// before, for as long as the server allows, which is a minute.
func (t *Transport) Check(ctx context.Context, contracts ...*capabilities.Definition) error {
	known, err := t.known(ctx, true)
	if err != nil {
		return err
	}
	for _, contract := range contracts {
		if _, err := known.find(contract); err != nil {
			return err
		}
	}
	return nil
}

// known returns the server's tools, which it lists if that is not done or is to be done anew. Calls that wait for the list wait for each other, until
// their contexts end.
func (t *Transport) known(ctx context.Context, anew bool) (*offers, error) {
	var held *offers
	select {
	case held = <-t.offers:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { t.offers <- held }()
	if held != nil && !anew {
		return held, nil
	}
	listed, err := list(ctx, t.session)
	if err != nil {
		return nil, err
	}
	held = listed
	return listed, nil
}

// refused is the error of a call that the protocol refused. A tool that is gone was there when the tools were listed.
func (t *Transport) refused(ctx context.Context, contract *capabilities.Definition, tool string, err error) error {
	var answer *jsonrpc.Error
	if !errors.As(err, &answer) {
		return fmt.Errorf("calling %s: %w", tool, err)
	}
	switch {
	case answer.Code == jsonrpc.CodeInvalidParams && strings.HasPrefix(answer.Message, "Unknown tool"):
		var mismatch *capabilities.ContractMismatch
		failure := &capabilities.Failure{Kind: capabilities.CapabilityMissing, Cause: err}
		if errors.As(t.Check(ctx, contract), &mismatch) {
			return mismatch.With(failure)
		}
		return failure
	case answer.Code == jsonrpc.CodeInternalError:
		if failure := capabilities.ParseFailure(answer.Message, nil); failure.Kind != capabilities.Declined {
			failure.Cause = err
			return failure
		}
	}
	return fmt.Errorf("calling %s: %w", tool, err)
}

// valueOf returns the JSON of what a call answered. The text says the same as structuredContent, which go-sdk has read with every number
// a float64.
func valueOf(tool string, result *mcp.CallToolResult) ([]byte, error) {
	text := ""
	if len(result.Content) > 0 {
		if first, ok := result.Content[0].(*mcp.TextContent); ok {
			text = first.Text
		}
	}
	if result.IsError {
		return nil, capabilities.ParseFailure(text, problemsOf(result))
	}
	var wrapped struct {
		Result json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal([]byte(text), &wrapped); err != nil || wrapped.Result == nil {
		return nil, fmt.Errorf("calling %s: the answer is not {\"result\": …}, so it is none of a capability's", tool)
	}
	return wrapped.Result, nil
}

// problemsOf returns what is wrong with the input, if the server says it.
func problemsOf(result *mcp.CallToolResult) capabilities.Problems {
	text, err := json.Marshal(result.Meta[problemsKey])
	if err != nil {
		return nil
	}
	var problems capabilities.Problems
	if json.Unmarshal(text, &problems) != nil {
		return nil
	}
	return problems
}
