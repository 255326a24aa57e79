package executor

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"sync"
	"time"

	"github.com/capgen/capgen/capabilities"
)

// Interceptor is the application's code around every call: it measures, records, or refuses. It runs when the caller is admitted and there is
// room for the call, before the input is decoded; next goes on, with the interceptors that follow and then the handler.
//
// It can refuse a call, not let it through: the input is checked behind it, and the result is the one that next returned, so it cannot be
// replaced. What it returns is how the call ends:
//
//   - nil leaves the end to what the last next returned, be it a result or a failure. Without any it is a failure of kind adapter-error.
//   - The error of next, also wrapped, is that failure. A [capabilities.Failure] of its own keeps its kind, so that a limit of the application's
//     can be overloaded; its texts are not told.
//   - [capabilities.Errorf] is declined, with its code and text; [capabilities.ErrUnauthorized] is unauthorized.
//   - The error of a context that has ended is what ended it. Anything else, a panic too, is adapter-error, with its text in the log alone.
//
// The context that it gives to next must be derived from the one that it was given and name the same principal; else next returns a failure of
// kind adapter-error. The call's deadline covers it: at the deadline the caller is answered even if it goes on, and next runs nothing any more.
// It is called by several goroutines at once, never on the one that answers. Next may be called again, to try a read once more.
type Interceptor func(ctx context.Context, call InterceptedCall, next Next) error

// Next runs what an interceptor wraps. The error is nil or a *[capabilities.Failure]; the outcome is read-only.
type Next func(ctx context.Context) (capabilities.Outcome, error)

// InterceptedCall is what an interceptor is told; [capabilities.PrincipalFrom] tells who calls. Treat it as read-only.
type InterceptedCall struct {
	// Definition is what is called.
	Definition *capabilities.Definition
	// Binding is the name of the binding that serves the call.
	Binding string
	// Input is the JSON that the caller sent, as yet unchecked. It may hold anything, also secrets.
	Input []byte
}

// interceptorGrace is how long interceptors have to say how a call ends after its context has ended.
const interceptorGrace = 100 * time.Millisecond

// interception is one call inside its interceptors.
type interception struct {
	executor *Executor
	binding  capabilities.Binding
	call     InterceptedCall
	ctx      context.Context // the call's own; it ends at the deadline and when the call is answered

	mu      sync.Mutex
	holders int  // who may still work for the call: the interceptors, and each handler; the last one gives back the slot
	begun   bool // whether a handler may have run
	over    bool // whether the outermost interceptor has returned
}

// interceptionKey finds in a context which call it belongs to.
type interceptionKey struct{}

// end is how a call ended, or a part of it.
type end struct {
	outcome capabilities.Outcome
	failure *capabilities.Failure
}

// within is the end as the call's limits want it.
func (e end) within(limits capabilities.Limits) (capabilities.Outcome, *capabilities.Failure) {
	if limits.Into != nil && e.failure == nil {
		e.outcome.JSON = append(limits.Into, e.outcome.JSON...)
	}
	return e.outcome, e.failure
}

// intercept runs a call inside the interceptors, on a goroutine of its own, so that a deaf one cannot hold the answer back. It owns the
// call's slot. An interceptor may keep what it is given, so the input is a copy and the result is appended only in the end.
func (e *Executor) intercept(
	ctx context.Context, binding capabilities.Binding, input []byte, limits capabilities.Limits,
) (capabilities.Outcome, *capabilities.Failure) {
	ctx, cancel := context.WithTimeout(ctx, e.deadline(binding.Definition()))
	defer cancel()
	i := &interception{
		executor: e, binding: binding, holders: 1,
		call: InterceptedCall{Definition: binding.Definition(), Binding: binding.Name(), Input: bytes.Clone(input)},
	}
	i.ctx = context.WithValue(ctx, interceptionKey{}, i)
	done := make(chan end, 1)
	go i.run(done)
	var late <-chan time.Time
	if limits.Watch != nil {
		timer := time.NewTimer(limits.LateAfter)
		defer timer.Stop()
		late = timer.C
	}
	for waits := true; waits; {
		select {
		case ended := <-done:
			return ended.within(limits)
		case <-late:
			limits.Watch.Late()
		case <-ctx.Done():
			waits = false
		}
	}
	grace := time.NewTimer(interceptorGrace)
	defer grace.Stop()
	select {
	case ended := <-done:
		return ended.within(limits)
	case <-grace.C:
		return capabilities.Outcome{}, i.stopped(ctx.Err())
	}
}

// run sends how the call ended, whatever an interceptor does: return, panic or end its goroutine.
func (i *interception) run(done chan<- end) {
	ended := end{failure: adapterError(errors.New("an interceptor ended its goroutine"))}
	defer func() {
		i.mu.Lock()
		i.over = true
		i.mu.Unlock()
		i.let()
		done <- ended
	}()
	ended = i.from(i.ctx, 0)
}

// from runs what interceptor n wraps: the interceptors after it, and then the binding.
func (i *interception) from(ctx context.Context, n int) end {
	if n == len(i.executor.options.Interceptors) {
		return i.invoke(ctx)
	}
	l := &layer{interception: i}
	err := l.run(ctx, i.executor.options.Interceptors[n], func(ctx context.Context) end {
		if failure := i.check(ctx); failure != nil {
			return end{failure: failure}
		}
		return i.from(ctx, n+1)
	})
	return l.conclude(err)
}

// check refuses a context that would let the call out of what was decided about it.
func (i *interception) check(ctx context.Context) *capabilities.Failure {
	if ctx == nil || ctx.Value(interceptionKey{}) != i {
		return adapterError(errors.New("an interceptor gave next a context that is not derived from its own"))
	}
	now, known := capabilities.PrincipalFrom(ctx)
	admitted, wasKnown := capabilities.PrincipalFrom(i.ctx)
	if known != wasKnown || !reflect.DeepEqual(now, admitted) {
		return adapterError(errors.New("an interceptor gave next a context that names another principal"))
	}
	return nil
}

// invoke runs the binding, unless the call was answered already.
func (i *interception) invoke(ctx context.Context) end {
	if failure := i.hold(); failure != nil {
		return end{failure: failure}
	}
	outcome, failure := i.binding.Invoke(ctx, i.call.Input, capabilities.Limits{Deadline: i.executor.options.Deadline, Release: i.let})
	return end{outcome, failure}
}

// hold keeps the slot for a handler that begins. The call's own context is asked, since the one that next was given may be made not to end.
func (i *interception) hold() *capabilities.Failure {
	if err := i.ctx.Err(); err != nil {
		return i.stopped(err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.over {
		return adapterError(errors.New("an interceptor called next after it had returned"))
	}
	i.holders++
	i.begun = true
	return nil
}

// let gives the slot back when nothing works for the call any more.
func (i *interception) let() {
	i.mu.Lock()
	i.holders--
	last := i.holders == 0
	i.mu.Unlock()
	if last {
		i.executor.slots.give()
	}
}

// stopped is the failure of a call that was cut off.
func (i *interception) stopped(err error) *capabilities.Failure {
	i.mu.Lock()
	defer i.mu.Unlock()
	kind := capabilities.Cancelled
	if errors.Is(err, context.DeadlineExceeded) {
		kind = capabilities.DeadlineExceeded
	}
	return &capabilities.Failure{Kind: kind, Cause: err, MayHaveCompleted: i.begun && i.call.Definition.Risk.Mutates()}
}

// deadline is the longest that a call may take, as [capabilities.Binding.Invoke] has it.
func (e *Executor) deadline(def *capabilities.Definition) time.Duration {
	deadline := e.options.Deadline
	if own := time.Duration(def.Timeout); own > 0 {
		deadline = own
	}
	return min(deadline, capabilities.MaxDeadline)
}

func adapterError(cause error) *capabilities.Failure {
	return &capabilities.Failure{Kind: capabilities.AdapterError, Cause: cause}
}
