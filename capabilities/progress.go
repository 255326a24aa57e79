package capabilities

import (
	"context"
	"math"
)

// Progress tells the caller how far its call has come, if it asked for that; otherwise, and outside a call, it does nothing. Done grows from
// one report to the next, in any unit; total is what it will come to, in the same unit, and 0 or less when that is not known. The
// message is for a person and may be empty. It is sent to the caller, so it must hold nothing secret.
//
// A report that is not above the one before is dropped, and so is one of many in a short time. A slow client delays the handler by a
// bounded time. It is safe for concurrent use.
func Progress(ctx context.Context, done, total float64, message string) {
	report, ok := ctx.Value(progressKey{}).(ProgressFunc)
	if !ok || math.IsNaN(done) || math.IsInf(done, 0) {
		return
	}
	if math.IsNaN(total) || math.IsInf(total, 0) || total <= 0 {
		total = 0
	}
	report(done, total, message)
}

// ProgressFunc takes a report of [Progress]; total is 0 when it is not known.
type ProgressFunc func(done, total float64, message string)

type progressKey struct{}

// WithProgress returns a context whose calls report to f, which must be safe for concurrent use. Runtimes put it there for a caller that asks
// for progress; a program that calls in process may do so itself.
func WithProgress(ctx context.Context, f ProgressFunc) context.Context {
	return context.WithValue(ctx, progressKey{}, f)
}
