package capabilities

import (
	"context"
	"errors"
	"fmt"
)

// Caller runs calls through a pipeline. A [Registry] is one, under the default policy; an executor is one, under the
// application's.
type Caller interface {
	// Invoke runs one call. The error is a *[Failure].
	Invoke(ctx context.Context, id ID, input []byte) (Outcome, error)
}

// Call runs a capability in process, typed, through the caller's whole pipeline: the input is checked as if it had come over
// the network. The error is a *[Failure].
func Call[In Declared[In, Out], Out any](ctx context.Context, caller Caller, in In) (Out, error) {
	var none Out
	capability := in.Capability()
	text, err := capability.encodeInput(in)
	if err != nil {
		return none, inputFailure(err)
	}
	outcome, err := caller.Invoke(ctx, capability.Definition().ID, text)
	if err != nil {
		return none, err
	}
	out, ok := outcome.Value.(Out)
	if !ok {
		return none, &Failure{Kind: AdapterError, Cause: fmt.Errorf("the caller returned a %T", outcome.Value)}
	}
	return out, nil
}

// inputFailure tells an input that breaks its schema from one that has no JSON form.
func inputFailure(err error) *Failure {
	var problems Problems
	if !errors.As(err, &problems) {
		problems = Problems{{Keyword: "type", Message: "the value has no JSON form"}}
	}
	return &Failure{Kind: InvalidInput, Problems: problems, Cause: err}
}
