package e2e

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capgen/capgen/internal/fixture/fixturetest"
)

// TestStdio has the TypeScript clients start the fixture, and ask it what they ask over HTTP.
func TestStdio(t *testing.T) {
	program := fixturetest.Binary(t)
	scenario := []struct {
		step step
		want answer
	}{
		{call("echo", `{"text":"hello <&> é \u2028\n"}`), value(`{"result":"hello \u003c\u0026\u003e é \u2028\n"}`)},
		{call("region", `{"region":"été","n":3}`), value(`{"result":{"region":"été","n":3}}`)},
		{call("echo", `{}`), failure("The input does not match the schema.\nthe input: must have the property \"text\" (required)")},
		{call("nope", `{}`), answer{Refused: -32602}},
		{call("panic", `{}`), answer{Refused: -32603}},
		{call("slow", `{"ms":1200}`), value(`{"result":"slept"}`)}, // longer than an answer takes to become a stream
	}
	steps := []step{list()}
	for _, s := range scenario {
		steps = append(steps, s.step)
	}
	listed := askGo(t, "2026-07-28", startFixture(t, `{}`), steps[:1])[0]
	for _, flavour := range []string{"modern", "legacy", "v1"} {
		t.Run(flavour, func(t *testing.T) {
			t.Parallel()
			got := askNode(t, flavour, program, steps)
			if diff := cmp.Diff(listed, got[0]); diff != "" {
				t.Errorf("the list is not that of HTTP (-http +this):\n%s", diff)
			}
			for i, s := range scenario {
				if diff := cmp.Diff(s.want, got[i+1]); diff != "" {
					t.Errorf("%s %s (-want +got):\n%s", s.step.Call, s.step.Input, diff)
				}
			}
		})
	}
}
