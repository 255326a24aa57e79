// Package executor carries calls through the one pipeline that every way in shares: find, admit, run under a deadline, answer.
// It knows nothing of MCP or HTTP.
package executor

import (
	"context"
	"errors"
	"time"

	"github.com/capgen/capgen/capabilities"
)

// Executor runs calls of a registry's capabilities under one policy. It is a [capabilities.Caller] and is safe for
// concurrent use. It holds nothing that needs closing.
type Executor struct {
	registry *capabilities.Registry
	options  Options
	slots    slots
}

var _ capabilities.Caller = (*Executor)(nil)

// New returns an executor. The error names every option that is out of range.
func New(registry *capabilities.Registry, options Options) (*Executor, error) {
	options, err := options.withDefaults()
	if registry == nil {
		err = errors.Join(errors.New("the registry is nil"), err)
	}
	if err != nil {
		return nil, err
	}
	return &Executor{registry: registry, options: options, slots: newSlots(options.MaxCalls)}, nil
}

// List returns what the caller that ctx stands for may know of, sorted by ID: what a call would not answer as missing. The slice is
// the caller's. The failure says that the policy could not decide.
func (e *Executor) List(ctx context.Context) ([]*capabilities.Definition, *capabilities.Failure) {
	admission := e.begin(ctx)
	visible := []*capabilities.Definition{}
	for _, def := range e.registry.Definitions() {
		decision := admission.decide(def)
		switch {
		case decision.Visible:
			visible = append(visible, def)
		case decision.Failure.Kind != capabilities.NotExposed:
			return nil, decision.Failure
		}
	}
	return visible, nil
}

// Invoke runs one call and returns its result, or a *[capabilities.Failure] as the error. It returns at the latest when
// ctx ends or the deadline passes, whatever the handler does; with interceptors, a tenth of a second later, which is theirs.
func (e *Executor) Invoke(ctx context.Context, request capabilities.Request) (capabilities.Outcome, error) {
	admitted, failure := e.Admit(ctx, request.ID)
	if failure != nil {
		return capabilities.Outcome{}, failure
	}
	return admitted.Invoke(ctx, request.Binding, request.Input)
}

// Admitted is a call that its caller may make. Invoke it once.
type Admitted struct {
	executor *Executor
	call     call
}

// call is one call on its way.
type call struct {
	id      capabilities.ID
	start   time.Time
	binding string // the name of the one that was found
}

// Admit decides whether the caller that ctx stands for may call a capability, before anybody looks at the input: a caller who may not
// call learns nothing from a refusal. It is for adapters that have something to check in between; [Executor.Invoke] is both steps. The
// zero ID stands for a name that no capability has.
func (e *Executor) Admit(ctx context.Context, id capabilities.ID) (*Admitted, *capabilities.Failure) {
	a := &Admitted{executor: e, call: call{id: id, start: time.Now()}}
	def, found := e.registry.Definition(id)
	failure := e.begin(ctx).decide(def).Failure
	if !found && (failure == nil || failure.Kind == capabilities.NotExposed) {
		missing := &capabilities.Failure{Kind: capabilities.CapabilityMissing}
		if failure != nil {
			missing.Cause = failure.Cause
		}
		failure = missing
	}
	if failure != nil {
		e.observe(ctx, &a.call, failure)
		return nil, failure
	}
	return a, nil
}

// Invoke runs the call, by the binding of that name if several serve the capability. It returns as [Executor.Invoke] does.
func (a *Admitted) Invoke(ctx context.Context, binding string, input []byte) (capabilities.Outcome, error) {
	outcome, failure := a.executor.run(ctx, &a.call, binding, input)
	a.executor.observe(ctx, &a.call, failure)
	if failure != nil {
		return capabilities.Outcome{}, failure
	}
	return outcome, nil
}

// run is the pipeline of an admitted call.
func (e *Executor) run(ctx context.Context, c *call, name string, input []byte) (capabilities.Outcome, *capabilities.Failure) {
	// 1. The binding that serves here.
	binding, failure := e.registry.Select(c.id, e.options.Target, name)
	if failure != nil {
		return capabilities.Outcome{}, failure
	}
	c.binding = binding.Name()

	// 2. A slot, before any work is done for the call. The handler gives it back when it returns.
	if !e.slots.take() {
		return capabilities.Outcome{}, &capabilities.Failure{Kind: capabilities.Overloaded}
	}

	// 3. The application's own code around it, which ends with step 4.
	if len(e.options.Interceptors) > 0 {
		return e.intercept(ctx, binding, input)
	}

	// 4. Decode and validate the input, authorise its resource, run the handler under its deadline, check and encode its result.
	return binding.Invoke(ctx, input, capabilities.Limits{Deadline: e.options.Deadline, Release: e.slots.give})
}
