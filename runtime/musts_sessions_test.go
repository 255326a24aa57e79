package runtime_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// event is one of a stream's.
type event struct {
	id, retry, data string
	hasID           bool
}

func eventsOf(body string) []event {
	var events []event
	for text := range strings.SplitSeq(strings.TrimSuffix(body, "\n\n"), "\n\n") {
		var e event
		for line := range strings.SplitSeq(text, "\n") {
			name, value, _ := strings.Cut(line, ":")
			value = strings.TrimPrefix(value, " ")
			switch name {
			case "id":
				e.id, e.hasID = value, true
			case "retry":
				e.retry = value
			case "data":
				e.data += value
			}
		}
		if e != (event{}) {
			events = append(events, e)
		}
	}
	return events
}

// live is a stream that is being read.
type live struct {
	t      *testing.T
	leave  context.CancelFunc
	lines  *bufio.Scanner
	header http.Header
	events []event
}

func (r request) live(t *testing.T, url string) *live {
	t.Helper()
	ctx, leave := context.WithTimeout(t.Context(), 10*time.Second)
	response, err := r.start(ctx, url)
	if err != nil {
		leave()
		t.Fatal(err)
	}
	t.Cleanup(func() { leave(); _ = response.Body.Close() })
	return &live{t: t, leave: leave, lines: bufio.NewScanner(response.Body), header: response.Header}
}

// until reads until an event holds a text, and returns that event.
func (l *live) until(part string) event {
	l.t.Helper()
	var text strings.Builder
	for l.lines.Scan() {
		if line := l.lines.Text(); line != "" {
			text.WriteString(line + "\n")
			continue
		}
		read := eventsOf(text.String())
		text.Reset()
		l.events = append(l.events, read...)
		if len(read) > 0 && strings.Contains(read[0].data, part) {
			return read[0]
		}
	}
	l.t.Fatalf("the stream ended without %q: %v", part, l.events)
	return event{}
}

func (s session) get(lastEvent string) request {
	return request{method: http.MethodGet, header: http.Header{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {s.id}}}.with("Last-Event-ID", lastEvent)
}

// talk calls a tool that reports progress under the token of its ID.
func (s session) talk(tool, id string) request {
	return s.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%s","method":"tools/call","params":{"name":"%s","arguments":{"id":"%[1]s"},"_meta":{"progressToken":"%[1]s"}}}`, id, tool))
}

// talking serves two tools that report "before", wait to be released, report "after" and answer: the capability note_find and the raw
// tool raw_talk. Changing adds another raw tool.
func talking(t *testing.T, release <-chan struct{}) (handler *runtime.Handler, url string, change func()) {
	t.Helper()
	find := func(ctx context.Context, in NoteFind) (string, error) {
		capabilities.Progress(ctx, 1, 2, "before "+in.ID)
		<-release
		capabilities.Progress(ctx, 2, 2, "after "+in.ID)
		return "found " + in.ID, nil
	}
	raw := func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		id, _ := r.Params.GetProgressToken().(string)
		tell := func(text string, n float64) {
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: id, Progress: n, Message: text + " " + id})
		}
		tell("before", 1)
		<-release
		tell("after", 2)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "found " + id}}}, nil
	}
	var sdk *mcp.Server
	add := func(name string) { sdk.AddTool(&mcp.Tool{Name: name, InputSchema: anyObject}, raw) }
	bound, err := capabilities.NewRegistry(capabilities.Handle(find))
	if err != nil {
		t.Fatal(err)
	}
	handler, err = runtime.NewHandler(bound, runtime.WithServer(func(server *mcp.Server) {
		sdk = server
		add("raw_talk")
	}))
	if err != nil {
		t.Fatal(err)
	}
	return handler, serveHandler(t, handler), func() { add("raw_more") }
}

// A stream that is taken up again brings what that stream had and nothing of another (SS02); the IDs of events are unique in the session
// and each belongs to its stream (SS01); a stream begins with an event that has an ID and no data (SS03).
func TestEventIDs(t *testing.T) {
	release := make(chan struct{})
	_, url, _ := talking(t, release)
	s := open(t, url, "2025-11-25")
	seen := map[string]string{} // the stream of an event
	streams := map[string]*live{}
	last := map[string]event{}
	for _, tool := range []string{"note_find", "raw_talk"} {
		for _, id := range []string{"a", "b"} {
			id += " of " + tool
			streams[id] = s.talk(tool, id).live(t, url)
			last[id] = streams[id].until("before " + id)
			if first := streams[id].events[0]; !first.hasID || first.id == "" || first.data != "" {
				t.Errorf("%s begins with %+v", id, first)
			}
		}
	}
	for id, stream := range streams {
		if strings.HasPrefix(id, "b") {
			stream.leave()
		}
	}
	close(release)
	for id, stream := range streams {
		first := stream.events[0].id
		if strings.HasPrefix(id, "b") {
			resumed := eventsOf(s.get(last[id].id).send(t, url).body)
			whole := eventsOf(s.get(first).send(t, url).body)
			if len(resumed) != 2 || !strings.Contains(resumed[0].data, "after "+id) || !strings.Contains(resumed[1].data, "found "+id) {
				t.Errorf("%s: %+v", id, resumed)
			}
			if want := append([]event{last[id]}, resumed...); !slices.Equal(whole, want) {
				t.Errorf("%s: %+v\nwant %+v", id, whole, want)
			}
			stream.events = append(stream.events, resumed...)
		} else {
			stream.until("found " + id)
		}
		prefix := first[:strings.LastIndexByte(first, '_')+1]
		for _, e := range stream.events {
			if other, ok := seen[e.id]; ok || e.id == "" || !strings.HasPrefix(e.id, prefix) {
				t.Errorf("the event %q of %s is one of %q, or not of its stream", e.id, id, other)
			}
			seen[e.id] = id
		}
	}
	if len(seen) != 4*4 {
		t.Errorf("%d events", len(seen))
	}
}

// The event without data is for those who know it: streams of earlier revisions have none (SS03), nor have those of 2026-07-28.
func TestFirstEvent(t *testing.T) {
	release := make(chan struct{})
	close(release)
	_, url, _ := talking(t, release)
	for _, tool := range []string{"note_find", "raw_talk"} {
		for revision, want := range map[string]bool{"2025-11-25": true, "2025-06-18": false, "2025-03-26": false} {
			events := eventsOf(open(t, url, revision).talk(tool, "x").send(t, url).body)
			if got := slices.ContainsFunc(events, func(e event) bool { return e.data == "" }); got != want || want && events[0].data != "" || len(events) < 3 {
				t.Errorf("%s on %s: %+v", tool, revision, events)
			}
		}
		r := modernCall("1", tool, `{"id":"x"}`)
		r.body = strings.Replace(r.body, metaMembers, metaMembers+`,"progressToken":"x"`, 1)
		for _, e := range eventsOf(r.send(t, url).body) {
			if e.hasID || e.retry != "" || e.data == "" {
				t.Errorf("%s: %+v", tool, e)
			}
		}
	}
}

// Every message is on one stream (SS06): what belongs to a call on that call's, what belongs to none on the one that GET opened.
func TestOneStreamEach(t *testing.T) {
	release := make(chan struct{})
	_, url, change := talking(t, release)
	s := open(t, url, "2025-11-25")
	unasked := s.get("").live(t, url)
	if second := s.get("").send(t, url); second.status != http.StatusConflict {
		t.Errorf("a second stream of the session: %d %s", second.status, second.body)
	}
	ids := []string{"c1", "c2", "r1", "r2"}
	streams := map[string]*live{"unasked": unasked}
	for _, id := range ids {
		tool := "note_find"
		if strings.HasPrefix(id, "r") {
			tool = "raw_talk"
		}
		streams[id] = s.talk(tool, id).live(t, url)
		streams[id].until("before " + id)
	}
	change()
	unasked.until("notifications/tools/list_changed")
	close(release)
	for _, id := range ids {
		streams[id].until("found " + id)
	}
	if got := s.delete().send(t, url); got.status != http.StatusNoContent {
		t.Fatalf("%d %s", got.status, got.body)
	}
	copies := map[string]int{}
	for name, stream := range streams {
		for stream.lines.Scan() { // to the end
			if data, ok := strings.CutPrefix(stream.lines.Text(), "data: "); ok {
				stream.events = append(stream.events, event{data: data})
			}
		}
		for _, e := range stream.events {
			if e.data == "" {
				continue
			}
			copies[e.data]++
			if name != "unasked" && !strings.Contains(e.data, `"`+name+`"`) {
				t.Errorf("on the stream of %s: %s", name, e.data)
			}
		}
	}
	for message, n := range copies {
		if n != 1 {
			t.Errorf("%d times: %s", n, message)
		}
	}
	if len(copies) != 3*len(ids)+1 {
		t.Errorf("%d messages: %v", len(copies), copies)
	}
}

// A stream that the server closes before the response tells the client when to come back (SS04). The stream that a call itself is answered
// on is closed after the response, also while the server stops (SS05).
func TestStreamsEnd(t *testing.T) {
	for _, revision := range []string{"2025-11-25", "2025-06-18", "2025-03-26"} {
		t.Run(revision, func(t *testing.T) {
			release := make(chan struct{})
			handler, url, _ := talking(t, release)
			s := open(t, url, revision)
			calls := map[string]*live{}
			for _, tool := range []string{"note_find", "raw_talk"} {
				calls[tool] = s.talk(tool, tool).live(t, url)
				calls[tool].until("before " + tool)
			}
			var resumed *live
			if first := calls["note_find"].events[0]; revision == "2025-11-25" {
				if first.retry != "1000" {
					t.Errorf("the first event is %+v", first)
				}
				resumed = s.get(first.id).live(t, url)
				resumed.until("before note_find")
			}
			stopped := make(chan error, 1)
			go func() { stopped <- handler.Shutdown(context.Background()) }()
			if resumed != nil {
				// It ends now, and the call does not: the last event says when to come back, and where.
				var rest strings.Builder
				for resumed.lines.Scan() {
					rest.WriteString(resumed.lines.Text() + "\n")
				}
				events := eventsOf(rest.String())
				if want := (event{id: resumed.events[0].id, hasID: true, retry: "1000"}); len(events) != 1 || events[0] != want {
					t.Errorf("%+v, want %+v", events, want)
				}
			}
			time.Sleep(20 * time.Millisecond)
			close(release)
			for tool, call := range calls {
				call.until("found " + tool)
			}
			if err := <-stopped; err != nil {
				t.Error(err)
			}
		})
	}
}

// logging is a server with a raw tool that logs its caller's name once at each level, when all that were expected have begun.
func logging(t *testing.T, begun chan<- string, release <-chan struct{}, options ...runtime.Option) string {
	t.Helper()
	return server(t, newFixture(), append(options, runtime.WithServer(func(server *mcp.Server) {
		server.AddTool(&mcp.Tool{Name: "raw_log", InputSchema: anyObject}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			who := string(r.Params.Arguments)
			begun <- who
			<-release
			//lint:ignore SA1019 it is served still
			for _, level := range []mcp.LoggingLevel{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"} {
				//lint:ignore SA1019 it is served still
				if err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: level, Data: who}); err != nil {
					return nil, err
				}
			}
			return &mcp.CallToolResult{}, nil
		})
	}))...)
}

// logCall is a call of raw_log that asks for messages of a level, or for none.
func logCall(id, level string) request {
	r := modernCall(`"`+id+`"`, "raw_log", `{"who":"`+id+`"}`)
	if level != "" {
		r.body = strings.Replace(r.body, metaMembers, metaMembers+`,"io.modelcontextprotocol/logLevel":"`+level+`"`, 1)
	}
	return r
}

// levels are those of the log messages in an answer, and whether all are the call's own.
func levels(id, body string) (found []string, own bool) {
	own = true
	for _, e := range eventsOf(body) {
		if !strings.Contains(e.data, `"notifications/message"`) {
			continue
		}
		_, level, _ := strings.Cut(e.data, `"level":"`)
		level, _, _ = strings.Cut(level, `"`)
		found = append(found, level)
		own = own && strings.Contains(e.data, id)
	}
	return found, own
}

// A request that asks for no log messages gets none (LG01); one that does gets those of its level and above (LG04), and of itself alone,
// while others run and a client listens (LG02).
func TestLogMessages(t *testing.T) {
	wants := map[string]string{
		"": "[]", "debug": "[debug info notice warning error critical alert emergency]", "warning": "[warning error critical alert emergency]",
		"error": "[error critical alert emergency]", "emergency": "[emergency]",
	}
	begun, release := make(chan string, len(wants)), make(chan struct{})
	url := logging(t, begun, release)
	listen := modernRequest(`"L"`, "subscriptions/listen", `,"notifications":{"toolsListChanged":true}`)
	listen.body = strings.Replace(listen.body, metaMembers, metaMembers+`,"io.modelcontextprotocol/logLevel":"debug"`, 1)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	listening, err := listen.start(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan string, 1)
	go func() {
		defer listening.Body.Close()
		var text strings.Builder
		for lines := bufio.NewScanner(listening.Body); lines.Scan(); {
			text.WriteString(lines.Text() + "\n")
		}
		heard <- text.String()
	}()
	answers := map[string]<-chan answer{}
	for level := range wants {
		answers[level] = logCall("call-"+level+"-", level).background(t, url)
	}
	for range wants {
		<-begun
	}
	close(release)
	for level, want := range wants {
		got := <-answers[level]
		found, own := levels("call-"+level+"-", got.body)
		if fmt.Sprint(found) != want || !own || !strings.Contains(got.message(), `"result"`) {
			t.Errorf("%q: %v, want %s\n%s", level, found, want, got.body)
		}
	}
	// A level is that request's: the next one without asks for none.
	if found, _ := levels("", logCall("after", "").send(t, url).body); len(found) > 0 {
		t.Errorf("after one that asked: %v", found)
	}
	time.Sleep(20 * time.Millisecond)
	leave()
	if text := <-heard; strings.Contains(text, "notifications/message") || !strings.Contains(text, "notifications/subscriptions/acknowledged") {
		t.Errorf("who listens hears %s", text)
	}
}

// What may send log messages says so, and nothing else does (LG05).
func TestLoggingCapability(t *testing.T) {
	begun, release := make(chan string, 10), make(chan struct{})
	close(release)
	silent := runtime.WithServerOptions(func(o *mcp.ServerOptions) {
		//lint:ignore SA1019 it is served still
		o.Capabilities.Logging = nil
	})
	for name, test := range map[string]struct {
		url  string
		want bool
	}{
		"capabilities alone": {server(t, newFixture()), false},
		"with a raw tool":    {logging(t, begun, release), true},
		"turned off":         {logging(t, begun, release, silent), false},
	} {
		if found, _ := levels("", logCall("x", "alert").send(t, test.url).body); (len(found) > 0) != test.want {
			t.Errorf("%s: messages of the levels %v", name, found)
		}
		for revision, r := range map[string]request{
			"2026-07-28": modernRequest("1", "server/discover", ""), "2025-11-25": post(initializeBody("2025-11-25")), "2025-03-26": post(initializeBody("2025-03-26")),
		} {
			if got := r.send(t, test.url); got.code(t) != 0 || strings.Contains(got.message(), `"logging":`) != test.want {
				t.Errorf("%s, %s: %s", name, revision, got.body)
			}
		}
	}
	// Capabilities log to the operator and not to the client, whatever it asks for.
	r := modernCall("1", "boom", `{}`)
	r.body = strings.Replace(r.body, metaMembers, metaMembers+`,"io.modelcontextprotocol/logLevel":"debug"`, 1)
	if got := r.send(t, server(t, newFixture())); strings.Contains(got.body, "notifications/message") || got.status == 0 {
		t.Errorf("%s", got.body)
	}
}

// DELETE ends a session, and is not allowed where there are none (SE05).
func TestDeleteEnds(t *testing.T) {
	url := server(t, newFixture())
	for _, revision := range []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} {
		s := open(t, url, revision)
		if got := s.delete().send(t, url); got.status != http.StatusNoContent {
			t.Errorf("%s: %d %s", revision, got.status, got.body)
		}
		for _, r := range []request{s.call("1", "echo", `{"text":"x"}`), s.get(""), s.delete()} {
			if got := r.send(t, url); got.status != http.StatusNotFound {
				t.Errorf("%s: %s after it: %d %s", revision, r.method, got.status, got.body)
			}
		}
	}
	modern := request{method: http.MethodDelete, header: http.Header{"Mcp-Protocol-Version": {"2026-07-28"}}}
	if got := modern.send(t, url); got.status != http.StatusMethodNotAllowed || got.header.Get("Allow") == "" {
		t.Errorf("%d %v %s", got.status, got.header, got.body)
	}
}
