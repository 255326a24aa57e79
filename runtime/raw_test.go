package runtime_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/auth/authtest"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// within waits for something to come, and reports what did not.
func within[T any](t *testing.T, from <-chan T, what string) (got T) {
	t.Helper()
	select {
	case got = <-from:
	case <-time.After(5 * time.Second):
		t.Errorf("%s within 5 s", what)
	}
	return got
}

// Words of an application's that look like an event are none.
func TestWordsAreNoEvents(t *testing.T) {
	url := server(t, newFixture(), runtime.WithInstructions(`Send the row as data: {"id": 1}.`), runtime.WithServer(func(s *mcp.Server) {
		s.AddTool(&mcp.Tool{Name: "raw_a", Description: `takes data: {"a":1}`, InputSchema: anyObject}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: `data: {"b":1}`}}}, nil
		})
	}))
	open(t, url, "2025-11-25")
	both(t, url, func(t *testing.T, send func(method, name, params string) answer) {
		if got := send("tools/call", "raw_a", `,"name":"raw_a","arguments":{}`); !strings.Contains(got.message(), `data: {\"b\":1}`) {
			t.Errorf("%d %s", got.status, got.body)
		}
	})
	if got := modernRequest("1", "server/discover", "").send(t, url); !strings.Contains(got.message(), `"result"`) {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// A raw call of a batch ends with its cancellation and with its session; so does one whose client has left.
func TestRawCallsEnd(t *testing.T) {
	const batch = `[{"jsonrpc":"2.0","id":101,"method":"tools/call","params":{"name":"raw_slow","arguments":{}}}]`
	started, release := make(chan string, 10), make(chan struct{})
	defer close(release)
	url := server(t, newFixture(), runtime.WithServer(extras(started, release)), runtime.WithDeadline(time.Minute))
	t.Run("a batch and DELETE", func(t *testing.T) {
		s := open(t, url, "2025-03-26")
		answers := s.post(batch).background(t, url)
		within(t, started, "the tool did not begin")
		s.delete().send(t, url)
		if got := within(t, answers, "the batch was not answered"); !strings.Contains(got.body, `"id":101`) || !strings.Contains(got.body, "cancelled") {
			t.Errorf("%d %s", got.status, got.body)
		}
		within(t, started, "the tool did not end")
	})
	t.Run("a batch and its cancellation", func(t *testing.T) {
		s := open(t, url, "2025-03-26")
		answers := s.post(batch).background(t, url)
		within(t, started, "the tool did not begin")
		s.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":101}}`).send(t, url)
		within(t, started, "the tool did not end")
		if got := within(t, answers, "the batch did not end"); strings.Contains(got.body, `"id"`) {
			t.Errorf("%s", got.body)
		}
	})
	t.Run("a client that left and DELETE", func(t *testing.T) {
		s := open(t, url, "2025-11-25")
		ctx, leave := context.WithCancel(t.Context())
		go func() {
			if r, err := s.call("5", "raw_slow", `{}`).start(ctx, url); err == nil {
				_ = r.Body.Close()
			}
		}()
		within(t, started, "the tool did not begin")
		leave()
		select {
		case <-started:
			t.Error("the tool ended with its client")
		case <-time.After(100 * time.Millisecond):
		}
		s.delete().send(t, url)
		within(t, started, "the tool did not end")
	})
}

// However a session's end and a tool's own meet, the call is answered once.
func TestRawCallIsAnsweredOnce(t *testing.T) {
	url := server(t, newFixture(), runtime.WithMaxSessions(1000), runtime.WithServer(func(s *mcp.Server) {
		s.AddTool(&mcp.Tool{Name: "p", InputSchema: anyObject}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: 1, Progress: 1})
			<-ctx.Done()
			return nil, ctx.Err()
		})
	}))
	for range 200 {
		s := open(t, url, "2025-11-25")
		response, err := s.post(`{"jsonrpc":"2.0","id":"ZZ","method":"tools/call","params":{"name":"p","arguments":{},"_meta":{"progressToken":1}}}`).start(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		s.delete().send(t, url)
		if got := finish(t, response); strings.Count(got.body, `"ZZ"`) != 1 {
			t.Fatalf("%s", got.body)
		}
	}
}

// A raw tool on a session knows who calls now, and not who opened the session.
func TestRawToolKnowsItsCaller(t *testing.T) {
	n := newNotes(t)
	seen := make(chan string, 1)
	url := serveHandler(t, n.handler(t, true, append(n.options(t, nil), runtime.WithServer(func(s *mcp.Server) {
		s.AddTool(&mcp.Tool{Name: "who", InputSchema: anyObject}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			p, known := capabilities.PrincipalFrom(ctx)
			seen <- fmt.Sprint(known, " ", p.Subject, " ", p.TenantID, " ", p.Scopes, " ", r.Extra.Header.Get("X-Capgen-Call"))
			return &mcp.CallToolResult{}, nil
		})
	}))...))
	of := func(tenant string, scopes ...string) string {
		return "Bearer " + n.issue(t, n.issuer, authtest.Claims{Subject: "ann", ClientID: "app", Audience: resource, Scopes: scopes, More: map[string]any{"tenant": tenant}})
	}
	first, second := of("acme", "note:read"), of("globex", "note:edit")
	got := post(initializeBody("2025-11-25")).with("Authorization", first).send(t, url)
	s := session{url: url, id: got.header.Get("Mcp-Session-Id"), revision: "2025-11-25"}
	s.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`).with("Authorization", first).send(t, url)
	for _, call := range []request{s.call("1", "who", "{}"), modernCall("1", "who", "{}")} {
		call.with("Authorization", second).with("X-Capgen-Call", "forged").send(t, url)
		if got := within(t, seen, "the tool was not called"); got != "true ann globex [note:edit] " {
			t.Errorf("%s", got)
		}
	}
}

// A hidden name costs what an unknown one costs, also with an application's own tools.
func TestHiddenCostsWhatUnknownCosts(t *testing.T) {
	var asked atomic.Int64
	url := server(t, newFixture(), runtime.WithServer(func(s *mcp.Server) {
		s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
				if method == "tools/list" {
					asked.Add(1)
				}
				return next(ctx, method, r)
			}
		})
	}))
	modernCall("1", "secret_tool", "{}").send(t, url)
	hidden := asked.Swap(0)
	modernCall("1", "secret_none", "{}").send(t, url)
	if unknown := asked.Load(); hidden != unknown || hidden == 0 {
		t.Errorf("go-sdk is asked %d times for a hidden name and %d times for an unknown one", hidden, unknown)
	}
}

// IDs of the gate's own requests are no client's, however many of its run.
func TestOwnIDsAreNoClients(t *testing.T) {
	started, release := make(chan string, 100), make(chan struct{})
	defer close(release)
	url := server(t, newFixture(), runtime.WithServer(extras(started, release)))
	s := open(t, url, "2025-03-26")
	for i := 1; i <= 60; i++ {
		_ = s.call(fmt.Sprint(i), "raw_slow", "{}").background(t, url)
	}
	for range 60 {
		within(t, started, "a tool did not begin")
	}
	got := s.post(`[{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"raw_echo","arguments":{}}}]`).send(t, url)
	if !strings.Contains(got.body, "content") {
		t.Errorf("%d %s", got.status, got.body)
	}
	s.delete().send(t, url)
}

// panicOnFlush is an application's writer that breaks when a stream is opened.
type panicOnFlush struct{ *httptest.ResponseRecorder }

func (panicOnFlush) Flush() { panic("broken writer") }

// A writer that panics ends no process, whoever writes, and takes no stream's place for good.
func TestBrokenWriter(t *testing.T) {
	handler, err := runtime.NewHandler(registry(t, newFixture()), runtime.WithServer(extras(make(chan string, 10), nil)),
		runtime.WithMaxStreams(1), runtime.Timing(10*time.Millisecond, 0, 0, 0), runtime.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	url := serveHandler(t, handler)
	s := open(t, url, "2025-11-25")
	progress := modernCall("1", "raw_progress", `{}`)
	progress.body = strings.Replace(progress.body, metaMembers, metaMembers+`,"progressToken":1`, 1)
	for _, r := range []request{modernCall("1", "raw_echo", `{}`), s.call("1", "raw_echo", `{}`), progress, modernCall("1", "slow", `{"ms":50}`)} {
		func() {
			defer func() { _ = recover() }() // net/http does
			out := httptest.NewRequest("POST", "/", strings.NewReader(r.body))
			out.Header = r.header
			handler.ServeHTTP(panicOnFlush{httptest.NewRecorder()}, out)
		}()
	}
	if got := modernCall("1", "slow", `{"ms":100}`).send(t, url); got.header.Get("Content-Type") != "text/event-stream" || !strings.Contains(got.body, "slept") {
		t.Errorf("%d %v %s", got.status, got.header, got.body)
	}
}
