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
	release  func() // gives a slot back
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
	e := &Executor{registry: registry, options: options, slots: slots{limit: int64(options.MaxCalls)}}
	e.release = e.slots.give
	return e, nil
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

// Admitted is a call that its caller may make. Invoke or Run it once.
type Admitted struct {
	executor *Executor
	call     call
}

// call is one call on its way.
type call struct {
	id      capabilities.ID
	start   time.Time // zero unless somebody observes
	binding string    // the name of the one that was found
}

// Admit decides whether the caller that ctx stands for may call a capability, before anybody looks at the input: a caller who may not
// call learns nothing from a refusal. It is for adapters that have something to check in between; [Executor.Invoke] is both steps. The
// zero ID stands for a name that no capability has.
func (e *Executor) Admit(ctx context.Context, id capabilities.ID) (Admitted, *capabilities.Failure) {
	a := Admitted{executor: e, call: call{id: id}}
	if e.options.Observe != nil {
		a.call.start = time.Now()
	}
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
		e.observe(ctx, a.call, failure)
		return Admitted{}, failure
	}
	return a, nil
}

// Invoke runs the call, by the binding of that name if several serve the capability. It returns as [Executor.Invoke] does.
func (a Admitted) Invoke(ctx context.Context, binding string, input []byte) (capabilities.Outcome, error) {
	outcome, failure := a.Run(ctx, binding, input, capabilities.Limits{})
	if failure != nil {
		return capabilities.Outcome{}, failure
	}
	return outcome, nil
}

// Run is Invoke for adapters, which say in limits how they answer; its Deadline and Release are the executor's own. The failure is nil when the call
// succeeded, and when it was abandoned.
func (a Admitted) Run(ctx context.Context, binding string, input []byte, limits capabilities.Limits) (capabilities.Outcome, *capabilities.Failure) {
	if a.executor.options.Observe != nil && limits.Watch != nil {
		limits.Watch = &observedWatcher{Watcher: limits.Watch, admitted: &a, ctx: ctx}
	}
	outcome, failure := a.executor.run(ctx, &a.call, binding, input, limits)
	if !outcome.Abandoned {
		a.executor.observe(ctx, a.call, failure)
	}
	return outcome, failure
}

// observedWatcher has a call that is abandoned observed.
type observedWatcher struct {
	capabilities.Watcher
	admitted *Admitted
	ctx      context.Context
}

func (w *observedWatcher) Abandon(failure *capabilities.Failure) {
	w.admitted.executor.observe(w.ctx, w.admitted.call, failure)
	w.Watcher.Abandon(failure)
}

// run is the pipeline of an admitted call.
func (e *Executor) run(ctx context.Context, c *call, name string, input []byte, limits capabilities.Limits) (capabilities.Outcome, *capabilities.Failure) {
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
		return e.intercept(ctx, binding, input, limits)
	}

	// 4. Decode and validate the input, authorise its resource, run the handler under its deadline, check and encode its result.
	limits.Deadline, limits.Release = e.options.Deadline, e.release
	return binding.Invoke(ctx, input, limits)
}
