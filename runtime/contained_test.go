package runtime_test

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/auth"
	"github.com/capgen/capgen/runtime/executor"
	"github.com/capgen/capgen/runtime/grants"
	"go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"
)

const secret = "CANARY-SECRET"

// Everything of the application's that may panic while a server runs. The process goes on, the answer is a fixed text, and what is not
// concerned works as before.
func TestPanicsOfTheApplication(t *testing.T) {
	boom := func() { panic(secret) }
	with := func(change func(*runtime.Bearer)) func(*testing.T, *notes) []runtime.Option {
		return func(t *testing.T, n *notes) []runtime.Option { return n.options(t, change) }
	}
	and := func(options ...runtime.Option) func(*testing.T, *notes) []runtime.Option {
		return func(t *testing.T, n *notes) []runtime.Option { return append(n.options(t, nil), options...) }
	}
	const (
		public    = `"structuredContent":{"result":"alice@acme x"}`
		protected = `"structuredContent":{"result":"alice@acme acme-1"}`
		unknown   = `"error":{"code":-32602,"message":"Unknown tool: note_read"}`
		unsure    = `"code":-32603,"message":"Whether the caller is allowed to do this could not be decided."`
	)
	for name, test := range map[string]struct {
		options func(*testing.T, *notes) []runtime.Option
		find    string // what the answer to a call of the public read holds
		read    string // and of the protected one
	}{
		"nothing":     {options: and(), find: public, read: protected},
		"CanDiscover": {options: and(runtime.CanDiscover(func(context.Context, *capabilities.Definition) bool { boom(); return true })), find: `"message":"Unknown tool: note_find"`, read: protected},
		"DiscoverProtected": {options: and(runtime.DiscoverProtected(func(context.Context, *capabilities.Definition, capabilities.Principal) bool { boom(); return true })),
			find: public, read: unknown},
		"Store": {options: and(runtime.WithGrants(runtime.Grants{Store: panickingStore{}, Application: application})), find: public, read: unknown},
		"Verifier": {options: with(func(b *runtime.Bearer) {
			b.Verifier = auth.VerifierFunc(func(context.Context, string) (capabilities.Principal, error) {
				boom()
				return capabilities.Principal{}, nil
			})
		}), find: `"message":"Who is calling cannot be verified now. Try again later."`, read: `"message":"Who is calling cannot be verified now. Try again later."`},
		"Covers": {options: with(func(b *runtime.Bearer) { b.Covers = func(string, string) bool { boom(); return true } }), find: public, read: unknown},
		"Covers of every token": {options: with(func(b *runtime.Bearer) {
			b.RequiredScopes, b.Covers = []string{"other"}, func(string, string) bool { boom(); return true }
		}), find: `"message":"Internal error"`, read: `"message":"Internal error"`},
		"ResolveContext": {options: func(t *testing.T, n *notes) []runtime.Option {
			return []runtime.Option{runtime.WithBearer(n.bearer(t)), runtime.ResolveContext(
				func(*http.Request, *capabilities.Principal) (*capabilities.Principal, runtime.Authorizer, error) {
					boom()
					return nil, nil, nil
				})}
		}, find: `"message":"The call's context is not available."`, read: `"message":"The call's context is not available."`},
		"an error of ResolveContext": {options: func(t *testing.T, n *notes) []runtime.Option {
			return []runtime.Option{runtime.WithBearer(n.bearer(t)), runtime.ResolveContext(
				func(*http.Request, *capabilities.Principal) (*capabilities.Principal, runtime.Authorizer, error) {
					return nil, nil, panickingText{}
				})}
		}, find: `"message":"The call's context is not available."`, read: `"message":"The call's context is not available."`},
		"Authorizer": {options: func(t *testing.T, n *notes) []runtime.Option {
			return []runtime.Option{runtime.WithBearer(n.bearer(t)), runtime.ResolveContext(
				func(_ *http.Request, p *capabilities.Principal) (*capabilities.Principal, runtime.Authorizer, error) {
					return p, func(context.Context, *capabilities.Definition) (bool, error) { boom(); return true, nil }, nil
				})}
		}, find: public, read: unknown},
		"an error of the Authorizer": {options: func(t *testing.T, n *notes) []runtime.Option {
			return []runtime.Option{runtime.WithBearer(n.bearer(t)), runtime.ResolveContext(
				func(_ *http.Request, p *capabilities.Principal) (*capabilities.Principal, runtime.Authorizer, error) {
					return p, func(context.Context, *capabilities.Definition) (bool, error) { return false, panickingText{} }, nil
				})}
		}, find: public, read: unknown},
		"AuthorizeResource": {options: and(), find: public, read: unsure},
		"handler":           {options: and(), find: `"code":-32603,"message":"The capability failed."`, read: `"code":-32603,"message":"The capability failed."`},
		"OnToolFailure":     {options: and(runtime.OnToolFailure(func(context.Context, runtime.ToolFailure) { boom() })), find: public, read: protected},
		"interceptor": {options: and(runtime.WithInterceptor(func(context.Context, executor.InterceptedCall, executor.Next) error { boom(); return nil })),
			find: `"message":"The call could not be carried out."`, read: `"message":"The call could not be carried out."`},
		"logger":           {options: and(runtime.WithLogger(slog.New(panickingLog{}))), find: public, read: protected},
		"a derived logger": {options: and(runtime.WithLogger(slog.New(panickingLog{}).With("a", 1).WithGroup("g"))), find: public, read: protected},
		"tracer":           {options: and(runtime.WithTracerProvider(panickingTracers{})), find: public, read: protected},
		"span":             {options: and(runtime.WithTracerProvider(panickingTracers{spans: true})), find: public, read: protected},
		"meter":            {options: and(runtime.WithMeterProvider(panickingMeters{})), find: public, read: protected},
	} {
		t.Run(name, func(t *testing.T) {
			n := newNotes(t)
			n.grant(t, "alice", allScopes, nil)
			n.running = func(context.Context) {
				if name == "handler" {
					boom()
				}
			}
			var log lockedBuffer
			options := append([]runtime.Option{runtime.WithLogger(slog.New(slog.NewTextHandler(&log, nil)))}, test.options(t, n)...)
			registry := n.registry(t, true)
			if name == "AuthorizeResource" {
				registry = panickingResource(t)
			}
			handler, err := runtime.NewHandler(registry, options...)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = handler.Shutdown(context.Background()) })
			url := serveHandler(t, handler)
			scopes := allScopes
			if name == "Covers" {
				scopes = []string{"note"} // which is asked for what it covers
			}
			as := func(r request) request { return r.with("Authorization", "Bearer "+n.token(t, "alice", scopes...)) }
			for range 2 {
				for tool, want := range map[string]string{"note_find": test.find, "note_read": test.read} {
					arguments := map[string]string{"note_find": `{"id":"x"}`, "note_read": `{"id":"acme-1"}`}[tool]
					got := as(modernCall("1", tool, arguments)).send(t, url)
					if !strings.Contains(got.body, want) || strings.Contains(got.body, "CANARY") {
						t.Errorf("%s: %d %s, want %s", tool, got.status, got.body, want)
					}
				}
				if got := as(modernRequest("1", "tools/list", "")).send(t, url); strings.Contains(got.body, "CANARY") {
					t.Errorf("%s", got.body)
				}
			}
			if name == "Verifier" && strings.Contains(log.String(), "CANARY") {
				t.Errorf("a verifier's text is in the log: %s", log.String())
			}
		})
	}
}

// What panics while a server is built or begins.
func TestPanicsAtTheStart(t *testing.T) {
	for name, test := range map[string]struct {
		option runtime.Option
		want   string
	}{
		"WithToolNames": {runtime.WithToolNames(func(capabilities.ID) string { panic(secret) }), "runtime: test:boom@1: the function of runtime.WithToolNames panicked: " + secret},
		"tracers":       {runtime.WithTracerProvider(panickingTracers{atOnce: true}), "runtime: a provider of OpenTelemetry panicked: " + secret},
		"meters":        {runtime.WithMeterProvider(panickingMeters{atOnce: true}), "runtime: a provider of OpenTelemetry panicked: " + secret},
	} {
		if _, err := runtime.NewHandler(failing(t, nil), test.option); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var log lockedBuffer
	err := runtime.Run(ctx, failing(t, nil), runtime.Config{Port: runtime.FreePort}, runtime.WithLogger(slog.New(slog.NewTextHandler(&log, nil))),
		runtime.OnListen(func(net.Addr) { panic(secret) }), runtime.OnListen(func(net.Addr) { cancel() }))
	if err != nil || !strings.Contains(log.String(), `msg="the function of runtime.OnListen panicked"`) {
		t.Errorf("%v\n%s", err, log.String())
	}
}

// A broken provider is told of once, however often it breaks.
func TestBrokenProviderIsLoggedOnce(t *testing.T) {
	var log lockedBuffer
	handler, err := runtime.NewHandler(registry(t, newFixture()), runtime.WithLogger(slog.New(slog.NewTextHandler(&log, nil))), runtime.WithTracerProvider(panickingTracers{}))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		modernCall("1", "echo", `{"text":"x"}`).record(handler)
	}
	if count := strings.Count(log.String(), "a provider of OpenTelemetry panicked"); count != 1 {
		t.Errorf("%d times:\n%s", count, log.String())
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(text)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// panickingResource is a server whose resource check panics.
func panickingResource(t *testing.T) *capabilities.Registry {
	t.Helper()
	registry, err := capabilities.NewRegistry(
		capabilities.Handle(func(ctx context.Context, in NoteFind) (string, error) {
			p, _ := capabilities.PrincipalFrom(ctx)
			return p.Subject + "@" + p.TenantID + " " + in.ID, nil
		}),
		capabilities.Handle(func(context.Context, NoteRead) (string, error) { return "", nil },
			capabilities.AuthorizeResource(func(context.Context, NoteRead, capabilities.Principal) error { panic(secret) })),
		capabilities.Handle(func(context.Context, NoteDrop) (string, error) { return "", nil },
			capabilities.AuthorizeResource(func(context.Context, NoteDrop, capabilities.Principal) error { panic(secret) })),
	)
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

type panickingStore struct{ grants.Store }

func (panickingStore) Find(context.Context, grants.Key) ([]grants.Grant, error) { panic(secret) }

type panickingLog struct{}

func (panickingLog) Enabled(context.Context, slog.Level) bool  { return true }
func (panickingLog) Handle(context.Context, slog.Record) error { panic(secret) }
func (p panickingLog) WithAttrs([]slog.Attr) slog.Handler      { return p }
func (p panickingLog) WithGroup(string) slog.Handler           { return p }

type panickingTracers struct {
	tracenoop.TracerProvider
	atOnce, spans bool
}

func (p panickingTracers) Tracer(string, ...trace.TracerOption) trace.Tracer {
	if p.atOnce {
		panic(secret)
	}
	return panickingTracer{spans: p.spans}
}

type panickingTracer struct {
	tracenoop.Tracer
	spans bool
}

func (p panickingTracer) Start(ctx context.Context, _ string, _ ...trace.SpanStartOption) (context.Context, trace.Span) {
	if p.spans {
		return ctx, panickingSpan{}
	}
	panic(secret)
}

type panickingSpan struct{ tracenoop.Span }

func (panickingSpan) IsRecording() bool          { panic(secret) }
func (panickingSpan) End(...trace.SpanEndOption) { panic(secret) }

type panickingMeters struct {
	metricnoop.MeterProvider
	atOnce bool
}

func (p panickingMeters) Meter(string, ...metric.MeterOption) metric.Meter {
	if p.atOnce {
		panic(secret)
	}
	return panickingMeter{}
}

type panickingMeter struct{ metricnoop.Meter }

func (panickingMeter) Float64Histogram(string, ...metric.Float64HistogramOption) (metric.Float64Histogram, error) {
	return panickingHistogram{}, nil
}

type panickingHistogram struct{ metricnoop.Float64Histogram }

func (panickingHistogram) Record(context.Context, float64, ...metric.RecordOption) { panic(secret) }
