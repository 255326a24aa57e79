package executor_test

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/executor"
)

// around is the usual interceptor, which does something before and after.
func around(name string, steps *[]string) executor.Interceptor {
	return func(ctx context.Context, _ executor.InterceptedCall, next executor.Next) error {
		*steps = append(*steps, name+" in")
		outcome, err := next(ctx)
		*steps = append(*steps, fmt.Sprintf("%s out %s %v", name, outcome.JSON, err))
		return err
	}
}

func TestInterceptorsNest(t *testing.T) {
	var steps []string
	s := setup{
		options: executor.Options{Interceptors: []executor.Interceptor{around("first", &steps), around("second", &steps)}},
		echo: func(_ context.Context, in Echo) (Said, error) {
			steps = append(steps, "handler")
			return Said{Text: in.Say}, nil
		},
	}
	e := s.executor(t)
	outcome, err := e.Invoke(t.Context(), capabilities.Request{ID: echoID, Input: input})
	if err != nil || string(outcome.JSON) != `{"text":"hello"}` || outcome.Value.(Said).Text != "hello" {
		t.Errorf("%s %v %v", outcome.JSON, outcome.Value, err)
	}
	want := `first in|second in|handler|second out {"text":"hello"} <nil>|first out {"text":"hello"} <nil>`
	if got := strings.Join(steps, "|"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// Typed calls in process go the same way.
	steps = nil
	if _, err := capabilities.Call(t.Context(), e, Echo{Say: "hello"}); err != nil || len(steps) != 5 {
		t.Errorf("%v %v", steps, err)
	}
	// What is not admitted is no call yet.
	steps = nil
	for id, kind := range map[capabilities.ID]capabilities.Kind{writeID: capabilities.NotExposed, {}: capabilities.CapabilityMissing} {
		if _, err := e.Invoke(t.Context(), capabilities.Request{ID: id, Input: input}); kindOf(t, err) != kind || steps != nil {
			t.Errorf("%q %v", kindOf(t, err), steps)
		}
	}
	// The input is checked behind them.
	_, err = e.Invoke(t.Context(), capabilities.Request{ID: echoID, Input: []byte(`{"say": 5}`)})
	if kindOf(t, err) != capabilities.InvalidInput || len(steps) != 4 || strings.Contains(steps[3], "5") {
		t.Errorf("%v %v", err, steps)
	}
}

func TestInterceptorIsTold(t *testing.T) {
	type key struct{}
	var call executor.InterceptedCall
	s := setup{
		options: executor.Options{Interceptors: []executor.Interceptor{
			func(ctx context.Context, c executor.InterceptedCall, next executor.Next) error {
				call = c
				_, err := next(context.WithValue(ctx, key{}, "of the interceptor"))
				return err
			},
		}},
		echo: func(ctx context.Context, _ Echo) (Said, error) { return Said{Text: ctx.Value(key{}).(string)}, nil },
	}
	outcome, err := s.executor(t).Invoke(t.Context(), capabilities.Request{ID: echoID, Input: input})
	if err != nil || string(outcome.JSON) != `{"text":"of the interceptor"}` {
		t.Errorf("%s %v", outcome.JSON, err)
	}
	if call.Definition != echoCapability.Definition() || call.Binding != "echo in memory" || string(call.Input) != string(input) {
		t.Errorf("%+v", call)
	}
	if o := s.observed(t); o.Kind != "" || o.Binding != "echo in memory" {
		t.Errorf("%+v", o)
	}
}

func TestInterceptorEnds(t *testing.T) {
	const canary = "CANARY"
	var nilFailure *capabilities.Failure
	known := capabilities.WithPrincipal(t.Context(), capabilities.Principal{Issuer: "i", Subject: "s", Scopes: []string{"write"}})
	failed := errors.New(canary)
	for name, test := range map[string]struct {
		interceptor executor.Interceptor
		ctx         context.Context
		kind        capabilities.Kind
		text        string
	}{
		"an error of its own": {interceptor: func(context.Context, executor.InterceptedCall, executor.Next) error { return failed },
			kind: capabilities.AdapterError, text: "The call could not be carried out."},
		"an answer": {interceptor: func(context.Context, executor.InterceptedCall, executor.Next) error {
			return fmt.Errorf("wrapped: %w", capabilities.Errorf("closed", "come back tomorrow"))
		}, kind: capabilities.Declined, text: "closed: come back tomorrow"},
		"unauthorized": {interceptor: func(context.Context, executor.InterceptedCall, executor.Next) error {
			return fmt.Errorf("%s: %w", canary, capabilities.ErrUnauthorized)
		}, kind: capabilities.Unauthorized, text: "The caller is not allowed to do this."},
		"a kind": {interceptor: func(context.Context, executor.InterceptedCall, executor.Next) error {
			return &capabilities.Failure{Kind: capabilities.Overloaded, Problems: capabilities.Problems{{Message: canary}}}
		}, kind: capabilities.Overloaded, text: "The server is at its limit of running calls. Try again later."},
		"a kind that tells problems": {interceptor: func(context.Context, executor.InterceptedCall, executor.Next) error {
			return &capabilities.Failure{Kind: capabilities.InvalidInput, Problems: capabilities.Problems{{Message: canary}}}
		}, kind: capabilities.InvalidInput, text: "The input does not match the schema."},
		"no kind": {interceptor: func(context.Context, executor.InterceptedCall, executor.Next) error {
			return &capabilities.Failure{Kind: canary}
		}, kind: capabilities.AdapterError, text: "The call could not be carried out."},
		"nothing": {interceptor: func(context.Context, executor.InterceptedCall, executor.Next) error { return nil },
			kind: capabilities.AdapterError, text: "The call could not be carried out."},
		"a nil pointer": {interceptor: func(context.Context, executor.InterceptedCall, executor.Next) error { return nilFailure },
			kind: capabilities.AdapterError, text: "The call could not be carried out."},
		"a panic": {interceptor: func(context.Context, executor.InterceptedCall, executor.Next) error { panic(canary) },
			kind: capabilities.AdapterError, text: "The call could not be carried out."},
		"an error that panics": {interceptor: func(context.Context, executor.InterceptedCall, executor.Next) error { return panickingError{} },
			kind: capabilities.AdapterError, text: "The call could not be carried out."},
		"its goroutine's end": {interceptor: func(context.Context, executor.InterceptedCall, executor.Next) error {
			goruntime.Goexit()
			return nil
		}, kind: capabilities.AdapterError, text: "The call could not be carried out."},
		"another context": {interceptor: func(_ context.Context, _ executor.InterceptedCall, next executor.Next) error {
			_, err := next(context.Background())
			return err
		}, kind: capabilities.AdapterError, text: "The call could not be carried out."},
		"no context": {interceptor: func(_ context.Context, _ executor.InterceptedCall, next executor.Next) error {
			_, err := next(nil)
			return err
		}, kind: capabilities.AdapterError, text: "The call could not be carried out."},
		"another principal": {interceptor: func(ctx context.Context, _ executor.InterceptedCall, next executor.Next) error {
			_, err := next(capabilities.WithPrincipal(ctx, capabilities.Principal{Issuer: "i", Subject: "root", Scopes: []string{"write"}}))
			return err
		}, ctx: known, kind: capabilities.AdapterError, text: "The call could not be carried out."},
		"a principal for nobody": {interceptor: func(ctx context.Context, _ executor.InterceptedCall, next executor.Next) error {
			_, err := next(capabilities.WithPrincipal(ctx, capabilities.Principal{Issuer: "i", Subject: "root"}))
			return err
		}, kind: capabilities.AdapterError, text: "The call could not be carried out."},
		"the same principal": {interceptor: func(ctx context.Context, _ executor.InterceptedCall, next executor.Next) error {
			p, _ := capabilities.PrincipalFrom(ctx)
			_, err := next(capabilities.WithPrincipal(ctx, p.Clone()))
			return err
		}, ctx: known},
		"nil after a result": {interceptor: func(ctx context.Context, _ executor.InterceptedCall, next executor.Next) error {
			_, _ = next(ctx)
			return nil
		}},
		"a second try": {interceptor: func(ctx context.Context, _ executor.InterceptedCall, next executor.Next) error {
			_, _ = next(context.Background())
			_, err := next(ctx)
			return err
		}},
		"the first of two failures": {interceptor: func(ctx context.Context, _ executor.InterceptedCall, next executor.Next) error {
			_, first := next(context.Background())
			_, _ = next(ctx)
			return fmt.Errorf("%s: %w", canary, first)
		}, kind: capabilities.AdapterError, text: "The call could not be carried out."},
		"an error after a result": {interceptor: func(ctx context.Context, _ executor.InterceptedCall, next executor.Next) error {
			_, _ = next(ctx)
			return failed
		}, kind: capabilities.AdapterError, text: "The call could not be carried out."},
	} {
		t.Run(name, func(t *testing.T) {
			var seen []string
			s := setup{options: executor.Options{MaxCalls: 1, Interceptors: []executor.Interceptor{around("outer", &seen), test.interceptor, around("inner", &seen)}}}
			e := s.executor(t)
			ctx := test.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			outcome, err := e.Invoke(ctx, capabilities.Request{ID: echoID, Input: input})
			if kindOf(t, err) != test.kind || err == nil && string(outcome.JSON) != `{"text":"hello"}` || err != nil && err.Error() != test.text {
				t.Errorf("%s %q %v, want %q %s", outcome.JSON, kindOf(t, err), err, test.kind, test.text)
			}
			if o := s.observed(t); o.Kind != test.kind {
				t.Errorf("observed %q", o.Kind)
			}
			// Those around it are told the same, unless the goroutine is gone.
			if test.text != "" && name != "its goroutine's end" && seen[len(seen)-1] != "outer out  "+test.text {
				t.Errorf("the outer one saw %q", seen)
			}
			// The one slot is free again.
			if test.kind != capabilities.Overloaded && !free(t, e) {
				t.Error("the slot is kept")
			}
		})
	}
}

// free reports whether a call finds room, however it ends.
func free(t *testing.T, e *executor.Executor) bool {
	t.Helper()
	_, err := e.Invoke(t.Context(), capabilities.Request{ID: echoID, Input: input})
	return kindOf(t, err) != capabilities.Overloaded
}

// A write that succeeded is not denied by what is said afterwards.
func TestInterceptorAfterWrite(t *testing.T) {
	for name, test := range map[string]struct {
		after error
		text  string
	}{
		"an error":      {errors.New("CANARY"), "The call could not be carried out. It may have completed: check before trying again."},
		"an answer":     {capabilities.Errorf("unrecorded", "done, but not recorded"), "unrecorded: done, but not recorded"},
		"unauthorized":  {capabilities.ErrUnauthorized, "The caller is not allowed to do this. It may have completed: check before trying again."},
		"another error": {&capabilities.Failure{Kind: capabilities.Overloaded}, "The server is at its limit of running calls. Try again later. It may have completed: check before trying again."},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup{options: executor.Options{Policy: admitAll, Interceptors: []executor.Interceptor{
				func(ctx context.Context, _ executor.InterceptedCall, next executor.Next) error {
					_, _ = next(ctx)
					return test.after
				},
			}}, write: func(context.Context, Write) error { return nil }}
			_, err := s.executor(t).Invoke(t.Context(), capabilities.Request{ID: writeID, Input: input})
			if err == nil || err.Error() != test.text {
				t.Errorf("%v, want %s", err, test.text)
			}
		})
	}
}

// The deadline covers the interceptors, and a deaf one keeps the slot as a deaf handler does.
func TestDeafInterceptor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var late error
		s := setup{options: executor.Options{Policy: admitAll, MaxCalls: 1, Interceptors: []executor.Interceptor{
			func(ctx context.Context, _ executor.InterceptedCall, next executor.Next) error {
				<-release
				_, late = next(context.WithoutCancel(ctx))
				return late
			},
		}}, write: func(context.Context, Write) error { t.Error("the handler ran after the answer"); return nil }}
		e := s.executor(t)
		start := time.Now()
		_, err := e.Invoke(t.Context(), capabilities.Request{ID: writeID, Input: input})
		if kind, took := kindOf(t, err), time.Since(start); kind != capabilities.DeadlineExceeded || took != 130*time.Millisecond {
			t.Errorf("%q after %v, want deadline-exceeded after 30ms and the interceptors' 100ms", kind, took)
		}
		if err.Error() != "The call took too long and was stopped." {
			t.Errorf("nothing had begun: %v", err)
		}
		if free(t, e) {
			t.Error("the slot is given back while the interceptor goes on")
		}
		close(release)
		synctest.Wait()
		if kindOf(t, late) != capabilities.DeadlineExceeded {
			t.Errorf("next said %v", late)
		}
		if !free(t, e) {
			t.Error("the slot is kept")
		}
	})
}

// A handler that is deaf keeps the slot after its interceptors have returned, and they have the last word about the answer.
func TestInterceptedDeafHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s := setup{options: executor.Options{Policy: admitAll, MaxCalls: 1, Interceptors: []executor.Interceptor{
			func(ctx context.Context, _ executor.InterceptedCall, next executor.Next) error {
				_, err := next(ctx)
				var failure *capabilities.Failure
				if errors.As(err, &failure) && failure.Kind == capabilities.DeadlineExceeded && failure.MayHaveCompleted {
					return capabilities.Errorf("slow", "ask for less")
				}
				return err
			},
		}}, write: func(context.Context, Write) error { <-release; return nil }}
		e := s.executor(t)
		start := time.Now()
		_, err := e.Invoke(t.Context(), capabilities.Request{ID: writeID, Input: input})
		if took := time.Since(start); took != 30*time.Millisecond || err == nil || err.Error() != "slow: ask for less" {
			t.Errorf("%v after %v", err, took)
		}
		if free(t, e) {
			t.Error("the slot is given back while the handler goes on")
		}
		close(release)
		synctest.Wait()
		if !free(t, e) {
			t.Error("the slot is kept")
		}
	})
}

// Next works for one call, while that lasts.
func TestNextOutlivesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var kept func() error
		s := setup{options: executor.Options{Interceptors: []executor.Interceptor{
			func(ctx context.Context, _ executor.InterceptedCall, next executor.Next) error {
				kept = func() error { _, err := next(context.WithoutCancel(ctx)); return err }
				return capabilities.Errorf("no", "not now")
			},
		}}, echo: func(context.Context, Echo) (Said, error) { t.Error("the handler ran"); return Said{}, nil }}
		if _, err := s.executor(t).Invoke(t.Context(), capabilities.Request{ID: echoID, Input: input}); kindOf(t, err) != capabilities.Declined {
			t.Errorf("%v", err)
		}
		if err := kept(); kindOf(t, err) == "" {
			t.Error("a call that was answered went on")
		}
	})
}

func TestManyIntercepted(t *testing.T) {
	s := setup{options: executor.Options{MaxCalls: 8, Interceptors: []executor.Interceptor{
		func(ctx context.Context, _ executor.InterceptedCall, next executor.Next) error {
			_, err := next(ctx)
			return err
		},
		func(ctx context.Context, _ executor.InterceptedCall, next executor.Next) error {
			_, _ = next(ctx)
			return nil
		},
	}}}
	e := s.executor(t)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for range 50 {
				if _, err := e.Invoke(t.Context(), capabilities.Request{ID: echoID, Input: input}); err != nil && kindOf(t, err) != capabilities.Overloaded {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	for range 8 {
		if !free(t, e) {
			t.Fatal("a slot is kept")
		}
	}
}
