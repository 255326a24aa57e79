package capabilities

import (
	"context"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/capgen/capgen/internal/lazyctx"
)

// callContext is the context of one handler.
type callContext struct {
	lazyctx.Context
	deadline time.Time
	attached attachments
}

// Deadline implements context.Context with the call's own, or its caller's if that is earlier.
func (c *callContext) Deadline() (time.Time, bool) {
	if above, ok := c.Context.Deadline(); ok && above.Before(c.deadline) {
		return above, true
	}
	return c.deadline, true
}

// Value implements context.Context.
func (c *callContext) Value(key any) any {
	if key == (attachKey{}) {
		return &c.attached
	}
	return c.Context.Value(key)
}

// running is a call whose resource check or handler runs.
type running struct {
	Invocation
	ctx      callContext
	limits   Limits
	deadline time.Duration
	mutates  bool
	// handling: the handler has begun, so that a write may have happened.
	handling atomic.Bool

	// One of the two ways to wait for the handler is used: events is of apart, the others are of here.
	events chan event

	mu        sync.Mutex
	timer     *time.Timer
	stage     stage
	ended     bool // the handler has
	abandoned bool // somebody was told that nobody waits for it any more
}

// stage says what the timer is set for.
type stage byte

const (
	untilLate stage = iota
	untilDeadline
	untilAbandoned
)

// begin returns the first stage and how long it takes. One timer serves for all.
func (r *running) begin() (stage, time.Duration) {
	if r.limits.Watch != nil && r.limits.LateAfter < r.deadline {
		return untilLate, r.limits.LateAfter
	}
	return untilDeadline, r.deadline
}

// run authorises the resource and calls the handler. It returns how that ended, and notReturned if it did not: then the goroutine is being ended,
// and only deferred functions still run.
func (r *running) run(notReturned func(error)) (err error) {
	returned := false
	defer func() {
		if value := recover(); value != nil {
			err = &panicError{value: value, stack: debug.Stack()}
			returned = true
		} else if !returned {
			err = &panicError{value: "the goroutine was ended"}
		}
		if err != nil && !r.handling.Load() {
			err = &resourceError{err}
		}
		r.limits.release()
		if !returned {
			notReturned(err)
		}
	}()
	err = r.handle(&r.ctx)
	returned = true
	return err
}

func (r *running) handle(ctx context.Context) error {
	principal, _ := PrincipalFrom(ctx)
	if err := r.Authorize(ctx, principal); err != nil {
		return err
	}
	// A check that is deaf to its context may say yes after the caller was told that its call was stopped.
	if err := ctx.Err(); err != nil {
		return err
	}
	r.handling.Store(true)
	return r.Run(ctx)
}

// stopped is the failure of a call that was cut off.
func (r *running) stopped(err error) *Failure {
	return &Failure{Kind: stoppedKind(err), Cause: err, MayHaveCompleted: r.mutates && r.handling.Load()}
}
