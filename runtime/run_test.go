package runtime_test

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

// running is a server that a test stops.
type running struct {
	url  string
	stop context.CancelFunc
	err  <-chan error
}

func run(t *testing.T, f *fixture, options ...runtime.Option) running {
	t.Helper()
	return runRegistry(t, registry(t, f), options...)
}

func runConfig(t *testing.T, f *fixture, config runtime.Config) running {
	t.Helper()
	return start(t, registry(t, f), config)
}

func runRegistry(t *testing.T, registry *capabilities.Registry, options ...runtime.Option) running {
	t.Helper()
	return start(t, registry, runtime.Config{Port: runtime.FreePort}, options...)
}

func start(t *testing.T, registry *capabilities.Registry, config runtime.Config, options ...runtime.Option) running {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	listening := make(chan net.Addr, 1)
	failed := make(chan error, 1)
	options = append(options, runtime.OnListen(func(addr net.Addr) { listening <- addr }), runtime.WithLogger(slog.New(slog.DiscardHandler)))
	go func() { failed <- runtime.Run(ctx, registry, config, options...) }()
	select {
	case addr := <-listening:
		return running{url: config.URL(addr), stop: stop, err: failed}
	case err := <-failed:
		t.Fatal(err)
		panic(err)
	}
}

func (r running) ended(t *testing.T) {
	t.Helper()
	select {
	case err := <-r.err:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Error("Run did not return")
	}
}

// When the context ends running calls end well, streams are let go, and nothing new is taken.
func TestRunStopsGracefully(t *testing.T) {
	f := newFixture()
	server := run(t, f)
	s := open(t, server.url, "2025-11-25")
	stream := request{method: "GET", header: http.Header{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {s.id}}}.background(t, server.url)
	var calls []<-chan answer
	for range 20 {
		calls = append(calls, modernCall("1", "slow", `{"ms":150}`).background(t, server.url))
	}
	onSession := s.call("1", "slow", `{"ms":150}`).background(t, server.url)
	for range 21 {
		<-f.started
	}
	begin := time.Now()
	server.stop()
	for _, call := range append(calls, onSession) {
		if got := <-call; got.status != 200 || !strings.Contains(got.body, "slept") {
			t.Errorf("%d %s", got.status, got.body)
		}
	}
	<-stream
	server.ended(t)
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("it took %v: an open stream held it up", took)
	}
	if response, err := modernCall("1", "echo", `{"text":"x"}`).start(t.Context(), server.url); err == nil {
		response.Body.Close()
		t.Errorf("still there: %d", response.StatusCode)
	}
}

// A call that outlasts the bound is cancelled, and its caller is answered.
func TestRunStopsCalls(t *testing.T) {
	f := newFixture()
	defer close(f.release)
	server := run(t, f, runtime.Timing(0, 0, 0, 30*time.Millisecond))
	s := open(t, server.url, "2025-11-25")
	pending := []<-chan answer{
		s.call("1", "deaf", `{"ms":60000}`).background(t, server.url), modernCall("2", "deaf", `{"ms":60000}`).background(t, server.url),
	}
	<-f.started
	<-f.started
	server.stop()
	for _, call := range pending {
		if got := <-call; got.status != 200 || !strings.Contains(got.body, "The call was cancelled.") {
			t.Errorf("%d %s", got.status, got.body)
		}
	}
	server.ended(t)
}

func TestRunErrors(t *testing.T) {
	if err := runtime.Run(t.Context(), registry(t, newFixture()), runtime.Config{Port: runtime.FreePort}, runtime.WithMaxCalls(0)); err == nil {
		t.Error("an option out of range is accepted")
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if err := runtime.Run(t.Context(), registry(t, newFixture()), runtime.Config{Port: taken.Addr().(*net.TCPAddr).Port}); err == nil {
		t.Error("a taken address is accepted")
	}
}

// A handler that was shut down refuses with a status that clients and proxies understand.
func TestShutdownRefuses(t *testing.T) {
	handler, err := runtime.NewHandler(registry(t, newFixture()))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := handler.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	server := &http.Server{Handler: handler}
	go server.Serve(listener)
	defer server.Close()
	got := modernCall("1", "echo", `{"text":"x"}`).send(t, "http://"+listener.Addr().String())
	if got.status != 503 || got.header.Get("Retry-After") == "" || got.code(t) != -32603 {
		t.Errorf("%d %v %s", got.status, got.header, got.body)
	}
}
