package capabilities

import (
	"context"
	"fmt"

	"github.com/capgen/capgen/capabilities/internal/reference"
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
	text, err := reference.Encode(in)
	if err != nil {
		return none, &Failure{Kind: InvalidInput, Problems: Problems{{Keyword: "type", Message: "the value has no JSON form"}}, Cause: err}
	}
	outcome, err := caller.Invoke(ctx, in.Capability().Definition().ID, text)
	if err != nil {
		return none, err
	}
	out, ok := outcome.Value.(Out)
	if !ok {
		return none, &Failure{Kind: AdapterError, Cause: fmt.Errorf("the caller returned a %T", outcome.Value)}
	}
	return out, nil
}
