package runtime_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

// listTools returns the entries of a list.
func listTools(t *testing.T, url string) []map[string]any {
	t.Helper()
	var read struct {
		Result struct{ Tools []map[string]any }
	}
	if err := json.Unmarshal([]byte(modernRequest("1", "tools/list", "").send(t, url).body), &read); err != nil {
		t.Fatal(err)
	}
	return read.Result.Tools
}

// What is listed is as clients need it: schemas that are valid in their dialect, with an object at the root (TL08, TL09); names that all
// clients take, each once (TL10); and no mirrored parameter but those that were declared (TL15).
func TestListedTools(t *testing.T) {
	seen := map[string]bool{}
	form := regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)
	for _, tool := range listTools(t, server(t, newFixture())) {
		name := tool["name"].(string)
		if !form.MatchString(name) || seen[name] {
			t.Errorf("%q, or it is there twice", name)
		}
		seen[name] = true
		for _, which := range []string{"inputSchema", "outputSchema"} {
			schema, err := json.Marshal(tool[which])
			if err != nil {
				t.Fatal(err)
			}
			c := jsonschema.NewCompiler()
			c.Draft = jsonschema.Draft2020
			if err := c.AddResource("mem:///s", strings.NewReader(string(schema))); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Compile("mem:///s"); err != nil || tool[which].(map[string]any)["type"] != "object" {
				t.Errorf("%s, %s: %v", name, which, err)
			}
			if strings.Contains(string(schema), "x-mcp-header") && name != "region" {
				t.Errorf("%s mirrors what was not declared", name)
			}
		}
	}
}

// Names that are none, or that clients cannot tell apart, keep the handler from being built (TL10).
func TestRefusedNames(t *testing.T) {
	for name, want := range map[string]string{
		"": "is not 1 to 128", strings.Repeat("a", 129): "is not 1 to 128", "a b": "is not 1 to 128", "über": "is not 1 to 128",
		"SLOW": "cannot tell apart", "sl-ow": "", "a.B-c_9": "",
	} {
		_, err := runtime.NewHandler(registry(t, newFixture()), runtime.WithToolNames(func(id capabilities.ID) string {
			if id.Name == "echo" {
				return name
			}
			return id.Name
		}))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// The tools are the same on every connection and after every call, and whatever a client says of itself (TL02, ME07); with tokens they may
// differ, and then the list says that it is private and what is hidden stays uncallable (TL06).
func TestToolsDoNotVary(t *testing.T) {
	url := server(t, newFixture())
	first := modernRequest("1", "tools/list", "").send(t, url).body
	for i, info := range []string{"", `,"io.modelcontextprotocol/clientInfo":{"name":"claude","version":"9"}`, `,"io.modelcontextprotocol/clientInfo":{"name":"admin","version":"0"}`} {
		modernCall("1", "echo", `{"text":"x"}`).send(t, url)
		r := modernRequest("1", "tools/list", "").with("Connection", "close")
		r.body = strings.Replace(r.body, metaMembers, metaMembers+info, 1)
		if got := r.send(t, url).body; got != first {
			t.Errorf("list %d differs: %s", i, got)
		}
	}
	var onSessions []string
	for _, name := range []string{"claude", "admin"} {
		call := modernCall("1", "echo", `{"text":"x"}`)
		call.body = strings.Replace(call.body, metaMembers, metaMembers+`,"io.modelcontextprotocol/clientInfo":{"name":"`+name+`","version":"1"}`, 1)
		opened := post(strings.Replace(initializeBody("2025-11-25"), `"name":"t"`, `"name":"`+name+`"`, 1)).send(t, url)
		s := session{url: url, id: opened.header.Get("Mcp-Session-Id"), revision: "2025-11-25"}
		onSessions = append(onSessions, opened.body+call.send(t, url).body+s.call("1", "echo", `{"text":"x"}`).send(t, url).body+s.call("1", "secret_tool", `{}`).send(t, url).body)
	}
	if onSessions[0] != onSessions[1] || !strings.Contains(onSessions[0], "Unknown tool") {
		t.Errorf("what a client calls itself changes something:\n%s\n%s", onSessions[0], onSessions[1])
	}
	n := newNotes(t)
	n.grant(t, "alice", allScopes, nil)
	handler := n.handler(t, true, n.options(t, nil)...)
	mine := modernRequest("1", "tools/list", "").with("Authorization", "Bearer "+n.token(t, "alice", allScopes...)).record(handler)
	all := modernRequest("1", "tools/list", "").record(handler)
	if mine.body == all.body || !strings.Contains(mine.body, `"cacheScope":"private"`) || !strings.Contains(all.body, `"cacheScope":"private"`) {
		t.Errorf("%s\n%s", mine.body, all.body)
	}
	if got := modernCall("1", "note_read", `{"id":"acme-1"}`).record(handler); got.code(t) != -32602 {
		t.Errorf("%s", got.body)
	}
}

// Keys of _meta that we send have the form of the specification, and ours are not in a prefix that it keeps (ME08).
func TestMetaKeys(t *testing.T) {
	url := server(t, newFixture(), runtime.WithServer(extras(make(chan string, 1), nil)), runtime.Timing(5*time.Millisecond, 0, 0, 0))
	key := regexp.MustCompile(`^([a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*/)?[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`)
	ofProtocol := map[string]bool{"io.modelcontextprotocol/serverInfo": true, "io.modelcontextprotocol/subscriptionId": true}
	listen, leave := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer leave()
	heard := ""
	if response, err := modernRequest(`"L"`, "subscriptions/listen", `,"notifications":{"toolsListChanged":true}`).start(listen, url); err == nil {
		text, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		heard = string(text)
	}
	found := 0
	for _, body := range []string{
		modernCall("1", "echo", `{"text":"x"}`).send(t, url).body, modernCall("1", "echo", `{"text":1}`).send(t, url).body,
		modernRequest("1", "tools/list", "").send(t, url).body, modernCall("1", "slow", `{"ms":50,"key":"k"}`).send(t, url).message(),
		modernCall("1", "raw_echo", `{}`).send(t, url).message(), modernRequest("1", "server/discover", "").send(t, url).body, answer{body: heard, header: streamHeader}.message(),
	} {
		var read struct {
			Result struct {
				Meta map[string]any `json:"_meta"`
			}
			Params struct {
				Meta map[string]any `json:"_meta"`
			}
		}
		if err := json.Unmarshal([]byte(body), &read); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		for _, meta := range []map[string]any{read.Result.Meta, read.Params.Meta} {
			for name := range meta {
				found++
				if !key.MatchString(name) || strings.Contains(name, "modelcontextprotocol") && !ofProtocol[name] {
					t.Errorf("%s", name)
				}
			}
		}
	}
	if found < 8 {
		t.Errorf("%d keys", found)
	}
}

var streamHeader = http.Header{"Content-Type": {"text/event-stream"}}

// Inputs are validated before the handler sees them (TC11). Which kinds of content a revision knows is held by TestAttached (TC09).
func TestInputsAreValidated(t *testing.T) {
	url := server(t, newFixture())
	for _, arguments := range []string{`{}`, `{"text":1}`, `{"text":null}`, `{"text":"x","more":1}`, `{"text":["x"]}`} {
		if got := modernCall("1", "echo", arguments).send(t, url); !strings.Contains(got.body, `"isError":true`) || !strings.Contains(got.body, "does not match the schema") {
			t.Errorf("%s: %s", arguments, got.body)
		}
	}
}

// dialectCase is a capability whose schema a test chooses.
type dialectCase struct {
	capabilities.Returns[string]
}

var (
	dialectSchema string
	// hasCodec: the schema goes with generated code, so that the registry takes it to be one.
	hasCodec bool
)

func (dialectCase) Capability() *capabilities.Capability[dialectCase, string] {
	codec := capabilities.Codec[dialectCase, string]{}
	if hasCodec {
		codec.Decode = func([]byte, *dialectCase) capabilities.Problems { return nil }
	}
	return capabilities.DeclareCodec(`{"id": "test:dialect@1", "tool": "dialect", "risk": "read", "access": "public",
		"input": `+dialectSchema+`, "output": {"type": "string"}}`, codec)
}

func dialectHandler(t *testing.T, schema string) (*runtime.Handler, error) {
	t.Helper()
	dialectSchema = schema
	registry, err := capabilities.NewRegistry(capabilities.Handle(func(context.Context, dialectCase) (string, error) { return "ran", nil }))
	if err != nil {
		return nil, err
	}
	return runtime.NewHandler(registry)
}

// A schema without $schema is of 2020-12 (TC15); another dialect is refused by its name (TC16), and so is a reference to something outside, which
// nobody fetches (TC18, TC19). The dialect is documented (TC17).
func TestDialects(t *testing.T) {
	handler, err := dialectHandler(t, `{"type": "object", "properties": {"a": {"prefixItems": [{"const": 1}], "unevaluatedItems": false}}}`)
	if err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]string{`{"a":[1]}`: "ran", `{"a":[2]}`: "does not match", `{"a":[1,2]}`: "does not match"} {
		if got := modernCall("1", "dialect", arguments).record(handler); !strings.Contains(got.body, want) {
			t.Errorf("%s: %s", arguments, got.body)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	connected := make(chan struct{}, 1)
	go func() {
		if c, err := listener.Accept(); err == nil {
			connected <- struct{}{}
			_ = c.Close()
		}
	}()
	outside := "http://" + listener.Addr().String() + "/schema.json"
	for schema, want := range map[string][2]string{ // without and with generated code
		`{"$schema": "https://example.com/zzz", "type": "object"}`: {
			"the input schema: the schema is not valid", `its $schema is "https://example.com/zzz": the one dialect`},
		`{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}`: {
			`its $schema is "http://json-schema.org/draft-07/schema#"`, `its $schema is "http://json-schema.org/draft-07/schema#"`},
		`{"type": "object", "properties": {"a": {"allOf": [{"$ref": "` + outside + `"}]}}}`: {
			"references to other documents are not followed", `it refers to "` + outside + `", and nothing is fetched`},
		`{"type": "object", "additionalProperties": {"$dynamicRef": "` + outside + `#x"}}`: {"the schema is not valid", `it refers to "` + outside},
		`{"type": "objekt"}`: {"the input schema: the schema is not valid", `the input schema's root has no "type": "object"`},
		`{"properties": {}}`: {`the input schema's root has no "type": "object"`, `the input schema's root has no "type": "object"`}, // TL08
		`{"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}}`: {"the input schema: the schema is not valid", ""},
		// What is a value and no schema may look like one.
		`{"type": "object", "properties": {"a": {"default": {"$ref": "x"}, "const": {"$ref": "x"}, "enum": [{"$ref": "x"}], "examples": [{"$ref": "x"}]}}}`: {"", ""},
	} {
		for i, want := range want {
			hasCodec = i == 1
			_, err := dialectHandler(t, schema)
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("generated: %v, %s\n got %v\nwant %s", hasCodec, schema, err, want)
			}
		}
	}
	hasCodec = false
	// An application's own tool, which go-sdk lists and calls.
	raw := server(t, newFixture(), runtime.WithServer(func(s *mcp.Server) {
		s.AddTool(&mcp.Tool{Name: "raw_remote", InputSchema: map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{"$ref": outside}}}},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{}, nil
			})
	}))
	if got := modernRequest("1", "tools/list", "").send(t, raw); !strings.Contains(got.body, "raw_remote") {
		t.Errorf("%s", got.body)
	}
	modernCall("1", "raw_remote", `{"a":1}`).send(t, raw)
	_ = listener.Close()
	select {
	case <-connected:
		t.Error("a schema was fetched")
	case <-time.After(50 * time.Millisecond):
	}
	text, err := os.ReadFile("doc.go")
	if err != nil || !strings.Contains(string(text), "draft 2020-12") {
		t.Errorf("the dialect is not documented: %v", err)
	}
}

// What a hostile caller can have a schema do is bounded by what it may send and by the nesting that is read (TC20).
func TestHostileArguments(t *testing.T) {
	branch := `{"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}}}`
	doubling, err := dialectHandler(t, `{"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"anyOf": [`+branch+`, `+branch+`]}}}`)
	if err != nil {
		t.Fatal(err)
	}
	got := modernCall("1", "dialect", `{"a":`+strings.Repeat(`{"a":`, 40)+"5"+strings.Repeat("}", 40)+`}`).record(doubling)
	if !strings.Contains(got.body, "refers to itself in several ways") {
		t.Errorf("%s", got.body)
	}
	deep := `{"$ref": "#/$defs/n"}`
	handler, err := dialectHandler(t, `{"type": "object", "properties": {"a": `+deep+`}, "$defs": {"n": {"anyOf": [{"type": "integer"},
		{"type": "array", "items": {"$ref": "#/$defs/n"}}, {"type": "object", "additionalProperties": {"$ref": "#/$defs/n"}}]}}}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{strings.Repeat("[", 5000) + strings.Repeat("]", 5000), strings.Repeat(`{"a":`, 900) + "1" + strings.Repeat("}", 900),
		"[" + strings.Repeat("1,", 10000) + "1]"} {
		done := make(chan answer, 1)
		go func() { done <- modernCall("1", "dialect", `{"a":`+value+`}`).record(handler) }()
		select {
		case got := <-done:
			if got.status == 0 || got.status >= 500 {
				t.Errorf("%d %.200s", got.status, got.body)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("it is not answered")
		}
	}
}

// A call that reports for ever is cut at its deadline all the same, in both eras, and also when its handler is deaf (CN08); its
// reports are limited.
func TestEndlessProgress(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	find := func(ctx context.Context, in NoteFind) (string, error) {
		for i := 1.0; in.ID == "deaf" || ctx.Err() == nil; i++ {
			capabilities.Progress(ctx, i, 0, "")
			select {
			case <-release:
				return "", nil
			case <-time.After(time.Millisecond):
			}
		}
		return "", ctx.Err()
	}
	handler := finder(t, find, runtime.WithDeadline(150*time.Millisecond))
	both(t, serveHandler(t, handler), func(t *testing.T, send func(method, name, params string) answer) {
		for _, id := range []string{"hearing", "deaf"} {
			got := send("tools/call", "note_find", `,"name":"note_find","arguments":{"id":"`+id+`"}#"p"`)
			if count := strings.Count(got.body, "notifications/progress"); !strings.Contains(got.message(), "took too long") || count < 2 || count > 120 {
				t.Errorf("%s: %d reports, %.300s", id, count, got.message())
			}
		}
	})
}

// A server cancels nothing of a client's: whatever ends a call, no stream says notifications/cancelled (CN04), and what a call reports is on
// its own stream and on no other (PG05).
func TestStreamsOfOthers(t *testing.T) {
	started := make(chan string, 10)
	find := func(ctx context.Context, in NoteFind) (string, error) {
		capabilities.Progress(ctx, 1, 0, "REPORT")
		started <- in.ID
		<-ctx.Done()
		return "", ctx.Err()
	}
	handler := finder(t, find, runtime.WithDeadline(time.Second), runtime.WithServer(extras(started, nil)))
	url := serveHandler(t, handler)
	s, other := open(t, url, "2025-11-25"), open(t, url, "2025-11-25")
	get := func(s session) request {
		return request{method: "GET", header: http.Header{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {s.id}}}
	}
	var streams []<-chan answer
	for _, r := range []request{get(s), get(other), modernRequest(`"L"`, "subscriptions/listen", `,"notifications":{"toolsListChanged":true}`)} {
		streams = append(streams, r.background(t, url))
	}
	call := func(s session, id string) <-chan answer {
		r := s.call(id, "note_find", `{"id":"`+id+`"}`)
		r.body = strings.Replace(r.body, `"arguments"`, `"_meta":{"progressToken":"p"},"arguments"`, 1)
		pending := r.background(t, url)
		within(t, started, "the call did not begin")
		return pending
	}
	timed, deleted, cancelled := call(s, "1"), call(other, "2"), call(s, "3")
	s.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`).send(t, url)
	other.delete().send(t, url)
	calls := []answer{within(t, timed, "no deadline"), within(t, deleted, "no end"), within(t, cancelled, "no end")}
	stopped := call(s, "4")
	ended, now := context.WithCancel(context.Background())
	now()
	_ = handler.Shutdown(ended)
	calls = append(calls, within(t, stopped, "no end"))
	for i, got := range calls {
		if strings.Count(got.body, "REPORT") != 1 || strings.Contains(got.body, "notifications/cancelled") {
			t.Errorf("call %d: %s", i+1, got.body)
		}
	}
	for i, stream := range streams {
		if got := within(t, stream, "a stream did not end"); strings.Contains(got.body, "REPORT") || strings.Contains(got.body, "notifications/cancelled") {
			t.Errorf("stream %d: %s", i+1, got.body)
		}
	}
}

// A handler's goroutine that reports after the handler returned reports to nobody, not even to who resumes the stream (PG03).
func TestProgressAfterTheAnswer(t *testing.T) {
	answered, reported := make(chan struct{}), make(chan struct{})
	find := func(ctx context.Context, in NoteFind) (string, error) {
		capabilities.Progress(ctx, 1, 0, "")
		go func() {
			defer close(reported)
			<-answered
			capabilities.Progress(ctx, 2, 0, "LATE")
		}()
		return "found", nil
	}
	handler := finder(t, find)
	url := serveHandler(t, handler)
	s := open(t, url, "2025-11-25")
	call := s.call("1", "note_find", `{"id":"x"}`)
	call.body = strings.Replace(call.body, `"arguments"`, `"_meta":{"progressToken":"p"},"arguments"`, 1)
	got := call.send(t, url)
	close(answered)
	<-reported
	first, _, _ := strings.Cut(strings.TrimPrefix(got.body, "id: "), "\n")
	again := request{method: "GET", header: map[string][]string{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {s.id}, "Last-Event-Id": {first}}}.send(t, url)
	for _, each := range []answer{got, again} {
		if strings.Contains(each.body, "LATE") || !strings.Contains(each.message(), `"found"`) {
			t.Errorf("%s", each.body)
		}
	}
}
