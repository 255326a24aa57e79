package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// clients are all that a server must answer alike: go-sdk's client and the official TypeScript ones, in both eras.
var clients = []struct {
	name string
	ask  func(t *testing.T, url string, steps []step) []answer
}{
	{"go 2026-07-28", func(t *testing.T, url string, steps []step) []answer { return askGo(t, "2026-07-28", url, steps) }},
	{"go 2025-11-25", func(t *testing.T, url string, steps []step) []answer { return askGo(t, "2025-11-25", url, steps) }},
	{"ts client 2026-07-28", func(t *testing.T, url string, steps []step) []answer { return askNode(t, "modern", url, steps) }},
	{"ts client legacy", func(t *testing.T, url string, steps []step) []answer { return askNode(t, "legacy", url, steps) }},
	{"ts sdk", func(t *testing.T, url string, steps []step) []answer { return askNode(t, "v1", url, steps) }},
}

// TestClients asks one server the same of every client.
func TestClients(t *testing.T) {
	url := startFixture(t, `{"tool_deadline_s": 0.5}`)
	scenario := []struct {
		step step
		want answer
	}{
		{call("echo", `{"text":"hello <&> é \u2028"}`), value(`{"result":"hello \u003c\u0026\u003e é \u2028"}`)},
		{call("region", `{"region":"eu","n":3}`), value(`{"result":{"region":"eu","n":3}}`)},
		{call("region", `{"region":"été"}`), value(`{"result":{"region":"été"}}`)},
		{call("echo", `{"text":5,"more":true}`), failure("The input does not match the schema." +
			"\n/text: must be a string (type)" +
			"\nthe input: has a property that is not known; the properties are text (additionalProperties)")},
		{call("nope", `{}`), answer{Refused: -32602}},
		{call("slow", `{"ms":60000}`), failure("The call took too long and was stopped.")},
		{call("deaf", `{"ms":3000}`), failure("The call took too long and was stopped.")},
		{call("panic", `{}`), answer{Refused: -32603}},
		{call("boom", `{}`), failure("The capability failed.")},
		{call("slow", `{"ms":1}`), value(`{"result":"slept"}`)},
		// The last: an answer without an ID, which one to an unread body is, ends the connection of go-sdk's client.
		{call("echo", `{"text":"`+strings.Repeat("x", 40<<10)+`"}`), answer{Refused: 413}},
	}
	steps := []step{list()}
	for _, s := range scenario {
		steps = append(steps, s.step)
	}
	listed := askGo(t, "2026-07-28", url, steps[:1])[0]
	if names := toolNames(listed); !slices.Equal(names, []string{"boom", "deaf", "echo", "panic", "probe", "region", "slow"}) {
		t.Errorf("listed %q", names)
	}
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := c.ask(t, url, steps)
			if diff := cmp.Diff(listed, got[0]); diff != "" {
				t.Errorf("the list is not that of go-sdk's client (-go +this):\n%s", diff)
			}
			for i, s := range scenario {
				if diff := cmp.Diff(s.want, got[i+1]); diff != "" {
					t.Errorf("%s %.80s (-want +got):\n%s", s.step.Call, s.step.Input, diff)
				}
			}
		})
	}
}

func toolNames(listed answer) []string {
	names := make([]string, len(listed.Tools))
	for i, tool := range listed.Tools {
		names[i] = tool.Name
	}
	return names
}
