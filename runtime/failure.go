package runtime

import (
	"context"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/executor"
)

// ToolFailure is a call that did not succeed, as operators may know it: it never holds input, output, credentials or the
// text of an error.
type ToolFailure struct {
	// ID is the capability that was called; zero when the call named no tool of this server.
	ID capabilities.ID
	// Tool is the name the capability has on this server; empty when the call named no tool of it, since the name is then
	// the caller's own text.
	Tool string
	// Kind says why the call failed.
	Kind capabilities.Kind
	// Code is that of the [capabilities.Error] that a handler or a resource check declined with; empty for other kinds.
	Code string
	// Observation says how it went.
	Observation Observation
}

// Observation is what can be said of a call without saying what was in it.
type Observation struct {
	// Duration is how long the caller waited.
	Duration time.Duration
	// Binding is the name of the binding that ran or was to run; empty when none was admitted.
	Binding string
	// Problems are where the input or the result broke its schema: pointers and keywords, no messages. Nil for other failures.
	Problems []executor.ProblemRef
}

// OnToolFailure has a function told of every call that fails, whatever the reason: unknown tools, invalid input and the
// server's limits too. It is called before the caller is answered and delays the answer; several goroutines call it at once. The
// context is the call's and may have ended. A panic in the function is dropped. Every option adds a function.
func OnToolFailure(f func(context.Context, ToolFailure)) Option {
	return func(c *config) {
		if f == nil {
			c.refuse("runtime.OnToolFailure: the function is nil")
			return
		}
		c.onToolFailure = append(c.onToolFailure, f)
	}
}

// observe is the executor's hook.
func (h *Handler) observe(ctx context.Context, o executor.Observation) {
	if o.Kind == "" {
		return
	}
	tool := ""
	if t := h.tools.byID[o.ID]; t != nil {
		tool = t.name
	}
	h.reportFailure(ctx, ToolFailure{
		ID:          o.ID,
		Tool:        tool,
		Kind:        o.Kind,
		Code:        o.Code,
		Observation: Observation{Duration: o.Duration, Binding: o.Binding, Problems: o.Problems},
	})
}

func (h *Handler) reportFailure(ctx context.Context, failure ToolFailure) {
	for _, hook := range h.config.onToolFailure {
		func() {
			// What watches a call must not be able to change how it ends.
			defer func() { _ = recover() }()
			hook(ctx, failure)
		}()
	}
}
