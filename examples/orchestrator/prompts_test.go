package main

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestPrompts(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "orchestrator"}, nil)
	addPrompts(server)
	clientSide, serverSide := mcp.NewInMemoryTransports()
	serving, err := server.Connect(t.Context(), serverSide, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer serving.Close()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), clientSide, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()

	listed, err := client.ListPrompts(t.Context(), nil)
	if err != nil || len(listed.Prompts) != 3 {
		t.Fatalf("%+v, %v", listed, err)
	}
	for _, test := range []struct {
		name      string
		arguments map[string]string
		want      string
	}{
		{"orchestrator_plan", map[string]string{"goal": " Tidy the docs "}, "---\nTidy the docs\n---"},
		{"orchestrator_triage", nil, `orchestrator_tasks, status "failed"`},
		{"orchestrator_recap", nil, "orchestrator_cost"},
	} {
		got, err := client.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: test.name, Arguments: test.arguments})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if text := got.Messages[0].Content.(*mcp.TextContent).Text; !strings.Contains(text, test.want) {
			t.Errorf("%s:\n%s", test.name, text)
		}
	}
	for _, goal := range []string{"", " ", strings.Repeat("a", 501)} {
		_, err := client.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "orchestrator_plan", Arguments: map[string]string{"goal": goal}})
		if err == nil || !strings.Contains(err.Error(), "goal must say what is to be achieved, in at most 500 characters") {
			t.Errorf("a goal of %d bytes: %v", len(goal), err)
		}
	}
}
