package capabilities

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
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
	// Watch is told of a handler that takes long: after LateAfter, if that is before the deadline. Nil is not told.
	Watch     Watcher
	LateAfter time.Duration
	// Here runs the handler on the goroutine that calls Invoke, which then does not return before the handler: Watch, which must not be nil, is told when
	// the caller is to be answered by somebody else. Otherwise the handler has a goroutine of its own.
	Here bool
	// Into is what the result's JSON is appended to, and JSONOnly leaves the outcome's Value out: a caller that needs no more saves two
	// allocations.
	Into     []byte
	JSONOnly bool
}

// Watcher is told of a call whose handler takes long. What a call tells it, it tells by turns.
type Watcher interface {
	// Late is called once, if the handler has not returned after [Limits.LateAfter].
	Late()
	// Abandon is called, with [Limits.Here] only, when the call is over and its handler goes on: at the deadline, or when ctx was ended, and a moment later.
	// Whoever called Invoke cannot answer then. It is called on another goroutine, or on the handler's own while that is ended by [runtime.Goexit].
	Abandon(failure *Failure)
}

// Outcome is a call that succeeded.
type Outcome struct {
	// JSON is the checked and encoded result, appended to what [Limits] named.
	JSON []byte
	// Value is the result itself, of the capability's Out type; nil if [Limits] wanted the JSON only.
	Value any
	// Attached is what the handler added with [Attach], in that order.
	Attached []Content
	// Abandoned: there is no outcome, since a [Watcher] was told of the end before.
	Abandoned bool
}

// Invoke runs one admitted call: decode and validate, authorise the resource and run the handler under a deadline, check and encode.
// Who calls is what [PrincipalFrom] finds in ctx. The failure is nil when the call succeeded, and when it was abandoned. A panic of the handler is a failure, and the caller is answered at the deadline, or when ctx ends, even
// if the handler goes on: by Invoke, or with [Limits.Here] by what is told to the [Watcher]. Runtimes call it; applications use [Call].
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
	r := &running{Invocation: call, limits: limits, deadline: b.deadline(limits), mutates: b.Definition().Risk.Mutates()}
	r.ctx.Init(ctx)
	r.ctx.deadline = time.Now().Add(r.deadline)
	defer r.ctx.End(context.Canceled)
	defer r.ctx.attached.take()

	if limits.Here {
		heard, err := r.here(ctx)
		if !heard {
			return Outcome{Abandoned: true}, nil
		}
		return r.conclude(err)
	}
	ended, err := r.apart(ctx)
	if !ended {
		return Outcome{}, r.stopped(err)
	}
	return r.conclude(err)
}

// conclude turns how the handler ended into the call's end.
func (r *running) conclude(err error) (outcome Outcome, failure *Failure) {
	if err != nil {
		return Outcome{}, r.failure(err)
	}
	// Encoding runs the result's own marshal methods, which may panic like any code of the application's.
	defer func() {
		if value := recover(); value != nil {
			outcome, failure = Outcome{}, &Failure{Kind: ResultNotSerializable, Cause: &panicError{value: value, stack: debug.Stack()}}
		}
	}()
	if outcome.JSON, err = r.AppendResult(r.limits.Into); err != nil {
		return Outcome{}, encodeFailure(err)
	}
	if !r.limits.JSONOnly {
		outcome.Value = r.Result()
	}
	outcome.Attached = r.ctx.attached.take()
	return outcome, nil
}

// failure is how a call failed whose resource check or handler ended with an error.
func (r *running) failure(err error) *Failure {
	if refused, ok := err.(*resourceError); ok {
		return r.resourceFailure(refused.err)
	}
	return r.handlerFailure(err)
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

func (r *running) handlerFailure(err error) (failure *Failure) {
	ctx := &r.ctx
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
		stopped := r.stopped(ctx.Err())
		stopped.Cause = err
		return stopped
	}
	return &Failure{Kind: HandlerFailed, Cause: err}
}

// resourceFailure tells a refusal from a check that could not decide. The handler has not run.
func (r *running) resourceFailure(err error) (failure *Failure) {
	ctx := &r.ctx
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

func stoppedKind(err error) Kind {
	if errors.Is(err, context.DeadlineExceeded) {
		return DeadlineExceeded
	}
	return Cancelled
}
