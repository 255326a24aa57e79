package runtime_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime"
)

// A call that takes longer becomes a stream at once, is kept alive, and ends with its result (HT08, HT14, HT17, SS08).
func TestLateAnswer(t *testing.T) {
	f := newFixture()
	url := server(t, f, runtime.Timing(20*time.Millisecond, 20*time.Millisecond, 0, 0))
	s := open(t, url, "2025-11-25")
	for name, r := range map[string]request{
		"2026-07-28": modernCall("1", "slow", `{"ms":400,"key":"a"}`),
		"2025-11-25": s.call("1", "slow", `{"ms":400,"key":"b"}`),
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			response, err := r.start(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			if waited := time.Since(begin); waited > 350*time.Millisecond {
				t.Errorf("the headers came after %v", waited)
			}
			got := finish(t, response)
			h := got.header
			if got.status != 200 || h.Get("Content-Type") != "text/event-stream" || h.Get("X-Accel-Buffering") != "no" || h.Get("Cache-Control") != "no-cache" {
				t.Errorf("%d %v", got.status, h)
			}
			if name == "2025-11-25" { // where a stream can be resumed
				got.body = strings.TrimPrefix(got.body, "id: capgen-1_0\nretry: 1000\ndata: \n\n")
				got.body = strings.Replace(got.body, "\nid: capgen-1_1\n", "\n", 1)
			}
			if !strings.HasPrefix(got.body, ": keep-alive\n\n") || strings.Count(got.body, "data: ") != 1 || strings.Contains(got.body, "\nid:") {
				t.Error(got.body)
			}
			if !strings.HasSuffix(got.body, "\n\n") || !strings.Contains(got.message(), `"id":1,"result":{`) || !strings.Contains(got.message(), "slept") {
				t.Error(got.body)
			}
		})
	}
}

// An error after the stream has begun is its last event.
func TestLateError(t *testing.T) {
	f := newFixture()
	defer close(f.release)
	url := server(t, f, runtime.Timing(5*time.Millisecond, 0, 0, 0), runtime.WithDeadline(40*time.Millisecond))
	got := modernCall("1", "deaf", `{"ms":60000}`).send(t, url)
	if got.status != 200 || got.header.Get("Content-Type") != "text/event-stream" || !strings.Contains(got.message(), "took too long") {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// The write timeout of the server that the handler is mounted in is meant for short answers.
func TestWriteTimeout(t *testing.T) {
	handler, err := runtime.NewHandler(registry(t, newFixture()), runtime.Timing(20*time.Millisecond, 0, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(handler)
	s.Config.WriteTimeout = 10 * time.Millisecond
	s.Start()
	defer s.Close()
	if got := modernCall("1", "slow", `{"ms":150}`).send(t, s.URL); !strings.Contains(got.message(), "slept") {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// The time that a body may take does not run on once it is read.
func TestReadDeadlineEnds(t *testing.T) {
	url := server(t, newFixture(), runtime.Timing(0, 0, 30*time.Millisecond, 0))
	if got := modernCall("1", "slow", `{"ms":100}`).send(t, url); !strings.Contains(got.body, "slept") {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// Closing the stream cancels the call on 2026-07-28 (CN01, CN02), before and after it became a stream.
func TestDisconnect(t *testing.T) {
	for name, commit := range map[string]time.Duration{"before": time.Minute, "after": time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			f := newFixture()
			url := server(t, f, runtime.Timing(commit, 0, 0, 0))
			ctx, leave := context.WithCancel(t.Context())
			go func() {
				<-f.started
				time.Sleep(20 * time.Millisecond)
				leave()
			}()
			if response, err := modernCall("1", "slow", `{"ms":60000,"key":"k"}`).start(ctx, url); err == nil {
				defer response.Body.Close()
			}
			eventually(t, func() bool { return f.get("k") == "cancelled" })
		})
	}
}

// The GET stream of a session opens at once and is kept alive (HT02, SS07).
func TestSessionStream(t *testing.T) {
	url := server(t, newFixture(), runtime.Timing(0, 10*time.Millisecond, 0, 0))
	s := open(t, url, "2025-11-25")
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	get := request{method: "GET", header: http.Header{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {s.id}}}
	response, err := get.start(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if h := response.Header; response.StatusCode != 200 || h.Get("Content-Type") != "text/event-stream" || h.Get("X-Accel-Buffering") != "no" {
		t.Errorf("%d %v", response.StatusCode, h)
	}
	var got strings.Builder
	buffer := make([]byte, 100)
	for strings.Count(got.String(), ": keep-alive\n\n") < 2 {
		n, err := response.Body.Read(buffer)
		if err != nil {
			t.Fatal(err, got.String())
		}
		got.Write(buffer[:n])
	}
	// One stream a session: go-sdk's refusal is told as ours.
	if second := get.send(t, url); second.status != 409 || second.code(t) != -32600 {
		t.Errorf("%d %s", second.status, second.body)
	}
}
