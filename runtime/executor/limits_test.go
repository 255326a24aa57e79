package executor_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/executor"
)

// The tests below run in synctest's bubble, whose clock stands still while anything can run: they wait for nothing, and the
// times they check are exact.

func TestAbandonedHandlerKeepsItsSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s := setup{
			options: executor.Options{MaxCalls: 2, Deadline: time.Second},
			echo: func(_ context.Context, in Echo) (Said, error) {
				if in.Say == "deaf" {
					<-release
				}
				return Said{Text: in.Say}, nil
			},
		}
		e := s.executor(t)
		call := func(say string) capabilities.Kind {
			_, err := e.Invoke(t.Context(), capabilities.Request{ID: echoID, Input: fmt.Appendf(nil, `{"say": %q}`, say)})
			return kindOf(t, err)
		}
		for range 2 {
			start := time.Now()
			if kind := call("deaf"); kind != capabilities.DeadlineExceeded || time.Since(start) != time.Second {
				t.Fatalf("kind %q after %v", kind, time.Since(start))
			}
		}
		if kind := call("hello"); kind != capabilities.Overloaded {
			t.Errorf("both slots are kept, yet the kind is %q", kind)
		}
		close(release)
		synctest.Wait()
		if kind := call("hello"); kind != "" {
			t.Errorf("both handlers have returned, yet the kind is %q", kind)
		}
	})
}

func TestEveryEndGivesItsSlotBack(t *testing.T) {
	s := setup{options: executor.Options{MaxCalls: 1}, echo: func(_ context.Context, in Echo) (Said, error) {
		switch in.Say {
		case "panic":
			panic("boom")
		case "fail":
			return Said{}, errors.New("boom")
		}
		return Said{Text: in.Say}, nil
	}}
	e := s.executor(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 3 {
		for _, text := range []string{`{"say": "panic"}`, `{"say": "fail"}`, `{"say": ""}`, `{"say": "fine"}`, `{}`, `{`} {
			for _, ctx := range []context.Context{t.Context(), ended} {
				if _, err := e.Invoke(ctx, capabilities.Request{ID: echoID, Input: []byte(text)}); kindOf(t, err) == capabilities.Overloaded {
					t.Fatalf("overloaded at %s", text)
				}
			}
		}
	}
}

func TestOwnTimeoutTakesTheServersPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wait := func(ctx context.Context, _ Write) error { <-ctx.Done(); return ctx.Err() }
		s := setup{options: executor.Options{Policy: admitAll, Deadline: time.Millisecond}, write: wait}
		start := time.Now()
		_, err := s.executor(t).Invoke(t.Context(), capabilities.Request{ID: writeID, Input: input})
		if kind, took := kindOf(t, err), time.Since(start); kind != capabilities.DeadlineExceeded || took != 30*time.Millisecond {
			t.Errorf("%q after %v, want deadline-exceeded after 30ms", kind, took)
		}
	})
}

func TestCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		s := setup{options: executor.Options{Policy: admitAll}, write: func(context.Context, Write) error { <-release; return nil }}
		e := s.executor(t)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		_, err := e.Invoke(ctx, capabilities.Request{ID: writeID, Input: input})
		const want = "The call was cancelled. It may have completed: check before trying again."
		if kindOf(t, err) != capabilities.Cancelled || err.Error() != want {
			t.Errorf("%q: %v", kindOf(t, err), err)
		}
		// A call that never began has completed nothing.
		_, err = e.Invoke(ctx, capabilities.Request{ID: writeID, Input: input})
		if kindOf(t, err) != capabilities.Cancelled || err.Error() != "The call was cancelled." {
			t.Errorf("%q: %v", kindOf(t, err), err)
		}
	})
}

func TestObserverMayPanic(t *testing.T) {
	s := setup{options: executor.Options{Observe: func(context.Context, executor.Observation) { panic("boom") }}}
	outcome, err := s.executor(t).Invoke(t.Context(), capabilities.Request{ID: echoID, Input: input})
	if err != nil || string(outcome.JSON) != `{"text":"hello"}` {
		t.Errorf("%s, %v", outcome.JSON, err)
	}
}

// TestNothingLeaks sends a word through everything that a caller or a handler can write, and looks for it in what leaves.
func TestNothingLeaks(t *testing.T) {
	const canary = "CANARY"
	for name, test := range map[string]struct {
		echo  echoFunc
		input string
	}{
		"unknown name":  {input: `{"CANARY": 1}`},
		"wrong value":   {input: `{"say": "` + strings.Repeat(canary, 10) + `"}`},
		"wrong type":    {input: `{"say": ["CANARY"]}`},
		"broken syntax": {input: `{"say": "CANARY" CANARY`},
		"broken escape": {input: `{"say": "\CANARY"}`},
		"twice":         {input: `{"CANARY": 1, "CANARY": 2}`},
		"error":         {echo: func(context.Context, Echo) (Said, error) { return Said{}, errors.New(canary) }},
		"panic":         {echo: func(context.Context, Echo) (Said, error) { panic(canary) }},
		"output": {echo: func(context.Context, Echo) (Said, error) {
			return Said{More: Encoded{func() ([]byte, error) { return []byte(`"CANARY"`), nil }}}, nil
		}},
		"marshalling": {echo: func(context.Context, Echo) (Said, error) {
			return Said{Text: canary, More: Encoded{func() ([]byte, error) { return nil, errors.New(canary) }}}, nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup{echo: test.echo}
			text := test.input
			if text == "" {
				text = string(input)
			}
			_, err := s.executor(t).Invoke(t.Context(), capabilities.Request{ID: echoID, Input: []byte(text)})
			if err == nil {
				t.Fatal("the call succeeded")
			}
			told := fmt.Sprintf("%v %+v", err, s.observed(t))
			if strings.Contains(told, canary) {
				t.Errorf("it leaks: %s", told)
			}
		})
	}
}

func TestManyAtOnce(t *testing.T) {
	s := setup{options: executor.Options{MaxCalls: 8}}
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
	if len(s.seen) != 16*50 {
		t.Errorf("observed %d calls, want %d", len(s.seen), 16*50)
	}
}
