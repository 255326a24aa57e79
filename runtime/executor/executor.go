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

// Admitted returns what the caller that ctx stands for may call, sorted by ID: what [Executor.Invoke] would admit now. The
// slice is the caller's.
func (e *Executor) Admitted(ctx context.Context) []*capabilities.Definition {
	admitted := []*capabilities.Definition{}
	for _, def := range e.registry.Definitions() {
		if e.admit(ctx, def) == nil {
			admitted = append(admitted, def)
		}
	}
	return admitted
}

// Invoke runs one call and returns its result, or a *[capabilities.Failure] as the error. It returns at the latest when
// ctx ends or the deadline passes, whatever the handler does.
func (e *Executor) Invoke(ctx context.Context, id capabilities.ID, input []byte) (capabilities.Outcome, error) {
	c := call{id: id, input: input, start: time.Now()}
	outcome, failure := e.run(ctx, &c)
	e.observe(ctx, &c, failure)
	if failure != nil {
		return capabilities.Outcome{}, failure
	}
	return outcome, nil
}

// call is one call on its way.
type call struct {
	id      capabilities.ID
	input   []byte
	start   time.Time
	binding string // the name of the one that was found
}

// run is the pipeline.
func (e *Executor) run(ctx context.Context, c *call) (capabilities.Outcome, *capabilities.Failure) {
	// 1. Find the capability and what is bound to it.
	binding, found := e.registry.Binding(c.id)
	if !found {
		return capabilities.Outcome{}, &capabilities.Failure{Kind: capabilities.CapabilityMissing}
	}

	// 2. Admit the caller, before the input is looked at: a caller who may not call learns nothing from a refusal.
	if failure := e.admit(ctx, binding.Definition()); failure != nil {
		return capabilities.Outcome{}, failure
	}
	c.binding = binding.Name()

	// 3. Take a slot, before any work is done for the call. The handler gives it back when it returns.
	if !e.slots.take() {
		return capabilities.Outcome{}, &capabilities.Failure{Kind: capabilities.Overloaded}
	}

	// 4. Decode and validate the input, run the handler under its deadline, check and encode its result.
	return binding.Invoke(ctx, c.input, capabilities.Limits{Deadline: e.options.Deadline, Release: e.slots.give})
}
