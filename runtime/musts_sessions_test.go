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
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// IDs of events are unique in a session and name their stream; what is resumed brings that stream's messages alone; each message is on one
// stream; a client is told when to come back (SS01, SS02, SS04, SS06).
func TestEventsOfSeveralStreams(t *testing.T) {
	f := newFixture()
	url := server(t, f, runtime.Timing(5*time.Millisecond, 0, 0, 0))
	s := open(t, url, "2025-11-25")
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	listening, err := request{method: "GET", header: http.Header{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {s.id}}}.start(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer listening.Body.Close()
	var pending []<-chan answer
	for i := range 3 {
		pending = append(pending, s.call(fmt.Sprint(i+1), "slow", fmt.Sprintf(`{"ms":60,"key":"k%d"}`, i)).background(t, url))
	}
	ids := map[string]bool{}
	for i, each := range pending {
		got := <-each
		if strings.Count(got.body, `"jsonrpc"`) != 1 || !strings.Contains(got.body, fmt.Sprintf(`"id":%d,"result"`, i+1)) {
			t.Errorf("stream %d: %s", i+1, got.body)
		}
		if before, _, _ := strings.Cut(got.body, `"result"`); !strings.Contains(before, "\nretry: 1000\n") {
			t.Errorf("no retry: %s", got.body)
		}
		var own []string
		for line := range strings.Lines(got.body) {
			if id, ok := strings.CutPrefix(strings.TrimSpace(line), "id: "); ok {
				if ids[id] {
					t.Errorf("%s is there twice", id)
				}
				ids[id] = true
				own = append(own, id)
			}
		}
		if len(own) != 2 {
			t.Fatalf("%v", own)
		}
		again := request{method: "GET", header: http.Header{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {s.id}, "Last-Event-Id": {own[0]}}}.send(t, url)
		if strings.Count(again.body, "data: {") != 1 || !strings.Contains(again.message(), fmt.Sprintf(`"id":%d,"result"`, i+1)) {
			t.Errorf("resumed %s: %s", own[0], again.body)
		}
	}
	leave()
	for lines := bufio.NewScanner(listening.Body); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "data: {") {
			t.Errorf("the session's own stream brings %s", lines.Text())
		}
	}
}

// Log messages of an application's tool: none unless the request asks, none below the level that it asks for, and each on the stream of its own
// request (LG01, LG02, LG04). Without such tools there is no logging (LG05).
func TestLogMessages(t *testing.T) {
	logs := func(server *mcp.Server) {
		server.AddTool(&mcp.Tool{Name: "raw_logs", InputSchema: anyObject}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			//lint:ignore SA1019 sessions and requests that ask for it have it still
			for _, level := range []mcp.LoggingLevel{"debug", "error"} {
				//lint:ignore SA1019 sessions and requests that ask for it have it still
				if err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: level, Data: "at " + string(level) + string(r.Params.Arguments)}); err != nil {
					return nil, err
				}
			}
			return &mcp.CallToolResult{}, nil
		})
	}
	url := server(t, newFixture(), runtime.WithServer(logs))
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	listening, err := modernRequest(`"L"`, "subscriptions/listen", `,"notifications":{"toolsListChanged":true}`).start(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer listening.Body.Close()
	for level, want := range map[string][]string{"": nil, "error": {"at error"}, "debug": {"at debug", "at error"}} {
		r := modernCall("1", "raw_logs", `{"of":"`+level+`"}`)
		if level != "" {
			r.body = strings.Replace(r.body, metaMembers, metaMembers+`,"io.modelcontextprotocol/logLevel":"`+level+`"`, 1)
		}
		got := r.send(t, url)
		if strings.Count(got.body, "notifications/message") != len(want) {
			t.Errorf("level %q: %s", level, got.body)
		}
		for _, text := range want {
			if !strings.Contains(got.body, text+`{\"of\":\"`+level) {
				t.Errorf("level %q: no %s in %s", level, text, got.body)
			}
		}
	}
	leave()
	for lines := bufio.NewScanner(listening.Body); lines.Scan(); {
		if strings.Contains(lines.Text(), "notifications/message") {
			t.Errorf("on listen: %s", lines.Text())
		}
	}
	discovered := modernRequest("1", "server/discover", "").send(t, server(t, newFixture()))
	if strings.Contains(discovered.body, `"logging"`) {
		t.Errorf("%s", discovered.body)
	}
}
