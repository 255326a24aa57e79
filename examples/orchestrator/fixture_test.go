package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/orchestrator/api"
	"github.com/capgen/capgen/examples/orchestrator/tasks"
	"github.com/capgen/capgen/examples/orchestrator/tools"
	"github.com/capgen/capgen/runtime/runtimetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// startTasks runs a task server until the test ends or stop is called, and returns its URL.
func startTasks(t *testing.T, database string, workers int) (server string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	listening, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- tasks.Run(ctx, tasks.Config{
			Addr: "127.0.0.1:0", Database: database, Workers: workers, Step: time.Millisecond,
			OnListen: func(addr net.Addr) { listening <- "http://" + addr.String() },
		})
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	select {
	case server = <-listening:
		t.Cleanup(stop)
		return server, stop
	case err := <-ended:
		cancel()
		t.Fatal(err)
	}
	return "", nil
}

func newDatabase(t *testing.T) string { return "sqlite:" + t.TempDir() + "/tasks.db" }

// connect is an agent's view of a front for a task server.
func connect(t *testing.T, server string) *runtimetest.Session {
	t.Helper()
	return connectTo(t, "", server)
}

func connectTo(t *testing.T, revision, server string) *runtimetest.Session {
	t.Helper()
	options, err := front{addr: "127.0.0.1:0"}.options()
	if err != nil {
		t.Fatal(err)
	}
	return runtimetest.ClientOf(t, revision, registryOf(t, server), options...)
}

func registryOf(t *testing.T, server string) *capabilities.Registry {
	t.Helper()
	client, err := api.NewClient(server)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	registry, err := capabilities.NewRegistry(tools.Service{Server: client}.Bindings())
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

// relay passes requests on to a task server, and holds creations back from the n-th on until the test ends or they are released.
type relay struct {
	url     string
	created atomic.Int32
	holding atomic.Bool
	held    chan struct{} // told of each creation that is held back
}

func startRelay(t *testing.T, server string, from int32) *relay {
	t.Helper()
	target, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{held: make(chan struct{}, 16)}
	r.holding.Store(true)
	proxy := httputil.NewSingleHostReverseProxy(target)
	transport := &http.Transport{}
	proxy.Transport = transport
	ended := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if request.Method == http.MethodPost && request.URL.Path == "/v1/tasks" && r.created.Add(1) >= from && r.holding.Load() {
			r.held <- struct{}{}
			select {
			case <-request.Context().Done():
			case <-ended:
			}
			return
		}
		proxy.ServeHTTP(w, request)
	}))
	r.url = s.URL
	t.Cleanup(func() {
		close(ended)
		s.Close()
		transport.CloseIdleConnections()
	})
	return r
}
