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
	Invoke(ctx context.Context, request Request) (Outcome, error)
}

// Request is one call.
type Request struct {
	// ID is the capability.
	ID ID
	// Binding is the name of the binding to use, where several serve the capability; empty where one does.
	Binding string
	// Input is the input's JSON.
	Input []byte
}

// CallOption says more about a call.
type CallOption func(*Request)

// Via chooses the binding of a call by its name, where several serve the capability; see [Named].
func Via(binding string) CallOption {
	return func(r *Request) { r.Binding = binding }
}

// Call runs a capability in process, typed, through the caller's whole pipeline: the input is checked as if it had come over
// the network. The error is a *[Failure].
func Call[In Declared[In, Out], Out any](ctx context.Context, caller Caller, in In, opts ...CallOption) (Out, error) {
	var none Out
	capability := in.Capability()
	text, err := capability.encodeInput(in)
	if err != nil {
		return none, inputFailure(err)
	}
	request := Request{ID: capability.Definition().ID, Input: text}
	for _, opt := range opts {
		opt(&request)
	}
	outcome, err := caller.Invoke(ctx, request)
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
