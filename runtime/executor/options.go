package executor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/capgen/capgen/capabilities"
)

// DefaultMaxCalls is how many handlers may run at once unless [Options] says otherwise.
const DefaultMaxCalls = 256

// Options configure an executor. The zero Options admit public reads, for 10 s each, 256 at a time.
type Options struct {
	// Deadline is the longest a handler may run, up to [capabilities.MaxDeadline]; 0 means [capabilities.DefaultDeadline].
	// A capability's own timeout takes its place.
	Deadline time.Duration

	// MaxCalls is how many handlers may run at once; 0 means [DefaultMaxCalls]. A handler that was abandoned, because it
	// is deaf to its context, counts until it returns.
	MaxCalls int

	// Policy decides what a caller may see and call. Nil means [PublicReads]. A panic in it counts as no.
	Policy Policy

	// Target is which bindings are used; "" means [capabilities.TargetServer].
	Target capabilities.Target

	// Interceptors are called around every call that is admitted, the first outermost; none must be nil.
	Interceptors []Interceptor
	// Observe is told of every call once, when its caller is about to be answered; nil does nothing. It is called by
	// several goroutines at once and delays the answer. A panic in it is dropped.
	Observe func(ctx context.Context, o Observation)
}

func (o Options) withDefaults() (Options, error) {
	var errs []error
	if o.Deadline < 0 || o.Deadline > capabilities.MaxDeadline {
		errs = append(errs, fmt.Errorf("the deadline is %v, it must be between 0 and %v", o.Deadline, capabilities.MaxDeadline))
	}
	if o.MaxCalls < 0 {
		errs = append(errs, fmt.Errorf("the limit of running calls is %d, it must not be negative", o.MaxCalls))
	}
	if slices.ContainsFunc(o.Interceptors, func(i Interceptor) bool { return i == nil }) {
		errs = append(errs, errors.New("an interceptor is nil"))
	}
	o.Interceptors = slices.Clone(o.Interceptors)
	if o.Deadline == 0 {
		o.Deadline = capabilities.DefaultDeadline
	}
	if o.MaxCalls == 0 {
		o.MaxCalls = DefaultMaxCalls
	}
	if o.Policy == nil {
		o.Policy = PublicReads
	}
	if o.Target == "" {
		o.Target = capabilities.TargetServer
	}
	return o, errors.Join(errs...)
}
