package capabilities

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// Bounds on how long a call may run.
const (
	DefaultDeadline = 10 * time.Second
	MaxDeadline     = 300 * time.Second
)

// Limits bound one call of a binding and say how it is answered.
type Limits struct {
	// Deadline is the longest the handler may run; 0 means [DefaultDeadline]. A capability's own timeout takes its place.
	// Neither passes [MaxDeadline].
	Deadline time.Duration
	// Release is called once, when the call holds nothing any more: for a handler that is deaf to its context that is when
	// it returns, which may be long after the caller was answered. Nil does nothing.
	Release func()
	// Late is called once, by Invoke's own goroutine, if the handler has not returned after LateAfter, which must be shorter than the deadline to have a
	// meaning. Nil does nothing.
	Late      func()
	LateAfter time.Duration
	// Into is what the result's JSON is appended to, and JSONOnly leaves the outcome's Value out: a caller that needs no more saves two
	// allocations.
	Into     []byte
	JSONOnly bool
}

// Outcome is a call that succeeded.
type Outcome struct {
	// JSON is the checked and encoded result, appended to what [Limits] named.
	JSON []byte
	// Value is the result itself, of the capability's Out type; nil if [Limits] wanted the JSON only.
	Value any
	// Attached is what the handler added with [Attach], in that order.
	Attached []Content
}

// Invoke runs one admitted call: decode and validate, authorise the resource and run the handler under a deadline, check and encode.
// Who calls is what [PrincipalFrom] finds in ctx. The failure is nil exactly when the call succeeded. A panic of the handler is a failure, and the caller is answered at the deadline, or when ctx ends, even
// if the handler goes on. Runtimes call it; applications use [Call].
func (b Binding) Invoke(ctx context.Context, input []byte, limits Limits) (outcome Outcome, failure *Failure) {
	call, failure := b.decodeContained(input)
	if failure != nil {
		limits.release()
		return Outcome{}, failure
	}
	// Of a call that is over before its handler began, nothing can have completed.
	if err := ctx.Err(); err != nil {
		limits.release()
		return Outcome{}, &Failure{Kind: stoppedKind(err), Cause: err}
	}
	deadline := b.deadline(limits)
	r := &running{
		Invocation: call, release: limits.Release, events: make(chan event, 2),
		ctx: callContext{parent: ctx, deadline: time.Now().Add(deadline)},
	}
	defer r.ctx.end(context.Canceled)
	defer r.ctx.attached.take()

	// The handler has a goroutine of its own so that a deaf one cannot hold the answer back.
	go r.run()
	ended, err := r.wait(ctx, deadline, limits)
	if !ended {
		r.ctx.end(err)
		// A handler that ends together with its context is heard: its own answer says more.
		if ended, err = r.ended(); !ended {
			return Outcome{}, b.stopped(r.ctx.Err(), r.handling.Load())
		}
	}
	return b.conclude(r, err, limits)
}

// running is a call whose resource check or handler runs.
type running struct {
	Invocation
	ctx     callContext
	release func()
	// handling: the handler has begun, so that a write may have happened.
	handling atomic.Bool
	// events has room for all that is sent at once: the end, and one of the timer's.
	events chan event
}

// event is what whoever waits for a handler is told.
type event struct {
	kind eventKind
	err  error // how the handler ended
}

type eventKind byte

const (
	handlerEnded eventKind = iota
	timeIsUp
)

// wait reports whether the handler has ended and how, or else why nobody waits any longer. One timer serves for both of the times.
func (r *running) wait(ctx context.Context, deadline time.Duration, limits Limits) (ended bool, err error) {
	next, late := deadline, limits.Late != nil && limits.LateAfter < deadline
	if late {
		next = limits.LateAfter
	}
	timer := time.AfterFunc(next, r.timeIsUp)
	defer timer.Stop()
	for {
		select {
		case e := <-r.events:
			switch {
			case e.kind == handlerEnded:
				return true, e.err
			case !late:
				return false, context.DeadlineExceeded
			}
			late = false
			timer.Reset(deadline - next)
			limits.Late()
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

func (r *running) timeIsUp() { r.events <- event{kind: timeIsUp} }

// ended reports whether the handler has ended by now, and how.
func (r *running) ended() (bool, error) {
	for {
		select {
		case e := <-r.events:
			if e.kind == handlerEnded {
				return true, e.err
			}
		default:
			return false, nil
		}
	}
}

// run authorises the resource, calls the handler and sends how it ended, whatever it does: return, panic or end its goroutine.
func (r *running) run() {
	ctx := &r.ctx
	var err error
	returned := false
	defer func() {
		if value := recover(); value != nil {
			err = &panicError{value: value, stack: debug.Stack()}
		} else if !returned {
			err = &panicError{value: "the goroutine was ended"}
		}
		if err != nil && !r.handling.Load() {
			err = &resourceError{err}
		}
		if r.release != nil {
			r.release()
		}
		r.events <- event{handlerEnded, err}
	}()
	err = r.handle(ctx)
	returned = true
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

// conclude turns how the handler ended into the call's end.
func (b Binding) conclude(r *running, err error, limits Limits) (outcome Outcome, failure *Failure) {
	if refused, ok := err.(*resourceError); ok {
		return Outcome{}, b.resourceFailure(&r.ctx, refused.err)
	}
	if err != nil {
		return Outcome{}, b.handlerFailure(&r.ctx, err)
	}
	// Encoding runs the result's own marshal methods, which may panic like any code of the application's.
	defer func() {
		if value := recover(); value != nil {
			outcome, failure = Outcome{}, &Failure{Kind: ResultNotSerializable, Cause: &panicError{value: value, stack: debug.Stack()}}
		}
	}()
	if outcome.JSON, err = r.AppendResult(limits.Into); err != nil {
		return Outcome{}, encodeFailure(err)
	}
	if !limits.JSONOnly {
		outcome.Value = r.Result()
	}
	outcome.Attached = r.ctx.attached.take()
	return outcome, nil
}

func (b Binding) decodeContained(input []byte) (call Invocation, failure *Failure) {
	defer func() {
		if value := recover(); value != nil {
			call, failure = nil, &Failure{Kind: AdapterError, Cause: &panicError{value: value, stack: debug.Stack()}}
		}
	}()
	call, err := b.Decode(input)
	if err != nil {
		return nil, decodeFailure(err)
	}
	return call, nil
}

func (l Limits) release() {
	if l.Release != nil {
		l.Release()
	}
}

func (b Binding) deadline(limits Limits) time.Duration {
	deadline := DefaultDeadline
	if own := time.Duration(b.Definition().Timeout); own > 0 {
		deadline = own
	} else if limits.Deadline > 0 {
		deadline = limits.Deadline
	}
	return min(deadline, MaxDeadline)
}

// panicError is a handler's panic; its text is for the log alone.
type panicError struct {
	value any
	stack []byte
}

func (p *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", p.value, p.stack) }

// resourceError is an error of the resource check.
type resourceError struct{ err error }

func (r *resourceError) Error() string { return r.err.Error() }

func decodeFailure(err error) *Failure {
	var problems Problems
	if errors.As(err, &problems) {
		return &Failure{Kind: InvalidInput, Problems: problems}
	}
	return &Failure{Kind: AdapterError, Cause: err}
}

func encodeFailure(err error) *Failure {
	var problems Problems
	if errors.As(err, &problems) {
		return &Failure{Kind: InvalidOutput, Problems: problems}
	}
	return &Failure{Kind: ResultNotSerializable, Cause: err}
}

func (b Binding) handlerFailure(ctx context.Context, err error) (failure *Failure) {
	// Looking through an error runs its own methods, which may panic like any code of the application's.
	defer func() {
		if value := recover(); value != nil {
			failure = &Failure{Kind: HandlerPanicked, Cause: &panicError{value: value, stack: debug.Stack()}}
		}
	}()
	var panicked *panicError
	var declined *Error
	switch {
	case isNilPointer(err):
		return &Failure{Kind: HandlerFailed, Cause: fmt.Errorf("the handler returned a nil %T as its error", err)}
	case errors.As(err, &panicked):
		return &Failure{Kind: HandlerPanicked, Cause: panicked}
	case errors.As(err, &declined):
		return &Failure{Kind: Declined, Cause: declined}
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		stopped := b.stopped(ctx.Err(), true)
		stopped.Cause = err
		return stopped
	}
	return &Failure{Kind: HandlerFailed, Cause: err}
}

// resourceFailure tells a refusal from a check that could not decide. The handler has not run.
func (b Binding) resourceFailure(ctx context.Context, err error) (failure *Failure) {
	defer func() {
		if value := recover(); value != nil {
			failure = &Failure{Kind: AuthorizationError, Cause: &panicError{value: value, stack: debug.Stack()}}
		}
	}()
	var declined *Error
	switch {
	case isNilPointer(err):
		return &Failure{Kind: AuthorizationError, Cause: fmt.Errorf("the resource check returned a nil %T as its error", err)}
	case errors.Is(err, ErrUnauthorized):
		return &Failure{Kind: Unauthorized, Cause: err}
	case errors.As(err, &declined):
		return &Failure{Kind: Declined, Cause: declined}
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return &Failure{Kind: stoppedKind(ctx.Err()), Cause: err}
	}
	return &Failure{Kind: AuthorizationError, Cause: err}
}

// isNilPointer reports whether an error is a nil pointer in disguise, whose methods cannot be relied on.
func isNilPointer(err error) bool {
	v := reflect.ValueOf(err)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

func (b Binding) stopped(err error, handling bool) *Failure {
	return &Failure{Kind: stoppedKind(err), Cause: err, MayHaveCompleted: handling && b.Definition().Risk.Mutates()}
}

func stoppedKind(err error) Kind {
	if errors.Is(err, context.DeadlineExceeded) {
		return DeadlineExceeded
	}
	return Cancelled
}
