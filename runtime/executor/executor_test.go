package executor_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/executor"
)

// TestKinds ends a call in every way that this package can end one, and checks what its caller and its observer are told.
func TestKinds(t *testing.T) {
	unknown, _ := capabilities.ParseID("example:unknown@1")
	var nilError *capabilities.Error
	returns := func(said Said, err error) echoFunc {
		return func(context.Context, Echo) (Said, error) { return said, err }
	}
	const unnamed = "example:write@1"
	deaf := make(chan struct{})
	t.Cleanup(func() { close(deaf) })

	for name, test := range map[string]*struct {
		setup    setup
		id       capabilities.ID // zero: echoID
		input    string          // "": a good one
		kind     capabilities.Kind
		text     string
		code     string
		binding  string // "": the echo's
		problems []executor.ProblemRef
	}{
		"success": {},
		"nothing declared": {
			id: unknown, kind: capabilities.CapabilityMissing, text: "There is no such capability.", binding: "-",
		},
		"not admitted by default": {
			id: writeID, kind: capabilities.NotExposed, text: "There is no such capability.", binding: "-",
		},
		"not admitted, although the input is wrong": {
			id: writeID, input: `{`, kind: capabilities.NotExposed, text: "There is no such capability.", binding: "-",
		},
		"the decision panics": {
			setup: setup{options: executor.Options{Policy: policy(func(*capabilities.Definition) executor.Decision { panic("boom") })}},
			kind:  capabilities.NotExposed, text: "There is no such capability.", binding: "-",
		},
		"invalid input": {
			input: `{"extra": 1}`, kind: capabilities.InvalidInput,
			text: "The input does not match the schema.\n" +
				"the input: has a property that is not known; the properties are say (additionalProperties)\n" +
				`the input: must have the property "say" (required)`,
			problems: []executor.ProblemRef{{Keyword: "additionalProperties"}, {Keyword: "required"}},
		},
		"not JSON": {
			input: `{"say": "x"`, kind: capabilities.InvalidInput,
			text:     "The input does not match the schema.\nthe input: is not JSON: the text ends too early (syntax)",
			problems: []executor.ProblemRef{{Keyword: "syntax"}},
		},
		"declined": {
			setup: setup{echo: returns(Said{}, capabilities.Errorf("taken", "the date is taken: try the 4th"))},
			kind:  capabilities.Declined, text: "taken: the date is taken: try the 4th", code: "taken",
		},
		"declined, wrapped": {
			setup: setup{echo: returns(Said{}, fmt.Errorf("in the store: %w", capabilities.Errorf("taken", "try the 4th")))},
			kind:  capabilities.Declined, text: "taken: try the 4th", code: "taken",
		},
		"the handler fails": {
			setup: setup{echo: returns(Said{}, errors.New("the password is x"))},
			kind:  capabilities.HandlerFailed, text: "The capability failed.",
		},
		"the handler returns a nil pointer as its error": {
			setup: setup{echo: returns(Said{}, nilError)},
			kind:  capabilities.HandlerFailed, text: "The capability failed.",
		},
		"the handler panics": {
			setup: setup{echo: func(context.Context, Echo) (Said, error) { panic("the password is x") }},
			kind:  capabilities.HandlerPanicked, text: "The capability failed.",
		},
		"the handler panics with nil": {
			setup: setup{echo: func(context.Context, Echo) (Said, error) { panic(nil) }},
			kind:  capabilities.HandlerPanicked, text: "The capability failed.",
		},
		"the handler ends its goroutine": {
			setup: setup{echo: func(context.Context, Echo) (Said, error) { runtime.Goexit(); return Said{}, nil }},
			kind:  capabilities.HandlerPanicked, text: "The capability failed.",
		},
		"the handler's error panics": {
			setup: setup{echo: returns(Said{}, panickingError{})},
			kind:  capabilities.HandlerPanicked, text: "The capability failed.",
		},
		"too long for the server": {
			setup: setup{options: executor.Options{Deadline: 20 * time.Millisecond}, echo: func(ctx context.Context, _ Echo) (Said, error) {
				<-ctx.Done()
				return Said{}, ctx.Err()
			}},
			kind: capabilities.DeadlineExceeded, text: "The call took too long and was stopped.",
		},
		"too long for itself, deaf": {
			setup: setup{options: executor.Options{Policy: admitAll}, write: func(context.Context, Write) error { <-deaf; return nil }},
			id:    writeID, kind: capabilities.DeadlineExceeded, binding: unnamed,
			text: "The call took too long and was stopped. It may have completed: check before trying again.",
		},
		"the result breaks the schema": {
			setup: setup{echo: returns(Said{}, nil)},
			kind:  capabilities.InvalidOutput, text: "The capability's result does not match its schema.",
			problems: []executor.ProblemRef{{Pointer: "/text", Keyword: "minLength"}},
		},
		"the result has no JSON form": {
			setup: setup{echo: returns(Said{Text: "x", More: Encoded{func() ([]byte, error) { return nil, errors.New("no") }}}, nil)},
			kind:  capabilities.ResultNotSerializable, text: "The capability's result cannot be sent.",
		},
		"the result panics": {
			setup: setup{echo: returns(Said{Text: "x", More: Encoded{func() ([]byte, error) { panic("no") }}}, nil)},
			kind:  capabilities.ResultNotSerializable, text: "The capability's result cannot be sent.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := executor.Observation{ID: test.id, Kind: test.kind, Code: test.code, Binding: test.binding, Problems: test.problems}
			if test.id == (capabilities.ID{}) {
				want.ID = echoID
			}
			switch want.Binding {
			case "":
				want.Binding = "echo in memory"
			case "-":
				want.Binding = ""
			}
			text := []byte(test.input)
			if test.input == "" {
				text = input
			}

			outcome, err := test.setup.executor(t).Invoke(t.Context(), capabilities.Request{ID: want.ID, Input: text})
			if kind := kindOf(t, err); kind != test.kind {
				t.Fatalf("kind %q, want %q (%v)", kind, test.kind, errors.Unwrap(err))
			}
			if err == nil && (string(outcome.JSON) != `{"text":"hello"}` || outcome.Value.(Said).Text != "hello") {
				t.Errorf("outcome %s, %+v", outcome.JSON, outcome.Value)
			}
			if err != nil && err.Error() != test.text {
				t.Errorf("text\n%s\nwant\n%s", err, test.text)
			}
			if got := test.setup.observed(t); !reflect.DeepEqual(got, want) {
				t.Errorf("observed %+v\n    want %+v", got, want)
			}
		})
	}
}

type panickingError struct{}

func (panickingError) Error() string { panic("an error that cannot be read") }
func (panickingError) Unwrap() error { panic("an error that cannot be looked through") }

func TestNewNamesEveryWrongOption(t *testing.T) {
	_, err := executor.New(nil, executor.Options{Deadline: 301 * time.Second, MaxCalls: -1, Interceptors: []executor.Interceptor{nil}})
	const want = "the registry is nil\n" +
		"the deadline is 5m1s, it must be between 0 and 5m0s\n" +
		"the limit of running calls is -1, it must not be negative\n" +
		"an interceptor is nil"
	if err == nil || err.Error() != want {
		t.Errorf("error\n%v\nwant\n%s", err, want)
	}
}

func TestListIsWhatInvokeAdmits(t *testing.T) {
	onlyWrites := policy(func(def *capabilities.Definition) executor.Decision {
		switch {
		case def == nil:
			return executor.Hide(nil)
		case def.ID == pingID:
			panic("boom")
		case def.Risk.Mutates():
			return executor.Admit
		}
		return executor.Decision{} // says nothing, so hides
	})
	for name, test := range map[string]struct {
		policy executor.Policy
		want   []capabilities.ID
	}{
		"by default, public reads": {nil, []capabilities.ID{echoID, pingID}},
		"everything":               {admitAll, []capabilities.ID{echoID, pingID, writeID}},
		"the application's choice": {onlyWrites, []capabilities.ID{writeID}},
		"none, the policy panics":  {func(context.Context) executor.Admission { panic("boom") }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup{options: executor.Options{Policy: test.policy}}
			e := s.executor(t)
			var got []capabilities.ID
			defs, failure := e.List(t.Context())
			if failure != nil {
				t.Fatal(failure)
			}
			for _, def := range defs {
				got = append(got, def.ID)
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("listed %v, want %v", got, test.want)
			}
			listed := map[capabilities.ID]bool{}
			for _, id := range got {
				listed[id] = true
			}
			for _, id := range []capabilities.ID{echoID, pingID, writeID} {
				_, err := e.Invoke(t.Context(), capabilities.Request{ID: id, Input: input})
				if hidden := kindOf(t, err) == capabilities.NotExposed; hidden == listed[id] {
					t.Errorf("%v is listed: %v, but a call of it is hidden: %v", id, listed[id], hidden)
				}
			}
		})
	}
}

// A policy that cannot decide says so alike of names that exist and of names that do not.
func TestPolicyCannotDecide(t *testing.T) {
	outage := errors.New("the store is down")
	s := setup{options: executor.Options{Policy: policy(func(def *capabilities.Definition) executor.Decision {
		if def != nil && capabilities.PublicRead(def) {
			return executor.Admit
		}
		return executor.Decision{Failure: &capabilities.Failure{Kind: capabilities.AuthorizationError, Cause: outage}}
	})}}
	e := s.executor(t)
	for id, want := range map[capabilities.ID]capabilities.Kind{
		echoID: "", writeID: capabilities.AuthorizationError, {}: capabilities.AuthorizationError,
	} {
		if _, err := e.Invoke(t.Context(), capabilities.Request{ID: id, Input: input}); kindOf(t, err) != want {
			t.Errorf("%v: %v, want %q", id, err, want)
		}
	}
	if listed, failure := e.List(t.Context()); listed != nil || failure == nil || !errors.Is(failure, outage) {
		t.Errorf("%v, %v", listed, failure)
	}
}

// What is visible may still be refused, with what is missing.
func TestMissingScopes(t *testing.T) {
	s := setup{options: executor.Options{Policy: policy(func(*capabilities.Definition) executor.Decision {
		return executor.Decision{Visible: true, Failure: &capabilities.Failure{
			Kind: capabilities.Unauthorized, Cause: &executor.MissingScopes{Scopes: []string{"read", "write"}}}}
	})}}
	e := s.executor(t)
	if listed, failure := e.List(t.Context()); len(listed) != 3 || failure != nil {
		t.Errorf("%v, %v", listed, failure)
	}
	_, err := e.Invoke(t.Context(), capabilities.Request{ID: writeID, Input: input})
	var missing *executor.MissingScopes
	if kindOf(t, err) != capabilities.Unauthorized || !errors.As(err, &missing) || missing.Error() != "the call needs the scopes read write" {
		t.Errorf("%v", err)
	}
}
