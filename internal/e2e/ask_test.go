package e2e

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capgen/capgen/internal/client"
)

// step is one thing to ask a server for, with whichever client.
type step struct {
	List  bool            `json:"list,omitempty"`
	Call  string          `json:"call,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`
}

func list() step                   { return step{List: true} }
func call(tool, input string) step { return step{Call: tool, Input: json.RawMessage(input)} }

// answer is what a client made of the server's answer to a step.
type answer struct {
	Tools      []tool   `json:"tools,omitempty"`
	Structured any      `json:"structured,omitempty"`
	Text       []string `json:"text,omitempty"`
	IsError    bool     `json:"isError,omitempty"`
	// Refused is the code of a JSON-RPC error, or the HTTP status of an answer that was none.
	Refused int64 `json:"refused,omitempty"`
}

// tool is what the clients tell of a listed tool.
type tool struct {
	Name         string `json:"name"`
	Title        string `json:"title,omitempty"`
	Description  string `json:"description,omitempty"`
	Annotations  any    `json:"annotations,omitempty"`
	InputSchema  any    `json:"inputSchema,omitempty"`
	OutputSchema any    `json:"outputSchema,omitempty"`
}

// askGo asks a server with go-sdk's client, at a protocol revision.
func askGo(t *testing.T, revision, url string, steps []step) []answer {
	t.Helper()
	server, err := client.Connect(t.Context(), url, client.Options{Revision: revision})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if got := server.Revision(); got != revision {
		t.Fatalf("asked for revision %s, got %s", revision, got)
	}
	answers := make([]answer, len(steps))
	for i, s := range steps {
		answers[i] = answerGo(t, server, s)
	}
	return answers
}

func answerGo(t *testing.T, server *client.Client, s step) answer {
	t.Helper()
	var a answer
	var err error
	if s.List {
		var tools []*mcp.Tool
		if tools, err = server.List(t.Context()); err == nil {
			remarshal(t, tools, &a.Tools)
			return a
		}
	} else {
		var result *mcp.CallToolResult
		if result, err = server.Call(t.Context(), s.Call, s.Input); err == nil {
			for _, block := range result.Content {
				a.Text = append(a.Text, block.(*mcp.TextContent).Text)
			}
			remarshal(t, result.StructuredContent, &a.Structured)
			a.IsError = result.IsError
			return a
		}
	}
	var refused *client.Refused
	var status *client.Unreachable
	switch {
	case errors.As(err, &refused):
		a.Refused = refused.Code
	case errors.As(err, &status) && status.Status != 0:
		a.Refused = int64(status.Status)
	default:
		t.Fatalf("%s %.80s: %v", s.Call, s.Input, err)
	}
	return a
}

func remarshal(t *testing.T, from, to any) {
	t.Helper()
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// value is the answer that holds a structured result, and its text as the mirror.
func value(text string) answer {
	a := answer{Text: []string{text}}
	if err := json.Unmarshal([]byte(text), &a.Structured); err != nil {
		panic(err)
	}
	return a
}

// failure is the answer of a call that failed with a text.
func failure(text string) answer { return answer{Text: []string{text}, IsError: true} }
