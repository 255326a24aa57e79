package runtime_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime"
)

func TestInitialize(t *testing.T) {
	url := server(t, newFixture())
	for asked, want := range map[string]string{ // VD12
		"2025-11-25": "2025-11-25", "2025-06-18": "2025-06-18", "2025-03-26": "2025-03-26", "1999-01-01": "2025-11-25", "2026-07-28": "2025-11-25",
	} {
		got := post(initializeBody(asked)).send(t, url)
		// VD11, VD20
		body := `{"jsonrpc":"2.0","id":"i","result":{"capabilities":{"tools":{}},"protocolVersion":"` + want + `","serverInfo":{"name":"fixture","version":"v1"}}}`
		if got.status != 200 || got.body != body || len(got.header.Get("Mcp-Session-Id")) < 22 { // SE01, SE02
			t.Errorf("%s: %d %v %s", asked, got.status, got.header, got.body)
		}
	}
	for _, params := range []string{`null`, `[]`, `5`, `{"protocolVersion":5}`} {
		got := post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":`+params+`}`).send(t, url)
		if got.status != 400 || got.header.Get("Mcp-Session-Id") != "" {
			t.Errorf("%s: %d %v %s", params, got.status, got.header, got.body)
		}
	}
}

// TestSessionRefuses has what is refused before it reaches a session, and on one.
func TestSessionRefuses(t *testing.T) {
	url := server(t, newFixture())
	s := open(t, url, "2025-11-25")
	const list = `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`
	gone := session{url: url, id: "00000000000000000000000000", revision: "2025-11-25"}
	tests := []struct {
		name    string
		request request
		status  int
		code    int
	}{
		{"SE03 no session", post(list), 400, -32600},
		{"SE04 unknown session", gone.post(list), 404, -32600},
		{"SE04 delete of an unknown session", gone.delete(), 404, -32600},
		{"fixation", gone.post(initializeBody("2025-11-25")), 404, -32600},
		{"second initialize", s.post(initializeBody("2025-11-25")), 400, -32600},
		{"VD15 unknown version", s.post(list).with("MCP-Protocol-Version", "1999-01-01"), 400, -32022},
		{"HT10 batch on 2025-11-25", s.post("[" + list + "]"), 400, -32600},
		{"unknown method", s.post(`{"jsonrpc":"2.0","id":7,"method":"no/such"}`), 200, -32601},
		{"VD20 what is not advertised", s.post(`{"jsonrpc":"2.0","id":7,"method":"logging/setLevel","params":{"level":"info"}}`), 200, -32601},
		{"PG04 token", s.post(`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"progressToken":1.5}}}`), 200, -32602},
		{"params an array", s.post(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}`), 200, -32602},
		{"JR08 notification with id", s.post(`{"jsonrpc":"2.0","id":7,"method":"notifications/initialized"}`), 400, -32600},
		{"JR08 call without id", s.post(`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}`), 400, -32600},
		{"HT07 unknown notification", s.post(`{"jsonrpc":"2.0","method":"notifications/zzz"}`), 400, -32600},
		{"GET that takes no stream", request{method: "GET", header: http.Header{"Accept": {"application/json"}, "Mcp-Session-Id": {s.id}}}, 406, -32600},
		{"GET of an unknown session", request{method: "GET", header: http.Header{"Accept": {"*/*"}, "Mcp-Session-Id": {"x"}}}, 404, -32600},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.request.send(t, url); got.status != test.status || got.code(t) != test.code {
				t.Errorf("%d %s, want %d and code %d", got.status, got.body, test.status, test.code)
			}
		})
	}
	// HT06, CN07: what has no response has an empty answer; so has a response that nobody waits for.
	for _, body := range []string{
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`,
	} {
		if got := s.post(body).send(t, url); got.status != 202 || got.body != "" {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
	}
}

func TestBatch(t *testing.T) {
	url := server(t, newFixture())
	s := open(t, url, "2025-03-26")
	// HT10, VD16: no version header is needed.
	got := s.post(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}},
		{"jsonrpc":"2.0","id":"b","method":"no/such"},{"jsonrpc":"1.0","id":3,"method":"ping"},{"jsonrpc":"2.0","id":4,"method":"initialize","params":{}},
		{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"panic"}}]`).with("MCP-Protocol-Version", "").send(t, url)
	want := `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":"b","error":{"code":-32601,"message":"Method not found"}},` +
		`{"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"Invalid Request: jsonrpc must be \"2.0\""}},` +
		`{"jsonrpc":"2.0","id":4,"error":{"code":-32600,"message":"Invalid Request: initialize is not part of a batch"}},` +
		`{"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"The capability failed."}}]`
	if got.status != 200 || got.body != want {
		t.Errorf("%d %s\nwant %s", got.status, got.body, want)
	}
	if got := s.post(`[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}]`).send(t, url); got.status != 202 || got.body != "" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := s.post(`[]`).send(t, url); got.status != 400 || got.code(t) != -32600 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// A batch that becomes a stream while its calls run is answered whole (the race detector watches).
func TestLateBatch(t *testing.T) {
	url := server(t, newFixture(), runtime.Timing(time.Millisecond, 0, 0, 0))
	s := open(t, url, "2025-03-26")
	var calls []string
	for i := range 16 {
		calls = append(calls, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"slow","arguments":{"ms":30}}}`, i))
	}
	got := s.post("["+strings.Join(calls, ",")+"]").send(t, url)
	if got.header.Get("Content-Type") != "text/event-stream" || strings.Count(got.message(), `"structuredContent"`)+strings.Count(got.message(), `"content"`) < len(calls) {
		t.Errorf("%v %s", got.header, got.body)
	}
}

func TestMaxSessions(t *testing.T) {
	url := server(t, newFixture(), runtime.WithMaxSessions(1))
	s := open(t, url, "2025-11-25")
	got := post(initializeBody("2025-11-25")).send(t, url)
	if got.status != 503 || got.header.Get("Retry-After") == "" || got.code(t) != -32603 || got.header.Get("Mcp-Session-Id") != "" {
		t.Errorf("%d %v %s", got.status, got.header, got.body)
	}
	if got := s.call("1", "echo", `{"text":"x"}`).send(t, url); got.status != 200 {
		t.Errorf("the open session suffers: %d %s", got.status, got.body)
	}
	if got := s.delete().send(t, url); got.status != 204 {
		t.Errorf("%d %s", got.status, got.body)
	}
	open(t, url, "2025-11-25")
}

func TestSessionTimeout(t *testing.T) {
	f := newFixture()
	url := server(t, f, runtime.WithSessionTimeout(150*time.Millisecond))
	s := open(t, url, "2025-11-25")
	// A call that takes longer than the timeout is not idleness.
	if got := s.call("1", "slow", `{"ms":250}`).send(t, url); !strings.Contains(got.body, "slept") {
		t.Errorf("%d %s", got.status, got.body)
	}
	// Asking keeps it alive, so not too often.
	for range 10 {
		time.Sleep(300 * time.Millisecond)
		if got := s.call("2", "echo", `{"text":"x"}`).send(t, url); got.status == 404 {
			return
		}
	}
	t.Error("the session stays open")
}

// A cancelled call stops and gets no response (CN06); its ID is free again.
func TestCancel(t *testing.T) {
	f := newFixture()
	url := server(t, f)
	s := open(t, url, "2025-11-25")
	pending := s.call("77", "slow", `{"ms":60000,"key":"k"}`).background(t, url)
	<-f.started
	duplicate := s.call("77", "echo", `{"text":"x"}`).send(t, url)
	if duplicate.status != 400 || duplicate.code(t) != -32600 {
		t.Errorf("duplicate: %d %s", duplicate.status, duplicate.body)
	}
	// An ID is a number or a string, and not both.
	for _, id := range []string{`"77"`, `77.0`, `78`, `77`} {
		if got := s.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+id+`}}`).send(t, url); got.status != 202 {
			t.Errorf("%d %s", got.status, got.body)
		}
		if id != "77" && f.get("k") != "running" {
			t.Errorf("%s cancelled 77", id)
		}
	}
	got := <-pending
	if got.status != 200 || got.header.Get("Content-Type") != "text/event-stream" || got.body != "" {
		t.Errorf("%d %v %q", got.status, got.header, got.body)
	}
	if got := s.call("77", "echo", `{"text":"x"}`).send(t, url); got.code(t) != 0 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// DELETE cancels what runs, has it answered, and waits for no tool (SE05).
func TestDeleteWhileRunning(t *testing.T) {
	f := newFixture()
	defer close(f.release)
	url := server(t, f)
	s := open(t, url, "2025-11-25")
	stream, err := request{method: "GET", header: http.Header{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {s.id}}}.start(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	pending := s.call("5", "deaf", `{"ms":60000}`).background(t, url)
	<-f.started
	if got := s.delete().send(t, url); got.status != 204 || got.body != "" {
		t.Errorf("%d %s", got.status, got.body)
	}
	got := <-pending
	if got.status != 200 || !strings.Contains(got.body, `"id":5,"result"`) || !strings.Contains(got.body, "The call was cancelled.") {
		t.Errorf("%d %s", got.status, got.body)
	}
	if lines := bufio.NewScanner(stream.Body); lines.Scan() { // the stream ends too
		for lines.Scan() {
		}
	}
	for _, r := range []request{s.call("6", "echo", `{"text":"x"}`), s.delete()} {
		if got := r.send(t, url); got.status != 404 {
			t.Errorf("%d %s", got.status, got.body)
		}
	}
}

// A lost connection cancels nothing on a session (CN05).
func TestDisconnectOnSession(t *testing.T) {
	f := newFixture()
	url := server(t, f)
	s := open(t, url, "2025-11-25")
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		<-f.started
		leave()
	}()
	if response, err := s.call("1", "slow", `{"ms":80,"key":"k"}`).start(ctx, url); err == nil {
		response.Body.Close()
	}
	eventually(t, func() bool { return f.get("k") == "done" })
}

func eventually(t *testing.T, ok func() bool) {
	t.Helper()
	for range 400 {
		if ok() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("it did not happen within 2 s")
}
