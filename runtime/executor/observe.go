package executor

import (
	"context"
	"time"

	"github.com/capgen/capgen/capabilities"
)

// Observation says how a call went. It never holds input, output, credentials or the text of an error, so it is safe to log
// and to count.
type Observation struct {
	// ID is what was called.
	ID capabilities.ID
	// Kind says why the call failed; "" means that it succeeded.
	Kind capabilities.Kind
	// Code is that of the [capabilities.Error] that a handler or a resource check answered with; "" unless Kind is declined.
	Code string
	// Duration is how long the caller waited.
	Duration time.Duration
	// Binding is the name of the binding that ran or was to run; "" when none was admitted.
	Binding string
	// Problems are where the input or the result broke its schema; nil for other failures.
	Problems []ProblemRef
}

// ProblemRef is a problem without its message.
type ProblemRef struct {
	// Pointer is the JSON Pointer of the value at fault, as in [capabilities.Problem].
	Pointer string
	// Keyword is the JSON Schema keyword that failed.
	Keyword string
}

func (e *Executor) observe(ctx context.Context, c call, failure *capabilities.Failure) {
	if e.options.Observe == nil {
		return
	}
	o := Observation{ID: c.id, Duration: time.Since(c.start), Binding: c.binding}
	if failure != nil {
		o.Kind = failure.Kind
		if declined, ok := failure.Cause.(*capabilities.Error); ok && failure.Kind == capabilities.Declined {
			o.Code = declined.Code
		}
		for _, p := range failure.Problems {
			o.Problems = append(o.Problems, ProblemRef{Pointer: p.Pointer, Keyword: p.Keyword})
		}
	}
	// What watches a call must not be able to change how it ends.
	defer func() { _ = recover() }()
	e.options.Observe(ctx, o)
}
