package capabilities_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/capgen/capgen/capabilities"
)

// Tagged is a declaration with a map, whose keys are its caller's, and a result that may be nil.
type Tagged struct {
	capabilities.Returns[*Album]

	Tags  map[string]string `json:"tags"`
	Score float64           `json:"score,omitempty"`
}

var taggedCapability = capabilities.Declare[Tagged, *Album](`{
	"id": "example:tagged@1", "tool": "tagged", "risk": "read", "access": "public",
	"input": {
		"type": "object",
		"properties": {
			"tags": {"type": "object", "additionalProperties": {"type": "string", "enum": ["a", "b"]}},
			"score": {"type": "number", "multipleOf": 0.5}
		},
		"required": ["tags"],
		"additionalProperties": false
	},
	"output": {"type": "object"}
}`)

func (Tagged) Capability() *capabilities.Capability[Tagged, *Album] { return taggedCapability }

func taggedRegistry(t *testing.T, f func(context.Context, Tagged) (*Album, error)) *capabilities.Registry {
	t.Helper()
	registry, err := capabilities.NewRegistry(capabilities.Handle(f))
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

// callerFunc is a Caller of one function.
type callerFunc func() (capabilities.Outcome, error)

func (f callerFunc) Invoke(context.Context, capabilities.Request) (capabilities.Outcome, error) {
	return f()
}

func TestCallFails(t *testing.T) {
	fine := func(context.Context, Tagged) (*Album, error) { return &nightDrive, nil }
	none := func(context.Context, Tagged) (*Album, error) { return nil, nil }
	empty, err := capabilities.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		caller capabilities.Caller
		in     Tagged
		kind   capabilities.Kind
		text   string
	}{
		"not declared here": {empty, Tagged{}, capabilities.CapabilityMissing, "There is no such capability."},
		"no JSON form": {taggedRegistry(t, fine), Tagged{Score: math.NaN()}, capabilities.InvalidInput,
			"The input does not match the schema.\nthe input: the value has no JSON form (type)"},
		"a value that breaks the schema": {taggedRegistry(t, fine), Tagged{Score: 0.3}, capabilities.InvalidInput,
			"The input does not match the schema.\n/score: must be a multiple of 0.5 (multipleOf)"},
		"a nil result": {taggedRegistry(t, none), Tagged{}, capabilities.InvalidOutput, "The capability's result does not match its schema."},
		"a caller of the application's that answers with another type": {
			callerFunc(func() (capabilities.Outcome, error) { return capabilities.Outcome{Value: 5}, nil }), Tagged{},
			capabilities.AdapterError, "The call could not be carried out."},
	} {
		t.Run(name, func(t *testing.T) {
			album, err := capabilities.Call(t.Context(), test.caller, test.in)
			var failure *capabilities.Failure
			if !errors.As(err, &failure) || failure.Kind != test.kind || failure.Text() != test.text || album != nil {
				t.Errorf("%v, %v", album, err)
			}
		})
	}
}

// TestProblemsHoldNothingOfTheCallers: not a name, not a value, wherever they stand.
func TestProblemsHoldNothingOfTheCallers(t *testing.T) {
	for text, pointer := range map[string]string{
		`{"tags": {"CANARY": 1}}`:                   "/tags/*",
		`{"tags": {"x": "CANARY"}}`:                 "/tags/*",
		`{"tags": {"0/~1": {"CANARY": 1}}}`:         "/tags/*",
		`{"tags": {}, "CANARY": 1}`:                 "",
		`{"tags": "CANARY"}`:                        "/tags",
		`{"tags": {}, "score": "CANARY"}`:           "/score",
		`{"tags": {"CANARY": "a", CANARY}}`:         "",
		`{"CANARY": 1, "CANARY": 1}`:                "",
		`{"tags": {"CANARY": {"CANARY": 1e99999}}}`: "",
	} {
		_, err := taggedCapability.Decode([]byte(text))
		var problems capabilities.Problems
		if !errors.As(err, &problems) || problems[0].Pointer != pointer || strings.Contains(err.Error(), "CANARY") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestEqualProblemsAreOne(t *testing.T) {
	text := `{"tags": {"0": 0`
	for c := 'A'; c <= 'Z'; c++ {
		text += `, "` + string(c) + `": 0`
	}
	_, err := taggedCapability.Decode([]byte(text + `}}`))
	var problems capabilities.Problems
	// With the keys left out all of them are at the same place and say the same.
	if !errors.As(err, &problems) || len(problems) != 1 {
		t.Errorf("%d problems: %v", len(problems), err)
	}
}

// TestDeadlineNeverPassesTheMost, whatever a runtime asks for.
func TestDeadlineNeverPassesTheMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wait := func(ctx context.Context, _ Tagged) (*Album, error) { <-ctx.Done(); return nil, ctx.Err() }
		for asked, want := range map[time.Duration]time.Duration{0: 10 * time.Second, time.Second: time.Second, time.Hour: 300 * time.Second} {
			released := 0
			start := time.Now()
			_, failure := capabilities.Handle(wait).Invoke(t.Context(), []byte(`{"tags": {}}`),
				capabilities.Limits{Deadline: asked, Release: func() { released++ }})
			synctest.Wait() // the handler may be heard to return only after the answer
			if failure == nil || failure.Kind != capabilities.DeadlineExceeded || time.Since(start) != want || released != 1 {
				t.Errorf("%v: %v after %v, released %d times", asked, failure, time.Since(start), released)
			}
		}
	})
}
