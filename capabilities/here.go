package capabilities

import (
	"context"
	"time"

	"github.com/capgen/capgen/internal/lazyctx"
)

// abandonAfter is how long a handler has, once its context has ended, before it is abandoned: one that listens ends in that time.
const abandonAfter = 10 * time.Millisecond

// here runs the handler on this goroutine, which saves one: a timer's goroutine tells whoever watches when nobody should wait for it any longer. The
// result is false if that was done.
func (r *running) here(ctx context.Context) (heard bool, err error) {
	unwatch := r.watch(ctx)
	err = r.run(r.abandonEnded)
	if caller, ok := ctx.(*lazyctx.Context); ok {
		caller.OnEnd(nil)
	} else {
		unwatch()
	}

	// Waits for whoever abandons the call just now.
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	r.timer.Stop()
	if r.abandoned {
		return false, nil
	}
	// What ended before the handler did counts as ended, as if somebody had waited for both. But a handler that fails is heard.
	if ended := r.ctx.Err(); ended != nil && err == nil {
		err = ended
	}
	return true, err
}

// watch sets the timer, and has the call end with what ends ctx. The second is undone by the result or, for a lazyctx.Context, by its OnEnd.
func (r *running) watch(ctx context.Context) (unwatch func() bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var wait time.Duration
	r.stage, wait = r.begin()
	r.timer = time.AfterFunc(wait, r.next)
	if caller, ok := ctx.(*lazyctx.Context); ok {
		// The caller's own parent is not watched: when it ends there is nobody to be answered.
		if caller.OnEnd(r.cutOffHere) {
			go r.cutOffHere(caller.Err())
		}
		return nil
	}
	return context.AfterFunc(ctx, func() { r.cutOffHere(ctx.Err()) })
}

// next is the timer's.
func (r *running) next() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended || r.abandoned {
		return
	}
	switch r.stage {
	case untilLate:
		r.stage = untilDeadline
		r.timer.Reset(r.deadline - r.limits.LateAfter)
		r.limits.Watch.Late()
	case untilDeadline:
		r.leave(context.DeadlineExceeded)
	case untilAbandoned:
		r.abandoned = true
		r.limits.Watch.Abandon(r.stopped(r.ctx.Err()))
	}
}

// cutOffHere ends the handler's context before its time.
func (r *running) cutOffHere(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended && r.stage != untilAbandoned {
		r.leave(err)
	}
}

// leave ends the handler's context and gives it a moment.
func (r *running) leave(err error) {
	r.ctx.End(err)
	r.stage = untilAbandoned
	r.timer.Reset(abandonAfter)
}

// abandonEnded is told of a handler that ended its goroutine: what called it here will not go on.
func (r *running) abandonEnded(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.timer.Stop()
	if r.ended || r.abandoned {
		return
	}
	r.abandoned = true
	r.limits.Watch.Abandon(r.failure(err))
}
