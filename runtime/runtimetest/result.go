package runtimetest

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capgen/capgen/capabilities"
)

// problemsKey is the name under which a result's _meta holds what is wrong with an input.
const problemsKey = "io.github.capgen/problems"

// Result is a tool's answer.
type Result struct {
	// IsError says that the tool failed.
	IsError bool
	// Text is what a model reads: the failure in words, or the result's JSON.
	Text string
	// JSON is the capability's result, its numbers as they were written; nil when the tool failed.
	JSON json.RawMessage
	// Problems are what is wrong with the input, when that is why the tool failed.
	Problems capabilities.Problems
	// Raw is the whole answer as go-sdk read it.
	Raw *mcp.CallToolResult
}

func newResult(answer *mcp.CallToolResult) (Result, error) {
	r := Result{IsError: answer.IsError, Text: textOf(answer), Raw: answer}
	if r.IsError {
		problems, err := json.Marshal(answer.Meta[problemsKey])
		if err != nil {
			return Result{}, err
		}
		return r, json.Unmarshal(problems, &r.Problems)
	}
	// The text, and not structuredContent, which go-sdk has read with every number a float64.
	var wrapped struct {
		Result json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal([]byte(r.Text), &wrapped); err != nil {
		return Result{}, err
	}
	if wrapped.Result == nil {
		return Result{}, errors.New("it holds no result")
	}
	r.JSON = wrapped.Result
	return r, nil
}

func textOf(answer *mcp.CallToolResult) string {
	var b strings.Builder
	for _, content := range answer.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

// Decode reads the result's JSON into the value that into points at, by encoding/json's rules. A tool that failed, and a
// result of another shape, end the test.
func (r Result) Decode(t testing.TB, into any) {
	t.Helper()
	if r.IsError {
		t.Fatalf("runtimetest: the tool failed: %s", r.Text)
	}
	if err := json.Unmarshal(r.JSON, into); err != nil {
		t.Fatalf("runtimetest: the result: %v", err)
	}
}
