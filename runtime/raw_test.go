package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/auth/authtest"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var _ = errors.New
var _ = httptest.NewServer
var _ = fmt.Sprint

// 1: "data: {" in any text of a buffered go-sdk answer.
func TestInstructions(t *testing.T) {
	url := server(t, newFixture(), runtime.WithInstructions(`Send the row as data: {"id": 1}.`))
	if got := post(initializeBody("2025-11-25")).send(t, url); got.header.Get("Mcp-Session-Id") == "" {
		t.Errorf("initialize: %d %s", got.status, got.body)
	}
	if got := modernRequest("1", "server/discover", "").send(t, url); !strings.Contains(got.message(), `"result"`) {
		t.Errorf("discover: %d %s", got.status, got.body)
	}
}

func TestRawDescription(t *testing.T) {
	url := server(t, newFixture(), runtime.WithServer(func(s *mcp.Server) {
		s.AddTool(&mcp.Tool{Name: "raw_a", Description: `takes data: {"a":1}`, InputSchema: anyObject}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ok"}}}, nil
		})
	}))
	if got := modernCall("1", "raw_a", "{}").send(t, url); !strings.Contains(got.message(), "ok") {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// 2: a raw call in a batch survives DELETE.
func TestBatchRawDelete(t *testing.T) {
	started, release := make(chan string, 10), make(chan struct{})
	defer close(release)
	url := server(t, newFixture(), runtime.WithServer(extras(started, release)), runtime.WithDeadline(4*time.Second))
	s := open(t, url, "2025-03-26")
	answers := s.post(`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"raw_slow","arguments":{}}}]`).background(t, url)
	<-started
	s.delete().send(t, url)
	select {
	case a := <-answers:
		t.Log(a.status, a.body)
	case <-time.After(2 * time.Second):
		t.Errorf("DELETE left the raw call of a batch running and unanswered")
	}
}

// 2b: cancelling it
func TestBatchRawCancel(t *testing.T) {
	started, release := make(chan string, 10), make(chan struct{})
	defer close(release)
	url := server(t, newFixture(), runtime.WithServer(extras(started, release)), runtime.WithDeadline(4*time.Second))
	s := open(t, url, "2025-03-26")
	_ = s.post(`[{"jsonrpc":"2.0","id":101,"method":"tools/call","params":{"name":"raw_slow","arguments":{}}}]`).background(t, url)
	<-started
	s.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":101}}`).send(t, url)
	select {
	case <-started:
	case <-time.After(2 * time.Second):
		t.Errorf("cancelling the raw call of a batch changes nothing")
	}
}

// 2c: raw call whose client left, then DELETE
func TestRawLeftDelete(t *testing.T) {
	started, release := make(chan string, 10), make(chan struct{})
	defer close(release)
	url := server(t, newFixture(), runtime.WithServer(extras(started, release)), runtime.WithDeadline(4*time.Second))
	s := open(t, url, "2025-11-25")
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		r, err := s.call("5", "raw_slow", `{}`).start(ctx, url)
		if err == nil {
			r.Body.Close()
		}
	}()
	<-started
	leave()
	time.Sleep(100 * time.Millisecond)
	s.delete().send(t, url)
	select {
	case <-started:
	case <-time.After(2 * time.Second):
		t.Errorf("DELETE does not cancel a raw call whose client left")
	}
}

// 3: stolen-subject other tenant: principal of raw tools on a session.
func TestRawPrincipal(t *testing.T) {
	n := newNotes(t)
	seen := make(chan string, 1)
	h := n.handler(t, true, append(n.options(t, nil), runtime.WithServer(func(s *mcp.Server) {
		s.AddTool(&mcp.Tool{Name: "who", InputSchema: anyObject}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			p, ok := capabilities.PrincipalFrom(ctx)
			seen <- fmt.Sprint(ok, p.Subject, p.TenantID, p.Scopes)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ok"}}}, nil
		})
	}))...)
	url := serveHandler(t, h)
	tok := func(tenant string, scopes ...string) string {
		return n.issue(t, n.issuer, authtest.Claims{Subject: "ann", ClientID: "app", Audience: resource, Scopes: scopes, More: map[string]any{"tenant": tenant}})
	}
	a, b := tok("acme", "note:read"), tok("globex", "note:edit")
	got := post(initializeBody("2025-11-25")).with("Authorization", "Bearer "+a).send(t, url)
	s := session{url: url, id: got.header.Get("Mcp-Session-Id"), revision: "2025-11-25"}
	s.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`).with("Authorization", "Bearer "+a).send(t, url)
	r := s.call("1", "who", "{}").with("Authorization", "Bearer "+b).send(t, url)
	select {
	case got := <-seen:
		if !strings.Contains(got, "globex") {
			t.Errorf("the raw tool sees %s", got)
		} else {
			t.Log(got)
		}
	default:
		t.Errorf("%d %s", r.status, r.body)
	}
}

// 4: hidden public read vs unknown while the store is down.
func TestHiddenPublicStoreDown(t *testing.T) {
	n := newNotes(t)
	h := n.handler(t, true, append(n.options(t, nil), runtime.CanDiscover(func(context.Context, *capabilities.Definition) bool { return false }))...)
	url := serveHandler(t, h)
	token := n.token(t, "ann", allScopes...)
	ask := func(name string) (answer, int64) {
		before := n.store.finds.Load()
		a := modernCall("1", name, `{"id":"acme-1"}`).with("Authorization", "Bearer "+token).send(t, url)
		return a, n.store.finds.Load() - before
	}
	hidden, nh := ask(noteFind.Definition().Tool)
	unknown, nu := ask("note_none")
	if nh != nu {
		t.Errorf("the store is asked %d times for a hidden public read and %d for an unknown name", nh, nu)
	}
	n.store.down.Store(true)
	hidden, _ = ask(noteFind.Definition().Tool)
	unknown, _ = ask("note_none")
	if hidden.status != unknown.status {
		t.Errorf("hidden: %d %s\nunknown: %d %s", hidden.status, hidden.body, unknown.status, unknown.body)
	}
}

// 5: hidden names skip go-sdk's tools/list
func TestHiddenRawTiming(t *testing.T) {
	var asked atomic.Int64
	url := server(t, newFixture(), runtime.WithServer(func(s *mcp.Server) {
		s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, m string, r mcp.Request) (mcp.Result, error) {
				if m == "tools/list" {
					asked.Add(1)
					time.Sleep(30 * time.Millisecond)
				}
				return next(ctx, m, r)
			}
		})
	}))
	modernCall("1", "secret_tool", "{}").send(t, url)
	hidden := asked.Swap(0)
	modernCall("1", "secret_none", "{}").send(t, url)
	if unknown := asked.Load(); hidden != unknown {
		t.Errorf("go-sdk is asked %d times for a hidden name and %d times for an unknown one", hidden, unknown)
	}
}

// 6: transcript memory.
type Report struct {
	capabilities.Returns[string]
}

var reportCapability = capabilities.Declare[Report, string](contract("report", "", text))

func (Report) Capability() *capabilities.Capability[Report, string] { return reportCapability }

func TestTranscriptMemory(t *testing.T) {
	reg, err := capabilities.NewRegistry(capabilities.Handle(func(ctx context.Context, _ Report) (string, error) {
		for i := range 100 {
			capabilities.Progress(ctx, float64(i+1), 0, "")
		}
		return "done", nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	h, err := runtime.NewHandler(reg, runtime.WithMaxRequestBytes(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	url := serveHandler(t, h)
	s := open(t, url, "2025-11-25")
	heap := func() uint64 {
		goruntime.GC()
		goruntime.GC()
		var m goruntime.MemStats
		goruntime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	token := strings.Repeat("t", 900_000/1)
	resp, err := s.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"report","arguments":{},"_meta":{"progressToken":"`+token+`"}}}`).start(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	a := 0
	buf := make([]byte, 1<<16)
	for {
		n, err := resp.Body.Read(buf)
		a += n
		if err != nil {
			break
		}
	}
	resp.Body.Close()
	token = ""
	after := heap()
	t.Log(resp.StatusCode, a)
	if grown := int64(after) - int64(before); grown > 4<<20 {
		t.Errorf("the session keeps %d MiB after its one call (%d bytes sent), the bound is 1 MiB", grown>>20, a)
	}
	goruntime.KeepAlive(h)
}

// 7: places leak when the writer panics in WriteHeader/Flush.
type panicOnFlush struct{ *httptest.ResponseRecorder }

func (p panicOnFlush) Flush() { panic("broken writer") }

func TestPlaceLeak(t *testing.T) {
	f := newFixture()
	h := quiet(t, runtime.WithMaxStreams(1), runtime.Timing(10*time.Millisecond, 0, 0, 0))
	_ = f
	func() {
		defer func() { _ = recover() }()
		r := modernCall("1", "slow", `{"ms":100}`)
		req := httptest.NewRequest("POST", "/", strings.NewReader(r.body))
		req.Header = r.header
		h.ServeHTTP(panicOnFlush{httptest.NewRecorder()}, req)
	}()
	url := serveHandler(t, h)
	if got := modernCall("1", "slow", `{"ms":100}`).send(t, url); !strings.HasPrefix(got.header.Get("Content-Type"), "text/event-stream") {
		t.Errorf("the place of the broken stream is never given back: %d %v", got.status, got.header)
	}
}

// 8: raw call stream panics on go-sdk's goroutine -> process
func TestRawWriterPanic(t *testing.T) {
	h, err := runtime.NewHandler(registry(t, newFixture()), runtime.WithServer(extras(make(chan string, 10), nil)))
	if err != nil {
		t.Fatal(err)
	}
	url := serveHandler(t, h)
	_ = url
	for _, r := range []request{modernCall("1", "raw_progress", `{}`)} {
		r.body = strings.Replace(r.body, metaMembers, metaMembers+`,"progressToken":1`, 1)
		func() {
			defer func() { t.Log(recover()) }()
			req := httptest.NewRequest("POST", "/", strings.NewReader(r.body))
			req.Header = r.header
			h.ServeHTTP(panicOnFlush{httptest.NewRecorder()}, req)
		}()
	}
	time.Sleep(300 * time.Millisecond)
}

// 9: resume with the largest index
func TestResumeOverflow(t *testing.T) {
	f := newFixture()
	url := server(t, f, runtime.Timing(10*time.Millisecond, 0, 0, 0))
	s := open(t, url, "2025-11-25")
	s.call("7", "slow", `{"ms":50,"key":"k"}`).send(t, url)
	r := request{method: "GET", header: http.Header{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {s.id}, "Last-Event-Id": {"capgen-1_9223372036854775807"}}}
	resp, err := r.start(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	buf := make([]byte, 100)
	if _, err := resp.Body.Read(buf); err != nil && err.Error() != "EOF" {
		t.Errorf("the connection is broken by a panic: %v", err)
	}
}

// 10: pointers as contents
func TestAttachPointer(t *testing.T) {
	reg, err := capabilities.NewRegistry(capabilities.Handle(func(ctx context.Context, _ Report) (string, error) {
		if err := capabilities.Attach(ctx, &capabilities.Image{Data: []byte("x"), MIMEType: "image/png"}); err != nil {
			return err.Error(), nil
		}
		return "done", nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	h, err := runtime.NewHandler(reg)
	if err != nil {
		t.Fatal(err)
	}
	url := serveHandler(t, h)
	if got := modernCall("1", "report", `{}`).send(t, url); strings.Contains(got.message(), `"result":"done"`) && !strings.Contains(got.message(), "image") {
		t.Errorf("the picture is lost without an error: %s", got.body)
	}
}

// 11: two declarations of one ID
type OpenDoor struct{ capabilities.Returns[string] }
type ShutDoor struct{ capabilities.Returns[string] }

func door(risk, access string) string {
	return `{"id":"test:door@1","tool":"door","risk":"` + risk + `","access":` + access + `,"input":{"type":"object"},"output":{"type":"string"}}`
}

var openDoor = capabilities.Declare[OpenDoor, string](door("read", `"public"`))
var shutDoor = capabilities.Declare[ShutDoor, string](door("destructive", `{"scopes":["door:shut"]}`))

func (OpenDoor) Capability() *capabilities.Capability[OpenDoor, string] { return openDoor }
func (ShutDoor) Capability() *capabilities.Capability[ShutDoor, string] { return shutDoor }

func TestTwoDeclarations(t *testing.T) {
	reg, err := capabilities.NewRegistry(
		capabilities.Handle(func(context.Context, OpenDoor) (string, error) { return "open", nil }, capabilities.On(capabilities.TargetLocal)),
		capabilities.Handle(func(context.Context, ShutDoor) (string, error) { return "DESTROYED", nil }, capabilities.On(capabilities.TargetServer), capabilities.NoResource()))
	if err != nil {
		t.Log(err)
		return
	}
	h, err := runtime.NewHandler(reg)
	if err != nil {
		t.Log(err)
		return
	}
	url := serveHandler(t, h)
	if got := modernCall("1", "door", `{}`).send(t, url); strings.Contains(got.message(), "DESTROYED") {
		t.Errorf("an anonymous caller runs a destructive, protected capability: %s", got.body)
	}
}

// 12: end of a session and a streaming raw call
func TestRawEndRace(t *testing.T) {
	url := server(t, newFixture(), runtime.WithMaxSessions(5000), runtime.WithServer(func(s *mcp.Server) {
		s.AddTool(&mcp.Tool{Name: "p", InputSchema: anyObject}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: 1, Progress: 1})
			<-ctx.Done()
			return nil, ctx.Err()
		})
	}))
	lost := 0
	const N = 400
	for range N {
		s := open(t, url, "2025-11-25")
		resp, err := s.post(`{"jsonrpc":"2.0","id":"ZZ","method":"tools/call","params":{"name":"p","arguments":{},"_meta":{"progressToken":1}}}`).start(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		s.delete().send(t, url)
		if got := finish(t, resp); strings.Count(got.body, `"ZZ"`) != 1 {
			lost++
			if lost < 3 {
				t.Logf("%s", got.body)
			}
		}
	}
	if lost > 0 {
		t.Errorf("%d of %d raw calls of a closed session have no (or two) answers", lost, N)
	}
}
