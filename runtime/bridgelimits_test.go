package runtime_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime"
)

const bridgeMessage = `{"jsonrpc":"2.0","id":7,"method":"x"}`

// stream answers with events for ever: each of 100 bytes, so often, deaf to its context. It ends when a write fails.
func stream(every time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		event := []byte("data: " + strings.Repeat("x", 92) + "\n\n")
		for {
			if _, err := w.Write(event); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			time.Sleep(every)
		}
	}
}

func TestBridgeRequestBytes(t *testing.T) {
	b := bridge(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, n, err)
	}), runtime.BridgeRequestBytes(1000))
	if got := post(strings.Repeat("x", 1000)).send(t, b.URL()); got.status != 200 || got.body != "1000 <nil>" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := post(strings.Repeat("x", 1001)).send(t, b.URL()); got.status != 413 || got.code(t) != -32600 {
		t.Errorf("%d %s", got.status, got.body)
	}
	// Without a length in advance.
	chunk := "1f4\n" + strings.Repeat("x", 500) + "\n"
	got := raw(t, b, "POST PATH HTTP/1.1\nHost: HOST\nTransfer-Encoding: chunked\n\n"+chunk+chunk+"1\nx\n0\n\n")
	if !strings.HasPrefix(got, "HTTP/1.1 413 ") || !strings.HasSuffix(got, "}}") {
		t.Error(got)
	}
}

func TestBridgeReadTimeout(t *testing.T) {
	b := bridge(t, http.NotFoundHandler(), runtime.BridgeReadTimeout(50*time.Millisecond))
	if got := raw(t, b, "POST PATH HTTP/1.1\nHost: HOST\nContent-Length: 9\n\n{"); !strings.HasPrefix(got, "HTTP/1.1 408 ") {
		t.Error(got)
	}
	// A header that never ends, and none at all.
	for _, text := range []string{"POST PATH HTTP/1.1\nHost: ", ""} {
		begin := time.Now()
		if got := raw(t, b, text); strings.Contains(got, "HTTP/1.1 2") || time.Since(begin) > 3*time.Second {
			t.Errorf("%v %s", time.Since(begin), got)
		}
	}
	// A header that is too large. What net/http reads beyond the limit is 4 KiB.
	got := raw(t, b, "POST PATH HTTP/1.1\nHost: HOST\nX: "+strings.Repeat("x", 70<<10)+"\n\n")
	if !strings.HasPrefix(got, "HTTP/1.1 431 ") {
		t.Error(got)
	}
}

func TestBridgeIdleTimeout(t *testing.T) {
	b := bridge(t, http.NotFoundHandler(), runtime.BridgeIdleTimeout(50*time.Millisecond))
	begin := time.Now()
	// The connection is kept, so that reading it to its end is waiting for the timeout.
	got := raw(t, b, "POST PATH HTTP/1.1\nHost: HOST\n\n")
	if took := time.Since(begin); !strings.HasPrefix(got, "HTTP/1.1 404 ") || took < 40*time.Millisecond || took > 3*time.Second {
		t.Errorf("%v %s", took, got)
	}
}

// While nothing is sent, a response that is too large is an error like any other.
func TestBridgeResponseBytes(t *testing.T) {
	failed := make(chan error, 1)
	b := bridge(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size := 1000
		switch r.URL.RawQuery {
		case "declared":
			w.Header().Set("Content-Length", "1001")
			size = 1
		case "over":
			size = 1001
		case "header":
			w.Header().Set("X", strings.Repeat("x", 64<<10))
		}
		_, err := w.Write(make([]byte, size))
		failed <- err
	}), runtime.BridgeResponseBytes(1000))
	if got := post(bridgeMessage).send(t, b.URL()); got.status != 200 || len(got.body) != 1000 || <-failed != nil {
		t.Errorf("%d %s", got.status, got.body)
	}
	for _, query := range []string{"?declared", "?over", "?header"} {
		got := post(bridgeMessage).send(t, b.URL()+query)
		want := `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The response is larger than the bridge allows."}}`
		if err := <-failed; got.status != 500 || got.body != want || err == nil || !strings.Contains(err.Error(), "larger than the bridge allows") {
			t.Errorf("%s: %d %s %v", query, got.status, got.body, err)
		}
	}
}

// A stream that is too large breaks off: what came is within the limit and does not look complete.
func TestBridgeStreamBytes(t *testing.T) {
	b := bridge(t, stream(0), runtime.BridgeResponseBytes(10_000))
	response, err := post(bridgeMessage).start(t.Context(), b.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err == nil || len(got) == 0 || len(got) > 10_000 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// A handler that sets "Transfer-Encoding: identity" must not make the end of the connection the end of its response.
func TestBridgeStreamIsFramed(t *testing.T) {
	for _, name := range []string{"Transfer-Encoding", "transfer-encoding"} {
		b := bridge(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header()[name] = []string{"identity"}
			stream(0)(w, r)
		}), runtime.BridgeResponseBytes(1000))
		response, err := post(bridgeMessage).start(t.Context(), b.URL())
		fails(t, response, err)
		if err == nil && (response.ContentLength != -1 || response.TransferEncoding[0] != "chunked") {
			t.Errorf("%+v", response)
		}
	}
}

// A stream that takes too long breaks off, whether its handler writes, ends with its context, or is deaf.
func TestBridgeStreamTime(t *testing.T) {
	release := make(chan struct{})
	for name, handler := range map[string]http.HandlerFunc{
		"writes": stream(5 * time.Millisecond),
		"ends": func(w http.ResponseWriter, r *http.Request) {
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		},
		"deaf": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "data: 1\n\n")
			_ = http.NewResponseController(w).Flush()
			<-release
			if _, err := io.WriteString(w, "data: 2\n\n"); err == nil {
				t.Error("the handler does not learn of it")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := bridge(t, handler, runtime.BridgeRequestTimeout(100*time.Millisecond))
			begin := time.Now()
			response, err := post(bridgeMessage).start(t.Context(), b.URL())
			fails(t, response, err)
			if took := time.Since(begin); took < 90*time.Millisecond || took > 3*time.Second {
				t.Errorf("it took %v", took)
			}
			if name == "deaf" {
				close(release)
			}
		})
	}
}

// Without a part of an answer the client is told, whatever its handler does.
func TestBridgeAnswerTime(t *testing.T) {
	release := make(chan struct{})
	for name, handler := range map[string]http.HandlerFunc{
		"ends": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"deaf": func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; ; i++ {
				w.Header().Set("X", fmt.Sprint(i)) // the answer in its place must not read this
				select {
				case <-release:
					return
				default:
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := bridge(t, handler, runtime.BridgeRequestTimeout(50*time.Millisecond), runtime.BridgeTiming(time.Minute, time.Second))
			got := post(bridgeMessage).send(t, b.URL())
			want := `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The request took longer than the bridge allows."}}`
			if got.status != 504 || got.body != want || got.header.Get("X") != "" {
				t.Errorf("%d %s", got.status, got.body)
			}
			if name == "deaf" {
				begin := time.Now()
				// The connection is given up, and does not wait for the handler.
				got := raw(t, b, "POST PATH HTTP/1.1\nHost: HOST\n\n")
				if took := time.Since(begin); !strings.HasPrefix(got, "HTTP/1.1 504 ") || !strings.HasSuffix(got, "}}") || took > 3*time.Second {
					t.Errorf("%v %s", took, got)
				}
				close(release)
			}
		})
	}
}

// The time of a write is for one write: a stream that is read goes on.
func TestBridgeWriteWait(t *testing.T) {
	b := bridge(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for range 6 {
			_, _ = io.WriteString(w, "data: 1\n\n")
			_ = http.NewResponseController(w).Flush()
			time.Sleep(50 * time.Millisecond)
		}
		_, _ = io.WriteString(w, "data: 2\n\n") // net/http's to send
	}), runtime.BridgeTiming(100*time.Millisecond, time.Second))
	if got := post(bridgeMessage).send(t, b.URL()); !strings.HasSuffix(got.body, "2\n\n") {
		t.Errorf("%q", got.body)
	}
}

// A client that reads nothing holds a handler no longer than one write may take, and no longer than a request may.
func TestBridgeSlowReader(t *testing.T) {
	for name, limit := range map[string]runtime.BridgeOption{
		"write":   runtime.BridgeTiming(50*time.Millisecond, time.Second),
		"request": runtime.BridgeRequestTimeout(50 * time.Millisecond),
	} {
		t.Run(name, func(t *testing.T) {
			ended := make(chan error, 1)
			b := bridge(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				for {
					if _, err := w.Write(make([]byte, 64<<10)); err != nil {
						ended <- err
						return
					}
				}
			}), limit, runtime.BridgeResponseBytes(runtime.MaxBridgeResponseBytes))
			conn, at := dial(t, b), endpoint(t, b)
			fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", at.Path, at.Host)
			select {
			case <-ended:
			case <-time.After(5 * time.Second):
				t.Error("the handler still writes")
			}
		})
	}
}

// Connections past the limit are told so, and those that are far past it are closed.
func TestBridgeConnections(t *testing.T) {
	b := bridge(t, http.NotFoundHandler(), runtime.BridgeConnections(2))
	first, second := dial(t, b), dial(t, b)
	eventually(t, func() bool {
		got := raw(t, b, "POST PATH HTTP/1.1\nHost: HOST\n\n")
		return strings.HasPrefix(got, "HTTP/1.1 503 ") && strings.Contains(got, "Retry-After: 1\r\n") && strings.HasSuffix(got, "}}")
	})
	for range 16 {
		dial(t, b)
	}
	eventually(t, func() bool {
		return raw(t, b, "") == "" // it is closed, and does not wait for a header
	})
	first.Close()
	second.Close()
	// Those that were past the limit keep their lot: they are told, not served.
	b2 := bridge(t, http.NotFoundHandler(), runtime.BridgeConnections(1))
	held := dial(t, b2)
	held.Close()
	eventually(t, func() bool {
		return strings.HasPrefix(raw(t, b2, "POST PATH HTTP/1.1\nHost: HOST\nConnection: close\n\n"), "HTTP/1.1 404 ")
	})
}

// A handler that is deaf to its context keeps its place, so that cut requests cannot pile up.
func TestBridgeDeafHandlersCount(t *testing.T) {
	release := make(chan struct{})
	b := bridge(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = http.NewResponseController(w).Flush()
		<-release
	}), runtime.BridgeConnections(1), runtime.BridgeRequestTimeout(20*time.Millisecond))
	response, err := post(bridgeMessage).start(t.Context(), b.URL())
	fails(t, response, err)
	if got := post(bridgeMessage).send(t, b.URL()); got.status != 503 {
		t.Errorf("%d %s", got.status, got.body)
	}
	close(release)
}

// A goroutine that a handler leaves behind may write as long as it likes.
func TestBridgeWriteAfterReturn(t *testing.T) {
	left := make(chan error)
	b := bridge(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		returned := make(chan struct{})
		defer close(returned)
		go func() {
			<-returned
			time.Sleep(20 * time.Millisecond)
			_, err := w.Write([]byte("late"))
			w.(http.Flusher).Flush()
			w.WriteHeader(http.StatusTeapot)
			left <- err
		}()
	}))
	if got := post(bridgeMessage).send(t, b.URL()); got.status != 200 || got.body != "" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if err := <-left; err == nil || err.Error() != "runtime: the handler has returned already" {
		t.Error(err)
	}
}
