package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime"
)

// bridge starts a bridge that logs nothing and is closed when the test ends.
func bridge(t *testing.T, handler http.Handler, options ...runtime.BridgeOption) *runtime.Bridge {
	t.Helper()
	options = append([]runtime.BridgeOption{runtime.BridgeLogger(slog.New(slog.DiscardHandler))}, options...)
	b, err := runtime.StartBridge(t.Context(), handler, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func endpoint(t *testing.T, b *runtime.Bridge) *url.URL {
	t.Helper()
	at, err := url.Parse(b.URL())
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// dial opens a connection to a bridge, on which nothing takes longer than 5 s.
func dial(t *testing.T, b *runtime.Bridge) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", endpoint(t, b).Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	return conn
}

// raw sends a text as it is, with PATH and HOST filled in, and returns all that comes back.
func raw(t *testing.T, b *runtime.Bridge, text string) string {
	t.Helper()
	conn, at := dial(t, b), endpoint(t, b)
	text = strings.NewReplacer("PATH", at.Path, "HOST", at.Host, "\n", "\r\n").Replace(text)
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	got, _ := io.ReadAll(conn)
	return string(got)
}

// fails reads a response that must not look complete.
func fails(t *testing.T, response *http.Response, err error) {
	t.Helper()
	if err == nil {
		_, err = io.ReadAll(response.Body)
		response.Body.Close()
	}
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want an answer that breaks off", err)
	}
}

// The official client speaks over a bridge as it does to any server, in both eras.
func TestBridgeClient(t *testing.T) {
	handler := quiet(t)
	b := bridge(t, handler)
	at := endpoint(t, b)
	if at.Scheme != "http" || at.Hostname() != "127.0.0.1" || len(at.Path) < 20 || !strings.HasSuffix(at.Path, "/mcp") {
		t.Error(b.URL())
	}
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		tools, err := connect(t, b.URL(), revision).ListTools(t.Context(), nil)
		if err != nil || len(tools.Tools) != 8 {
			t.Errorf("%v %v", tools, err)
		}
	}
	if got := modernCall("1", "echo", `{"text":"x"}`).send(t, b.URL()); got.status != 200 || !strings.Contains(got.body, `"result":"x"`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	t.Cleanup(func() { _ = handler.Shutdown(context.Background()) }) // ends the session's stream
}

// Two bridges on one handler have nothing in common but that.
func TestTwoBridges(t *testing.T) {
	handler := quiet(t)
	a, b := bridge(t, handler), bridge(t, handler)
	if endpoint(t, a).Path == endpoint(t, b).Path || endpoint(t, a).Host == endpoint(t, b).Host {
		t.Errorf("%s and %s", a.URL(), b.URL())
	}
	echo := modernCall("1", "echo", `{"text":"x"}`)
	stray := "http://" + endpoint(t, b).Host + endpoint(t, a).Path
	if got := echo.send(t, stray); got.status != 404 {
		t.Errorf("the secret of one opens the other: %d %s", got.status, got.body)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if got := echo.send(t, b.URL()); got.status != 200 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestBridgeRefuses(t *testing.T) {
	reached := false
	b := bridge(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { reached = true }))
	tests := []struct {
		name, request string
		status        int
	}{
		{"no secret", "POST /mcp HTTP/1.1\nHost: HOST\n\n", 404},
		{"wrong secret", "POST /AAAAAAAAAAAAAAAAAAAAAAAAAA/mcp HTTP/1.1\nHost: HOST\n\n", 404},
		{"below the path", "POST PATH/x HTTP/1.1\nHost: HOST\n\n", 404},
		{"the path with a slash", "POST PATH/ HTTP/1.1\nHost: HOST\n\n", 404},
		{"two slashes", "POST /PATH HTTP/1.1\nHost: HOST\n\n", 404},
		{"by way of dots", "POST /x/..PATH HTTP/1.1\nHost: HOST\n\n", 404},
		{"another spelling", "POST PATH%20 HTTP/1.1\nHost: HOST\n\n", 404},
		{"foreign host", "POST PATH HTTP/1.1\nHost: evil.example\n\n", 403},
		{"foreign host with our port", "POST PATH HTTP/1.1\nHost: evil.example:HOST\n\n", 403},
		{"host that begins like ours", "POST PATH HTTP/1.1\nHost: HOST.evil.example\n\n", 403},
		{"no port", "POST PATH HTTP/1.1\nHost: 127.0.0.1\n\n", 403},
		{"another port", "POST PATH HTTP/1.1\nHost: 127.0.0.1:1\n\n", 403},
		{"localhost", "POST PATH HTTP/1.1\nHost: localhost:1\n\n", 403},
		{"another loopback address", "POST PATH HTTP/1.1\nHost: 127.0.0.2:1\n\n", 403},
		{"empty host", "POST PATH HTTP/1.1\nHost:\n\n", 403},
		{"no host", "POST PATH HTTP/1.1\n\n", 400},
		{"two hosts", "POST PATH HTTP/1.1\nHost: HOST\nHost: HOST\n\n", 400},
		{"foreign origin", "POST PATH HTTP/1.1\nHost: HOST\nOrigin: http://evil.example\n\n", 403},
		{"our own origin", "POST PATH HTTP/1.1\nHost: HOST\nOrigin: http://HOST\n\n", 403},
		{"null origin", "POST PATH HTTP/1.1\nHost: HOST\nOrigin: null\n\n", 403},
		{"empty origin", "POST PATH HTTP/1.1\nHost: HOST\nOrigin:\n\n", 403},
		{"preflight", "OPTIONS PATH HTTP/1.1\nHost: HOST\nOrigin: null\nAccess-Control-Request-Method: POST\n\n", 403},
		{"upgrade", "GET PATH HTTP/1.1\nHost: HOST\nConnection: Upgrade\nUpgrade: websocket\n\n", 400},
		{"upgrade that Connection does not name", "GET PATH HTTP/1.1\nHost: HOST\nUpgrade: h2c\n\n", 400},
		{"Connection names a header", "GET PATH HTTP/1.1\nHost: HOST\nConnection: close, Authorization\n\n", 400},
		{"a second Connection does", "GET PATH HTTP/1.1\nHost: HOST\nConnection: close\nConnection: te\n\n", 400},
		{"connect", "CONNECT HOST HTTP/1.1\nHost: HOST\n\n", 400},
		{"connect to a path", "CONNECT PATH HTTP/1.1\nHost: HOST\n\n", 400},
		{"absolute URL", "POST http://HOSTPATH HTTP/1.1\nHost: HOST\n\n", 400},
		{"absolute URL of others", "POST http://evil.example/ HTTP/1.1\nHost: HOST\n\n", 400},
		{"asterisk", "OPTIONS * HTTP/1.1\nHost: HOST\n\n", 400},
		{"HTTP/1.0", "POST PATH HTTP/1.0\nHost: HOST\n\n", 505},
		{"HTTP/2 with prior knowledge", "PRI * HTTP/2.0\n\nSM\n\n", 505},
		{"two lengths", "POST PATH HTTP/1.1\nHost: HOST\nContent-Length: 1\nContent-Length: 2\n\nab", 400},
		{"body that ends early", "POST PATH HTTP/1.1\nHost: HOST\nTransfer-Encoding: chunked\n\nzz\n", 400},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := raw(t, b, test.request)
			if status, _, _ := strings.Cut(got, "\r\n"); !strings.Contains(status, fmt.Sprintf(" %d ", test.status)) {
				t.Errorf("got %s\nwant %d", got, test.status)
			}
			// What net/http refuses by itself is plain text.
			if test.status != 400 && !strings.HasSuffix(got, "}}") || strings.Contains(got, endpoint(t, b).Path) {
				t.Errorf("got %s", got)
			}
		})
	}
	if reached {
		t.Error("the handler was reached")
	}
}

// What the handler gets: the path without the secret, and the body in full, whatever way it came.
func TestBridgeForwards(t *testing.T) {
	seen := make(chan string, 1)
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "value")
	b, err := runtime.StartBridge(ctx, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		seen <- fmt.Sprintf("%s %s %s %s %d %s %v %v", r.Method, r.URL, r.RequestURI, r.Header.Get("Authorization"), r.ContentLength, body, err, r.Context().Value(key{}))
		w.WriteHeader(http.StatusEarlyHints) // no answer yet
		w.Header().Set("Connection", "upgrade")
		w.Header().Set("X-Ours", "1")
		w.WriteHeader(http.StatusTeapot)
		w.WriteHeader(http.StatusOK) // too late
		_, _ = w.Write(body)
		if _, hijacks := w.(http.Hijacker); hijacks {
			t.Error("the connection can be taken")
		}
		if http.NewResponseController(w).SetWriteDeadline(time.Time{}) == nil {
			t.Error("the deadlines can be taken")
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	got := raw(t, b, "POST PATH?q=1 HTTP/1.1\nHost: HOST\nConnection: close\nAuthorization: Bearer x\nTransfer-Encoding: chunked\n\n3\nabc\n2\nde\n0\n\n")
	if want := "POST /mcp?q=1 /mcp?q=1 Bearer x 5 abcde <nil> value"; <-seen != want {
		t.Error("want " + want)
	}
	if !strings.HasPrefix(got, "HTTP/1.1 418 ") || !strings.Contains(got, "X-Ours: 1\r\n") || strings.Contains(got, "upgrade") || !strings.Contains(got, "abcde") {
		t.Error(got)
	}
}

// A panic never ends the process, and half an answer never looks like a whole one.
func TestBridgePanics(t *testing.T) {
	var log strings.Builder
	b := bridge(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.RawQuery {
		case "begun":
			_, _ = io.WriteString(w, "data: 1\n\n")
		case "status":
			w.WriteHeader(7)
		case "abort":
			panic(http.ErrAbortHandler)
		}
		panic("CANARY-SECRET")
	}), runtime.BridgeLogger(slog.New(slog.NewTextHandler(&log, nil))))
	for _, query := range []string{"", "?status"} {
		got := post(`{"jsonrpc":"2.0","id":"a","method":"x"}`).send(t, b.URL()+query)
		if want := `{"jsonrpc":"2.0","id":"a","error":{"code":-32603,"message":"Internal error"}}`; got.status != 500 || got.body != want {
			t.Errorf("%d %s, want %s", got.status, got.body, want)
		}
	}
	for _, query := range []string{"?begun", "?abort"} {
		response, err := post("{}").start(t.Context(), b.URL()+query)
		fails(t, response, err)
	}
	if err := b.Close(); err != nil { // the log is written
		t.Error(err)
	}
	if got := strings.Count(log.String(), "a request panicked"); got != 3 || strings.Contains(log.String(), endpoint(t, b).Path) {
		t.Error(log.String())
	}
}

// elsewhere makes connections look as if they came from another machine.
type elsewhere struct{ net.Listener }

type remote struct{ net.Conn }

func (l elsewhere) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return remote{conn}, nil
}

func (remote) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 5} }

func TestBridgeRefusesOtherMachines(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := runtime.StartBridgeOn(t.Context(), elsewhere{listener}, quiet(t))
	defer b.Close()
	if got := raw(t, b, "POST PATH HTTP/1.1\nHost: HOST\n\n"); got != "" {
		t.Error(got)
	}
}

func TestBridgeErrors(t *testing.T) {
	handler := http.NotFoundHandler()
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := runtime.StartBridge(ended, handler); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := runtime.StartBridge(t.Context(), nil); err == nil || err.Error() != "runtime.StartBridge: the handler is nil" {
		t.Error(err)
	}
	for _, test := range []struct {
		option runtime.BridgeOption
		want   string
	}{
		{nil, "runtime.StartBridge: an option is nil"},
		{runtime.BridgeRequestBytes(0), "runtime.BridgeRequestBytes(0): the limit must be from 1 to 16777216 bytes"},
		{runtime.BridgeRequestBytes(16<<20 + 1), "runtime.BridgeRequestBytes(16777217): the limit must be from 1 to 16777216 bytes"},
		{runtime.BridgeResponseBytes(-1), "runtime.BridgeResponseBytes(-1): the limit must be from 1 to 1073741824 bytes"},
		{runtime.BridgeRequestTimeout(0), "runtime.BridgeRequestTimeout(0s): the time must be more than 0 and at most 24h0m0s"},
		{runtime.BridgeReadTimeout(time.Hour), "runtime.BridgeReadTimeout(1h0m0s): the time must be more than 0 and at most 1m0s"},
		{runtime.BridgeIdleTimeout(-1), "runtime.BridgeIdleTimeout(-1ns): the time must be more than 0 and at most 1h0m0s"},
		{runtime.BridgeConnections(1025), "runtime.BridgeConnections(1025): the limit must be from 1 to 1024"},
		{runtime.BridgeLogger(nil), "runtime.BridgeLogger: the logger is nil; slog.New(slog.DiscardHandler) logs nothing"},
	} {
		if _, err := runtime.StartBridge(t.Context(), handler, test.option); err == nil || err.Error() != test.want {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
	// All at once.
	_, err := runtime.StartBridge(t.Context(), handler, runtime.BridgeConnections(0), runtime.BridgeRequestBytes(0))
	if err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Error(err)
	}
}

// The handler learns that its client has gone.
func TestBridgeClientLeaves(t *testing.T) {
	f := newFixture()
	handler, err := runtime.NewHandler(registry(t, f))
	if err != nil {
		t.Fatal(err)
	}
	b := bridge(t, handler)
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		<-f.started
		leave()
	}()
	if response, err := modernCall("1", "slow", `{"ms":60000,"key":"k"}`).start(ctx, b.URL()); err == nil {
		response.Body.Close()
	}
	eventually(t, func() bool { return f.get("k") == "cancelled" })
}
