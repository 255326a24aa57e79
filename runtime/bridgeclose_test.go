package runtime_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime"
)

// Close cuts the bridge's own streams, all of them, as errors; those of another server on the same handler go on.
func TestBridgeCloseWhileStreaming(t *testing.T) {
	release := make(chan struct{})
	var running, ended atomic.Int32
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "data: 1\n\n")
		_ = http.NewResponseController(w).Flush()
		running.Add(1)
		select {
		case <-r.Context().Done(): // returns at once, as if all were said
			ended.Add(1)
		case <-release:
			_, _ = io.WriteString(w, "data: 2\n\n")
		}
	})
	b := bridge(t, handler)
	other := httptest.NewServer(handler)
	defer other.Close()
	second := bridge(t, handler)

	begin := func(url string, out *[]*http.Response) {
		response, err := post(bridgeMessage).start(context.Background(), url)
		if err != nil {
			t.Fatal(err)
		}
		*out = append(*out, response)
	}
	var ours, theirs []*http.Response
	for range 20 {
		begin(b.URL(), &ours)
		begin(other.URL, &theirs)
		begin(second.URL(), &theirs)
	}
	eventually(t, func() bool { return running.Load() == 60 })
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if got := ended.Load(); got != 20 {
		t.Errorf("%d handlers have ended when Close returns, want 20", got)
	}
	for _, response := range ours {
		fails(t, response, nil)
	}
	close(release)
	for _, response := range theirs {
		if got := finish(t, response); got.body != "data: 1\n\ndata: 2\n\n" {
			t.Errorf("%q", got.body)
		}
	}
	if response, err := post(bridgeMessage).start(t.Context(), b.URL()); err == nil {
		response.Body.Close()
		t.Errorf("still there: %d", response.StatusCode)
	}
}

// Calls and streams of a real handler: a bridge's end cancels what its clients would have cancelled by leaving, and nothing else.
func TestBridgeCloseCancelsCalls(t *testing.T) {
	f := newFixture()
	handler, err := runtime.NewHandler(registry(t, f), runtime.Timing(time.Millisecond, 0, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	defer handler.Shutdown(context.Background())
	b, other := bridge(t, handler), httptest.NewServer(handler)
	defer other.Close()
	s := open(t, b.URL(), "2025-11-25")
	response, err := request{method: "GET", header: http.Header{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {s.id}}}.start(context.Background(), b.URL())
	if err != nil {
		t.Fatal(err)
	}
	call, err := modernCall("1", "slow", `{"ms":60000,"key":"ours"}`).start(context.Background(), b.URL()) // a stream after 1 ms
	if err != nil {
		t.Fatal(err)
	}
	theirs := modernCall("1", "slow", `{"ms":300,"key":"theirs"}`).background(t, other.URL)
	for range 2 {
		<-f.started
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	fails(t, response, nil)
	fails(t, call, nil)
	eventually(t, func() bool { return f.get("ours") == "cancelled" })
	if got := <-theirs; !strings.Contains(got.body, "slept") {
		t.Errorf("%d %s", got.status, got.body)
	}
	// The session is the handler's, and goes on wherever else it is served.
	if got := s.call("2", "echo", `{"text":"x"}`).send(t, other.URL); got.status != 200 || got.code(t) != 0 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestBridgeCloseTwice(t *testing.T) {
	b := bridge(t, stream(time.Millisecond))
	response, err := post(bridgeMessage).start(t.Context(), b.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	before := b.URL()
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := b.Close(); err != nil || b.URL() != before {
		t.Error(err, b.URL())
	}
}

// The context's end is an end like Close: clients see it as an error, also of a handler that returns because of it.
func TestBridgeContextEnds(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	b, err := runtime.StartBridge(ctx, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	if err != nil {
		t.Fatal(err)
	}
	response, err := post(bridgeMessage).start(context.Background(), b.URL())
	if err != nil {
		t.Fatal(err)
	}
	end()
	fails(t, response, nil)
	eventually(t, func() bool {
		response, err := post(bridgeMessage).start(context.Background(), b.URL())
		if err == nil {
			response.Body.Close()
		}
		return err != nil
	})
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// A handler that ignores its context is not waited for beyond the bound, and is told of. Its client is cut off at once.
func TestBridgeCloseDeaf(t *testing.T) {
	release, begun := make(chan struct{}), make(chan struct{}, 2)
	b := bridge(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		begun <- struct{}{}
		<-release
	}), runtime.BridgeTiming(time.Minute, 50*time.Millisecond))
	failed := make(chan error, 2)
	for range 2 {
		go func() {
			response, err := post(bridgeMessage).start(context.Background(), b.URL())
			if err == nil {
				response.Body.Close()
			}
			failed <- err
		}()
	}
	<-begun
	<-begun
	const want = "runtime: the bridge has ended, but its handler has not returned from 2 of its requests"
	if err := b.Close(); err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	for range 2 {
		if err := <-failed; err == nil {
			t.Error("a client is answered")
		}
	}
	close(release)
	eventually(t, func() bool { return b.Close() == nil })
}

// A handler may close the bridge that it is called over; it waits for itself in vain, and not for long.
func TestBridgeCloseFromHandler(t *testing.T) {
	bridges, closed := make(chan *runtime.Bridge, 1), make(chan error, 1)
	b := bridge(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		closed <- (<-bridges).Close()
	}), runtime.BridgeTiming(time.Minute, 100*time.Millisecond))
	bridges <- b
	response, err := post(bridgeMessage).start(t.Context(), b.URL())
	fails(t, response, err)
	select {
	case err := <-closed:
		if err == nil || !strings.Contains(err.Error(), "1 of its requests") {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("a deadlock")
	}
}

// Connections come and go while the bridge ends: none is left, and each client gets a whole answer or an error.
func TestBridgeCloseWhileConnecting(t *testing.T) {
	for range 20 {
		b := bridge(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "whole") }))
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for {
					response, err := client.Get(b.URL())
					if err != nil {
						return
					}
					body, err := io.ReadAll(response.Body)
					response.Body.Close()
					if err == nil && string(body) != "whole" {
						t.Errorf("%d %q", response.StatusCode, body)
					}
				}
			})
		}
		time.Sleep(2 * time.Millisecond)
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		all.Wait()
	}
}

// What a client sends after the end is not taken, also on a connection from before.
func TestBridgeKeptConnection(t *testing.T) {
	b := bridge(t, http.NotFoundHandler())
	conn, at := dial(t, b), endpoint(t, b)
	head := "GET " + at.Path + " HTTP/1.1\r\nHost: " + at.Host + "\r\n\r\n"
	_, _ = io.WriteString(conn, head)
	if _, err := conn.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	_, _ = io.WriteString(conn, head)
	rest, err := io.ReadAll(conn)
	if errors.Is(err, context.DeadlineExceeded) || strings.Count(string(rest), "HTTP/1.1") != 0 {
		t.Errorf("%v %s", err, rest)
	}
}
