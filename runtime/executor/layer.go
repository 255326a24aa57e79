package executor

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/capgen/capgen/capabilities"
)

// layer is one interceptor around one call, and what its next returned.
type layer struct {
	*interception

	mu        sync.Mutex
	last      *end
	succeeded bool                    // whether any next did
	failures  []*capabilities.Failure // of every next
}

// run calls the interceptor. Each is contained by itself, so that those around a broken one see how the call ends.
func (l *layer) run(ctx context.Context, interceptor Interceptor, next func(context.Context) end) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = interceptorPanic(value)
		}
	}()
	return interceptor(ctx, l.call, func(ctx context.Context) (capabilities.Outcome, error) {
		ended := next(ctx)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.last = &ended
		if ended.failure != nil {
			l.failures = append(l.failures, ended.failure)
			return capabilities.Outcome{}, ended.failure
		}
		l.succeeded = true
		return ended.outcome, nil
	})
}

// conclude turns what the interceptor returned into the end of what it wraps.
func (l *layer) conclude(err error) end {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil:
		failure := *l.classify(err)
		// The handler has done its work, whatever is said of it afterwards.
		failure.MayHaveCompleted = failure.MayHaveCompleted || l.succeeded && l.call.Definition.Risk.Mutates()
		return end{failure: &failure}
	case l.last == nil:
		return end{failure: adapterError(errors.New("an interceptor neither called next nor returned an error"))}
	}
	return *l.last
}

// classify finds the failure that an interceptor's error stands for.
func (l *layer) classify(err error) (failure *capabilities.Failure) {
	// Looking through an error runs its own methods, which may panic like any code of the application's.
	defer func() {
		if value := recover(); value != nil {
			failure = adapterError(interceptorPanic(value))
		}
	}()
	var found *capabilities.Failure
	var declined *capabilities.Error
	isFailure, isDeclined := errors.As(err, &found), errors.As(err, &declined)
	switch {
	case isFailure && found == nil, isDeclined && declined == nil:
		return adapterError(fmt.Errorf("an interceptor returned a nil pointer as its error, a %T", err))
	case isFailure && slices.Contains(l.failures, found):
		return found
	case isFailure && found.Kind != capabilities.Declined && found.Kind.Sentence() != "":
		return &capabilities.Failure{Kind: found.Kind, Cause: err}
	case isDeclined:
		return &capabilities.Failure{Kind: capabilities.Declined, Cause: declined}
	case errors.Is(err, capabilities.ErrUnauthorized):
		return &capabilities.Failure{Kind: capabilities.Unauthorized, Cause: err}
	case l.ctx.Err() != nil && errors.Is(err, l.ctx.Err()):
		stopped := l.stopped(l.ctx.Err())
		stopped.Cause = err
		return stopped
	}
	return adapterError(err)
}

func interceptorPanic(value any) error {
	return fmt.Errorf("an interceptor panicked: %v\n%s", value, debug.Stack())
}
