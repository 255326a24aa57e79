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

// Limits bound one call of a binding.
type Limits struct {
	// Deadline is the longest the handler may run; 0 means [DefaultDeadline]. A capability's own timeout takes its place.
	// Neither passes [MaxDeadline].
	Deadline time.Duration
	// Release is called once, when the call holds nothing any more: for a handler that is deaf to its context that is when
	// it returns, which may be long after the caller was answered. Nil does nothing.
	Release func()
}

// Outcome is a call that succeeded.
type Outcome struct {
	// JSON is the checked and encoded result.
	JSON []byte
	// Value is the result itself, of the capability's Out type.
	Value any
}

// Invoke runs one admitted call: decode and validate, handler under a deadline, check and encode. The failure is nil exactly when
// the call succeeded. A panic of the handler is a failure, and the caller is answered at the deadline, or when ctx ends, even
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
	ctx, cancel := context.WithTimeout(ctx, b.deadline(limits))
	defer cancel()

	// The handler has a goroutine of its own so that a deaf one cannot hold the answer back.
	done := make(chan error, 1)
	go run(ctx, call, limits, done)
	select {
	case err := <-done:
		return b.conclude(ctx, call, err)
	case <-ctx.Done():
	}
	// A handler that ends together with its context is heard first: its own answer says more.
	select {
	case err := <-done:
		return b.conclude(ctx, call, err)
	default:
		return Outcome{}, b.stopped(ctx.Err())
	}
}

// run calls the handler and sends how it ended, whatever it does: return, panic or end its goroutine.
func run(ctx context.Context, call Invocation, limits Limits, done chan<- error) {
	var err error = &panicError{value: "the handler ended its goroutine"}
	defer func() {
		if value := recover(); value != nil {
			err = &panicError{value: value, stack: debug.Stack()}
		}
		limits.release()
		done <- err
	}()
	err = call.Run(ctx)
}

// conclude turns how the handler ended into the call's end.
func (b Binding) conclude(ctx context.Context, call Invocation, err error) (outcome Outcome, failure *Failure) {
	if err != nil {
		return Outcome{}, b.handlerFailure(ctx, err)
	}
	// Encoding runs the result's own marshal methods, which may panic like any code of the application's.
	defer func() {
		if value := recover(); value != nil {
			outcome, failure = Outcome{}, &Failure{Kind: ResultNotSerializable, Cause: &panicError{value: value, stack: debug.Stack()}}
		}
	}()
	text, err := call.Encode()
	if err != nil {
		return Outcome{}, encodeFailure(err)
	}
	return Outcome{JSON: text, Value: call.Result()}, nil
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
		stopped := b.stopped(ctx.Err())
		stopped.Cause = err
		return stopped
	}
	return &Failure{Kind: HandlerFailed, Cause: err}
}

// isNilPointer reports whether an error is a nil pointer in disguise, whose methods cannot be relied on.
func isNilPointer(err error) bool {
	v := reflect.ValueOf(err)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

func (b Binding) stopped(err error) *Failure {
	return &Failure{Kind: stoppedKind(err), Cause: err, MayHaveCompleted: b.Definition().Risk.Mutates()}
}

func stoppedKind(err error) Kind {
	if errors.Is(err, context.DeadlineExceeded) {
		return DeadlineExceeded
	}
	return Cancelled
}
