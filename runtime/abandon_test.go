package runtime_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

// hidden is a writer of the application's that has no connection to take.
type hidden struct{ http.ResponseWriter }

func (h hidden) Flush() { h.ResponseWriter.(http.Flusher).Flush() }

// claims is a writer that says it had one.
type claims struct{ hidden }

func (claims) Hijack() (net.Conn, *bufio.ReadWriter, error) { return nil, nil, errors.New("no") }

// Whatever the handler is mounted in, the caller of a deaf handler is answered at the deadline, with all that an answer has, and the server stops
// without waiting for the handler.
func TestDeafHandlerEverywhere(t *testing.T) {
	const tookTooLong = "The call took too long and was stopped."
	for name, where := range map[string]struct {
		wrap  func(http.ResponseWriter) http.ResponseWriter
		http2 bool
		// unended: the end of a stream does not reach the client.
		unended bool
	}{
		"HTTP/1.1":                         {},
		"HTTP/2":                           {http2: true},
		"a writer without connection":      {wrap: func(w http.ResponseWriter) http.ResponseWriter { return hidden{w} }},
		"a writer that keeps it to itself": {wrap: func(w http.ResponseWriter) http.ResponseWriter { return claims{hidden{w}} }, unended: true},
	} {
		for _, late := range []bool{false, true} {
			for _, era := range []string{"2026-07-28", "2025-11-25"} {
				kind := map[bool]string{false: ", document", true: ", stream"}[late]
				t.Run(name+kind+", "+era, func(t *testing.T) {
					t.Parallel()
					f := newFixture()
					commitAfter := time.Hour
					if late {
						commitAfter = 10 * time.Millisecond
					}
					handler, err := runtime.NewHandler(registry(t, f), runtime.WithDeadline(100*time.Millisecond), runtime.WithMaxCalls(1),
						runtime.WithLogger(slog.New(slog.DiscardHandler)), runtime.Timing(commitAfter, 0, 0, 0))
					if err != nil {
						t.Fatal(err)
					}
					s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						if where.wrap != nil {
							w = where.wrap(w)
						}
						handler.ServeHTTP(w, r)
					}))
					if where.http2 {
						s.EnableHTTP2 = true
						s.StartTLS()
					} else {
						s.Start()
					}
					defer s.Close()
					defer close(f.release)

					send := func(r request) (*http.Response, string) {
						out, _ := http.NewRequestWithContext(t.Context(), r.method, s.URL, strings.NewReader(r.body))
						out.Header = r.header
						response, err := s.Client().Do(out)
						if err != nil {
							t.Fatal(err)
						}
						defer response.Body.Close()
						var body strings.Builder
						for part := make([]byte, 512); ; {
							n, err := response.Body.Read(part)
							body.Write(part[:n])
							if err == io.EOF || late && where.unended && strings.Contains(body.String(), tookTooLong) {
								return response, body.String()
							}
							if err != nil {
								t.Fatal(err, body.String())
							}
						}
					}
					call, echo := modernCall("1", "deaf", `{"ms":60000}`), modernCall("2", "echo", `{"text":"x"}`)
					if era != "2026-07-28" {
						response, _ := send(post(initializeBody(era)))
						session := session{id: response.Header.Get("Mcp-Session-Id"), revision: era}
						call, echo = session.call("1", "deaf", `{"ms":60000}`), session.call("2", "echo", `{"text":"x"}`)
					}

					begin := time.Now()
					response, body := send(call)
					if took := time.Since(begin); response.StatusCode != 200 || !strings.Contains(body, tookTooLong) || took < 100*time.Millisecond || took > 5*time.Second {
						t.Errorf("%d after %v: %s", response.StatusCode, took, body)
					}
					if kind := response.Header.Get("Content-Type"); late != (kind == "text/event-stream") || where.http2 != (response.ProtoMajor == 2) {
						t.Errorf("%s, %s", response.Proto, kind)
					}
					// The handler keeps its place, and the next request on whatever connection is heard.
					if response, body := send(echo); response.StatusCode != 503 {
						t.Errorf("%d %s", response.StatusCode, body)
					}
					if err := handler.Shutdown(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// A handler that listens is heard, and its connection goes on.
func TestListeningHandlerKeepsItsConnection(t *testing.T) {
	url := server(t, newFixture(), runtime.WithDeadline(20*time.Millisecond))
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	reader := bufio.NewReader(conn)
	for _, r := range []request{modernCall("1", "slow", `{"ms":60000}`), modernCall("2", "echo", `{"text":"x"}`)} {
		out, _ := http.NewRequestWithContext(t.Context(), r.method, url, strings.NewReader(r.body))
		out.Header = r.header
		if err := out.Write(conn); err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(reader, out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(response.Body); err != nil || response.StatusCode != 200 || response.Close {
			t.Errorf("%d, closes: %v, %v", response.StatusCode, response.Close, err)
		}
	}
}

// A session's client that cancels a call of a deaf handler gets no answer, at once, and the ID is free again.
func TestCancelDeafHandler(t *testing.T) {
	f := newFixture()
	defer close(f.release)
	url := server(t, f)
	s := open(t, url, "2025-11-25")
	for range 3 {
		pending := s.call("7", "deaf", `{"ms":60000}`).background(t, url)
		<-f.started
		s.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`).send(t, url)
		select {
		case got := <-pending:
			if got.status != 200 || got.body != "" {
				t.Errorf("%d %s", got.status, got.body)
			}
		case <-time.After(5 * time.Second):
			t.Fatal("not answered")
		}
	}
}

// What a hook and the log are told of a call that is answered elsewhere, they are told once and before the answer.
func TestDeafHandlerIsObservedOnce(t *testing.T) {
	f := newFixture()
	var log callLog
	var failed failures
	url := server(t, f, runtime.WithDeadline(20*time.Millisecond), runtime.OnToolFailure(failed.add), log.option(slog.LevelInfo))
	modernCall("1", "deaf", `{"ms":60000}`).send(t, url)
	check := func() {
		t.Helper()
		failed.mu.Lock()
		defer failed.mu.Unlock()
		if len(failed.list) != 1 || failed.list[0].Kind != capabilities.DeadlineExceeded {
			t.Errorf("told of %+v", failed.list)
		}
	}
	check()
	close(f.release)
	if got := modernCall("2", "echo", `{"text":"x"}`).send(t, url); got.status != 200 {
		t.Error(got)
	}
	check()
	const want = "level=WARN msg=call capability=test:deaf@1 tool=deaf kind=deadline-exceeded duration=D request=R\n" +
		"level=INFO msg=call capability=test:echo@1 tool=echo kind=ok duration=D request=R"
	if got := log.take(); got != want {
		t.Errorf("logged\n%s\nwant\n%s", got, want)
	}
}

// A handler that ends its goroutine, as a test's assertion does, ends it where its caller can be answered no more by that goroutine.
func TestHandlerEndsItsGoroutine(t *testing.T) {
	registry, err := capabilities.NewRegistry(capabilities.Handle(func(context.Context, Echo) (string, error) {
		goruntime.Goexit()
		return "", nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	handler, err := runtime.NewHandler(registry, runtime.WithLogger(slog.New(slog.DiscardHandler)), runtime.WithMaxCalls(1))
	if err != nil {
		t.Fatal(err)
	}
	url := serveHandler(t, handler)
	for range 3 {
		got := modernCall("1", "echo", `{"text":"x"}`).send(t, url)
		if got.status != 200 || got.body != `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The capability failed."}}` {
			t.Errorf("%d %s", got.status, got.body)
		}
	}
	if err := handler.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}
