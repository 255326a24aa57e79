package runtime_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/executor"
	"go.opentelemetry.io/otel/trace"
)

// Every way in goes through the interceptors, in their order, and finds the principal and the span.
func TestInterceptors(t *testing.T) {
	var mu sync.Mutex
	var steps []string
	step := func(name string) runtime.Option {
		return runtime.WithInterceptor(func(ctx context.Context, call executor.InterceptedCall, next executor.Next) error {
			p, _ := capabilities.PrincipalFrom(ctx)
			mu.Lock()
			steps = append(steps, fmt.Sprintf("%s %s %s %s %t", name, call.Definition.ID, p.Subject, call.Input, trace.SpanContextFromContext(ctx).IsValid()))
			mu.Unlock()
			_, err := next(ctx)
			return err
		})
	}
	s := newTraced(t, step("first"), step("second"), runtime.ResolveContext(fixedPrincipal(&capabilities.Principal{Issuer: "i", Subject: "alice"})))
	url := serveHandler(t, s.handler)
	old, batches := open(t, url, "2025-11-25"), open(t, url, "2025-03-26")
	const want = `first test:echo@1 alice {"text":"x"} true, second test:echo@1 alice {"text":"x"} true`
	for name, r := range map[string]request{
		"modern":  modernCall("1", "echo", `{"text":"x"}`),
		"session": old.call("1", "echo", `{"text":"x"}`),
		"batch":   batches.post(`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}}]`),
	} {
		steps = nil
		got := r.send(t, url)
		if seen := strings.Join(steps, ", "); seen != want || !strings.Contains(got.body, `"structuredContent":{"result":"x"}`) && name != "batch" {
			t.Errorf("%s: %s\n%s", name, seen, got.body)
		}
	}
	steps = nil
	for _, r := range []request{modernCall("1", "nope", `{}`), modernCall("1", "secret_tool", `{}`), modernRequest("1", "tools/list", "")} {
		r.send(t, url)
	}
	if steps != nil {
		t.Errorf("what is no admitted call was intercepted: %q", steps)
	}
}

// How each end of an interceptor's is told in both eras.
func TestInterceptorRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		err    error
		panics bool
		want   string
		status int
	}{
		"an answer":     {err: capabilities.Errorf("closed", "come back tomorrow"), want: `"text":"closed: come back tomorrow"`, status: 200},
		"unauthorized":  {err: capabilities.ErrUnauthorized, want: `"text":"The caller is not allowed to do this."`, status: 200},
		"overloaded":    {err: &capabilities.Failure{Kind: capabilities.Overloaded}, want: `"message":"The server is at its limit of running calls. Try again later."`, status: 503},
		"another error": {err: fmt.Errorf("CANARY-SECRET"), want: `"code":-32603,"message":"The call could not be carried out."`, status: 200},
		"nothing":       {want: `"code":-32603,"message":"The call could not be carried out."`, status: 200},
		"a panic":       {panics: true, want: `"code":-32603,"message":"The call could not be carried out."`, status: 200},
	} {
		t.Run(name, func(t *testing.T) {
			handler, err := runtime.NewHandler(registry(t, newFixture()), runtime.WithLogger(slog.New(slog.DiscardHandler)),
				runtime.WithInterceptor(func(context.Context, executor.InterceptedCall, executor.Next) error {
					if test.panics {
						panic("CANARY-SECRET")
					}
					return test.err
				}))
			if err != nil {
				t.Fatal(err)
			}
			got := modernCall("1", "echo", `{"text":"x"}`).record(handler)
			if got.status != test.status || !strings.Contains(got.body, test.want) || strings.Contains(got.body, "CANARY") {
				t.Errorf("%d %s, want %d %s", got.status, got.body, test.status, test.want)
			}
		})
	}
}
