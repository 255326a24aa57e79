package lazyctx_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/capgen/capgen/internal/lazyctx"
)

type key struct{}

// Whatever is asked of it first, it behaves like the context that package context would have made.
func TestLikeContext(t *testing.T) {
	deadline := time.Now().Add(time.Hour)
	for name, end := range map[string]func(cancelParent, cancel func()){
		"by itself":        func(_, cancel func()) { cancel() },
		"with its parent":  func(cancelParent, _ func()) { cancelParent() },
		"by both":          func(cancelParent, cancel func()) { cancelParent(); cancel() },
		"by both, reverse": func(cancelParent, cancel func()) { cancel(); cancelParent() },
		"not at all":       func(_, _ func()) {},
	} {
		for _, asked := range []string{"nothing", "Done", "Err", "AfterFunc", "a child"} {
			t.Run(name+", asked for "+asked, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					parent, cancelParent := context.WithDeadline(context.WithValue(context.Background(), key{}, "v"), deadline)
					defer cancelParent()
					theirs, cancelTheirs := context.WithCancel(parent)
					defer cancelTheirs()
					ours := lazyctx.New(parent)
					defer ours.End(context.Canceled)

					contexts := [2]context.Context{ours, theirs}
					var ran [2]bool
					var children [2]context.Context
					for i, ctx := range contexts {
						switch asked {
						case "Done":
							_ = ctx.Done()
						case "Err":
							_ = ctx.Err()
						case "AfterFunc":
							context.AfterFunc(ctx, func() { ran[i] = true })
						case "a child":
							child, cancel := context.WithCancel(ctx)
							defer cancel()
							children[i] = child
						}
					}
					end(cancelParent, func() { cancelTheirs(); ours.End(context.Canceled) })
					synctest.Wait()

					if (ours.Err() == nil) != (theirs.Err() == nil) || !errors.Is(ours.Err(), theirs.Err()) {
						t.Errorf("Err %v, theirs %v", ours.Err(), theirs.Err())
					}
					if context.Cause(ours) != context.Cause(theirs) {
						t.Errorf("Cause %v, theirs %v", context.Cause(ours), context.Cause(theirs))
					}
					if isClosed(ours.Done()) != isClosed(theirs.Done()) {
						t.Errorf("done %v, theirs %v", isClosed(ours.Done()), isClosed(theirs.Done()))
					}
					if ran[0] != ran[1] {
						t.Errorf("the function ran: %v, theirs %v", ran[0], ran[1])
					}
					if children[0] != nil && children[0].Err() != children[1].Err() {
						t.Errorf("the child's Err %v, theirs %v", children[0].Err(), children[1].Err())
					}
					if at, ok := ours.Deadline(); !ok || !at.Equal(deadline) || ours.Value(key{}) != "v" {
						t.Errorf("deadline %v, %v, value %v", at, ok, ours.Value(key{}))
					}
				})
			})
		}
	}
}

func isClosed(c <-chan struct{}) bool {
	synctest.Wait()
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestAfterFuncCanBeStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := lazyctx.New(t.Context())
		var count atomic.Int32
		stops := make([]func() bool, 3)
		for i := range stops {
			stops[i] = context.AfterFunc(ctx, func() { count.Add(1) })
		}
		if !stops[1]() || stops[1]() {
			t.Error("the first stop must say that it stopped, the second that there was nothing to stop")
		}
		ctx.End(context.Canceled)
		synctest.Wait()
		if count.Load() != 2 || stops[0]() {
			t.Errorf("%d functions ran, and one of them could be stopped afterwards", count.Load())
		}
		context.AfterFunc(ctx, func() { count.Add(1) })
		synctest.Wait()
		if count.Load() != 3 {
			t.Error("a function for the end of a context that has ended did not run")
		}
	})
}

func TestOnEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("why")
		for name, test := range map[string]struct {
			end  func(ctx *lazyctx.Context, cancelParent func())
			want error
		}{
			"ended":                {func(ctx *lazyctx.Context, _ func()) { ctx.End(why); ctx.End(context.Canceled) }, why},
			"the parent ended":     {func(_ *lazyctx.Context, cancelParent func()) { cancelParent() }, nil},
			"both, the parent did": {func(ctx *lazyctx.Context, cancelParent func()) { cancelParent(); _ = ctx.Err(); ctx.End(why) }, nil},
		} {
			parent, cancel := context.WithCancel(t.Context())
			ctx := lazyctx.New(parent)
			var told error
			if ctx.OnEnd(func(err error) { told = err }) {
				t.Errorf("%s: it has ended before", name)
			}
			test.end(ctx, cancel)
			synctest.Wait()
			if told != test.want {
				t.Errorf("%s: told %v, want %v", name, told, test.want)
			}
			if ctx.Err() != nil && !ctx.OnEnd(nil) {
				t.Errorf("%s: OnEnd does not say that it has ended", name)
			}
			cancel()
		}
	})
}

// Contexts that are derived from it need no goroutine.
func TestNoGoroutine(t *testing.T) {
	ctx := lazyctx.New(t.Context())
	defer ctx.End(context.Canceled)
	before := runtime.NumGoroutine()
	for range 100 {
		_, cancel := context.WithTimeout(ctx, time.Hour)
		defer cancel()
	}
	if after := runtime.NumGoroutine(); after > before+10 {
		t.Errorf("%d goroutines, before %d", after, before)
	}
}

func TestAllocations(t *testing.T) {
	parent, cancel := context.WithCancel(t.Context())
	defer cancel()
	var sink *lazyctx.Context
	n := testing.AllocsPerRun(100, func() {
		sink = lazyctx.New(parent)
		if sink.Err() != nil || sink.Value(key{}) != nil {
			t.Fatal("it has ended")
		}
		sink.End(context.Canceled)
	})
	if n > 1 {
		t.Errorf("%v allocations, want the context alone", n)
	}
}
