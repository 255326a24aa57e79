package executor

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/capgen/capgen/capabilities"
)

// admit returns nil when the caller may know of the capability. A panic of the application's decision is a no, and a no like
// any other: were it answered as authorization-error, a caller could tell a capability that it may not see from one that
// does not exist. The panic is the failure's cause, for the log.
func (e *Executor) admit(ctx context.Context, def *capabilities.Definition) (failure *capabilities.Failure) {
	defer func() {
		if value := recover(); value != nil {
			failure = &capabilities.Failure{Kind: capabilities.NotExposed, Cause: admitPanic(value)}
		}
	}()
	if !e.options.Admit(ctx, def) {
		return &capabilities.Failure{Kind: capabilities.NotExposed}
	}
	return nil
}

func admitPanic(value any) error {
	return fmt.Errorf("the admission decision panicked: %v\n%s", value, debug.Stack())
}
