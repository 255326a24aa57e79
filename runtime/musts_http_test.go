package runtime_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// wire is a message as it was sent. A member that is not there is nil; one that is null is not.
type wire struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  *string         `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    json.Number     `json:"code"`
		Message *string         `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

var (
	isID   = regexp.MustCompile(`^("(.|\n)*"|-?\d+)$`)
	isCode = regexp.MustCompile(`^-?\d+$`)
)

// messages returns every JSON-RPC message of an answer: the body, the elements of a batch, or the events of a stream. Each must be a
// response or a notification as the schema has them, with nothing beside.
func (a answer) messages(t *testing.T) []wire {
	t.Helper()
	var texts []json.RawMessage
	switch {
	case strings.HasPrefix(a.header.Get("Content-Type"), "text/event-stream"):
		for line := range strings.Lines(a.body) {
			if data, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "data: "); ok && data != "" {
				texts = append(texts, json.RawMessage(data))
			}
		}
	case strings.HasPrefix(a.body, "["):
		if err := json.Unmarshal([]byte(a.body), &texts); err != nil {
			t.Errorf("%v: %s", err, a.body)
		}
	case a.body != "":
		texts = append(texts, json.RawMessage(a.body))
	}
	found := make([]wire, len(texts))
	for i, text := range texts {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		m := &found[i]
		if err := decoder.Decode(m); err != nil {
			t.Errorf("%v: %s", err, text)
			continue
		}
		switch {
		case m.JSONRPC != "2.0":
			t.Errorf("version %q: %s", m.JSONRPC, text)
		case m.ID != nil && !isID.Match(m.ID):
			t.Errorf("the id is neither a string nor an integer: %s", text)
		case m.Method != nil:
			if m.Result != nil || m.Error != nil {
				t.Errorf("a method and a result: %s", text)
			}
		case (m.Result != nil) == (m.Error != nil):
			t.Errorf("not either a result or an error: %s", text)
		case m.Result != nil && (m.Result[0] != '{' || m.ID == nil):
			t.Errorf("a result that is no object or has no id: %s", text)
		case m.Error != nil && (!isCode.MatchString(m.Error.Code.String()) || m.Error.Message == nil):
			t.Errorf("an error without integer code or message: %s", text)
		}
	}
	return found
}

// rejected returns the one error that an answer consists of.
func (a answer) rejected(t *testing.T) wire {
	t.Helper()
	found := a.messages(t)
	if len(found) != 1 || found[0].Error == nil {
		t.Fatalf("not one error: %d %v %q", a.status, a.header, a.body)
	}
	return found[0]
}

func withBody(r request, body string) request {
	r = r.with("", "")
	r.body = body
	return r
}

// replacing returns the request with another body; the text to replace must be there.
func replacing(t *testing.T, r request, old, new string) request {
	t.Helper()
	if !strings.Contains(r.body, old) {
		t.Fatalf("%s has no %s", r.body, old)
	}
	return withBody(r, strings.Replace(r.body, old, new, 1))
}

func getStream(s session) request {
	return request{method: "GET", header: http.Header{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {s.id}, "Mcp-Protocol-Version": {s.revision}}}
}

// HT01: the one path serves POST of both eras and the GET of a session.
func TestOneEndpoint(t *testing.T) {
	url := server(t, newFixture()) + "/mcp"
	if got := modernCall("1", "echo", `{"text":"x"}`).send(t, url); got.status != 200 || !strings.Contains(got.body, `"result"`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	for _, revision := range []string{"2025-11-25", "2025-06-18", "2025-03-26"} {
		s := open(t, url, revision)
		if got := s.call("1", "echo", `{"text":"x"}`).send(t, url); got.status != 200 || !strings.Contains(got.body, `"result"`) {
			t.Errorf("%s: %d %s", revision, got.status, got.body)
		}
		stream, err := getStream(s).start(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		if stream.StatusCode != 200 || stream.Header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("%s: GET: %d %v", revision, stream.StatusCode, stream.Header)
		}
		stream.Body.Close()
	}
	// Without a session it is refused, but it is there.
	if got := (request{method: "GET", header: http.Header{"Accept": {"text/event-stream"}}}).send(t, url); got.status == 404 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// HT12: what is wrong with a request's envelope is 400 with a JSON-RPC error, also a capability that the client lacks.
func TestEnvelopeErrorsAre400(t *testing.T) {
	url := server(t, newFixture(), runtime.WithServer(extras(make(chan string, 1), nil)))
	echo := modernCall("7", "echo", `{"text":"x"}`)
	for name, test := range map[string]struct {
		request request
		code    string
	}{
		"no version in meta":      {replacing(t, echo, `"io.modelcontextprotocol/protocolVersion":"2026-07-28",`, ``), "-32602"},
		"no capabilities in meta": {replacing(t, echo, `,"io.modelcontextprotocol/clientCapabilities":{}`, ``), "-32602"},
		"no meta":                 {replacing(t, echo, envelopeMeta+`,`, ``), "-32602"},
		"unsupported version":     {replacing(t, echo, "2026-07-28", "2099-01-01").with("MCP-Protocol-Version", "2099-01-01"), "-32022"},
		"missing capability":      {modernCall("7", "raw_refuse", `{}`), "-32021"},
		"version mismatch":        {echo.with("MCP-Protocol-Version", "2025-11-25"), "-32020"},
		"method mismatch":         {echo.with("Mcp-Method", "tools/list"), "-32020"},
		"name mismatch":           {echo.with("Mcp-Name", "slow"), "-32020"},
		"param mismatch":          {modernCall("7", "region", `{"region":"eu"}`).with("Mcp-Param-Region", "us"), "-32020"},
	} {
		t.Run(name, func(t *testing.T) {
			got := test.request.send(t, url)
			m := got.rejected(t)
			if got.status != 400 || got.header.Get("Content-Type") != "application/json" || m.Error.Code.String() != test.code || string(m.ID) != "7" {
				t.Errorf("%d %v %s", got.status, got.header, got.body)
			}
		})
	}
}

// HD17: an error about headers goes under the request's id, exactly as it was spelt, and says what is wrong.
func TestHeaderMismatchID(t *testing.T) {
	url := server(t, newFixture())
	for _, id := range []string{`7`, `-1`, `0`, `9007199254740993`, `""`, `"7"`, `"é\"\n"`} {
		echo := modernCall(id, "echo", `{"text":"x"}`)
		for name, r := range map[string]request{
			"no version":    echo.with("MCP-Protocol-Version", ""),
			"other version": echo.with("MCP-Protocol-Version", "2025-11-25"),
			"no method":     echo.with("Mcp-Method", ""),
			"other method":  echo.with("Mcp-Method", "tools/list"),
			"no name":       echo.with("Mcp-Name", ""),
			"other name":    echo.with("Mcp-Name", "slow"),
			"other param":   modernCall(id, "region", `{"region":"eu"}`).with("Mcp-Param-Region", "us"),
		} {
			got := r.send(t, url)
			m := got.rejected(t)
			if m.Error.Code.String() != "-32020" || string(m.ID) != id || *m.Error.Message == "" {
				t.Errorf("%s, %s: %d %s", id, name, got.status, got.body)
			}
		}
	}
}

// asker is a raw tool that tries everything a server could ask of a client, and says what came of it.
func asker(server *mcp.Server) {
	server.AddTool(&mcp.Tool{Name: "ask", InputSchema: anyObject}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
		defer cancel()
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: "t", Progress: 1})
		asked := []string{}
		said := func(what string, err error) {
			if err == nil {
				asked = append(asked, what)
			}
		}
		_, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "who?", RequestedSchema: anyObject})
		said("elicitation/create", err)
		//lint:ignore SA1019 what is deprecated can still be called
		_, err = r.Session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 1})
		said("sampling/createMessage", err)
		//lint:ignore SA1019 what is deprecated can still be called
		_, err = r.Session.ListRoots(ctx, nil)
		said("roots/list", err)
		said("ping", r.Session.Ping(ctx, nil))
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint("asked ", asked)}}}, nil
	})
	server.AddTool(&mcp.Tool{Name: "input", InputSchema: anyObject}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"who": &mcp.ElicitParams{Message: "who?", RequestedSchema: anyObject}}}, nil
	})
}

const clientHasAll = `"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}`

// asModernClient is a call of a client that can be asked everything.
func asModernClient(t *testing.T, r request) request {
	return replacing(t, r, `"io.modelcontextprotocol/clientCapabilities":{}`, clientHasAll+`,"progressToken":"t"`)
}

// HT15: on 2026-07-28 no stream carries a request of the server's, whatever a tool tries; what it needs is in the result.
func TestServerAsksNothing(t *testing.T) {
	url := server(t, newFixture(), runtime.WithServer(asker), runtime.WithServerOptions(func(o *mcp.ServerOptions) {
		o.KeepAlive = 10 * time.Millisecond // a ping is a request too
	}))
	ctx, leave := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer leave()
	listen, err := modernRequest("1", "subscriptions/listen", `,"notifications":{"toolsListChanged":true}`).start(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer listen.Body.Close()
	heard, _ := io.ReadAll(listen.Body)
	if !strings.Contains(string(heard), "acknowledged") {
		t.Errorf("%d %s", listen.StatusCode, heard)
	}
	for _, m := range (answer{listen.StatusCode, listen.Header, string(heard)}).messages(t) {
		if m.ID != nil && m.Method != nil {
			t.Errorf("the server asks %s: %s", *m.Method, heard)
		}
	}
	got := asModernClient(t, modernCall("1", "ask", `{}`)).send(t, url)
	found := got.messages(t)
	for _, m := range found {
		if m.ID != nil && m.Method != nil {
			t.Errorf("the server asks %s: %s", *m.Method, got.body)
		}
	}
	// The progress shows that there was a stream to ask on.
	if len(found) != 2 || found[0].Method == nil || *found[0].Method != "notifications/progress" || !strings.Contains(got.message(), "asked []") {
		t.Errorf("%d %s", got.status, got.body)
	}
	got = asModernClient(t, modernCall("2", "input", `{}`)).send(t, url)
	for _, m := range got.messages(t) {
		if m.Method != nil {
			t.Errorf("%s", got.body)
		}
	}
	if !strings.Contains(got.message(), `"resultType":"input_required"`) || !strings.Contains(got.message(), `"method":"elicitation/create"`) {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// HT18: on a session each stream carries the progress and the response of its own request, also when several run at once. JR06: what the
// server notifies has no id.
func TestStreamsDoNotCross(t *testing.T) {
	const n = 8
	var ready, all = make(chan struct{}, n), make(chan struct{})
	find := func(ctx context.Context, in NoteFind) (string, error) {
		capabilities.Progress(ctx, 1, 2, in.ID)
		ready <- struct{}{}
		<-all // until every stream is open
		capabilities.Progress(ctx, 2, 2, in.ID)
		return "found " + in.ID, nil
	}
	handler := finder(t, find)
	url := serveHandler(t, handler)
	s := open(t, url, "2025-11-25")
	pending := make([]<-chan answer, n)
	for i := range n {
		r := s.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"note_find","arguments":{"id":"n%[1]d"},"_meta":{"progressToken":"t%[1]d"}}}`, i))
		pending[i] = r.background(t, url)
	}
	for range n {
		<-ready
	}
	close(all)
	for i := range n {
		got := <-pending[i]
		found := got.messages(t)
		if len(found) != 3 {
			t.Fatalf("%d messages: %s", len(found), got.body)
		}
		for _, m := range found[:2] {
			if m.ID != nil || m.Method == nil || *m.Method != "notifications/progress" || !strings.Contains(string(m.Params), fmt.Sprintf(`"progressToken":"t%d"`, i)) {
				t.Errorf("stream %d: %s", i, got.body)
			}
		}
		if last := found[2]; string(last.ID) != fmt.Sprint(i) || !strings.Contains(string(last.Result), fmt.Sprintf("found n%d", i)) {
			t.Errorf("stream %d: %s", i, got.body)
		}
	}
}

// HT21: whatever refuses a request of 2026-07-28, the body is a JSON-RPC error: a client of both eras takes anything else for a server of
// the earlier one.
func TestEveryRefusalIsAMessage(t *testing.T) {
	f := newFixture()
	url := server(t, f, runtime.WithMaxStreams(1))
	n := newNotes(t)
	guarded := serveHandler(t, n.handler(t, false, n.options(t, nil)...))
	echo := modernCall("7", "echo", `{"text":"x"}`)
	get := request{method: "GET", header: http.Header{"Accept": {"text/event-stream"}, "Mcp-Protocol-Version": {"2026-07-28"}}}
	other := func(method string) request {
		r := get.with("", "")
		r.method = method
		return r
	}
	s := open(t, url, "2025-11-25")
	stream, err := getStream(s).start(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	for name, test := range map[string]struct {
		url     string
		request request
		status  int
	}{
		"no JSON":           {url, withBody(echo, "{nope"), 400},
		"batch":             {url, withBody(echo, "["+echo.body+"]"), 400},
		"header mismatch":   {url, echo.with("Mcp-Name", "evil"), 400},
		"version":           {url, echo.with("MCP-Protocol-Version", "2099-01-01"), 400},
		"no token":          {guarded, echo, 401},
		"bad token":         {guarded, echo.with("Authorization", "Bearer x"), 401},
		"origin":            {url, echo.with("Origin", "http://evil.example"), 403},
		"host":              {url, echo.with("Host", "evil.example"), 403},
		"unknown method":    {url, modernRequest("7", "foo/bar", ""), 404},
		"removed method":    {url, modernRequest("7", "ping", ""), 404},
		"GET":               {url, get, 405},
		"DELETE":            {url, other("DELETE"), 405},
		"PUT":               {url, other("PUT"), 405},
		"PATCH":             {url, other("PATCH"), 405},
		"not acceptable":    {url, echo.with("Accept", "text/html"), 406},
		"too large":         {url, withBody(echo, strings.Repeat(" ", runtime.DefaultMaxRequestBytes+1)), 413},
		"media type":        {url, echo.with("Content-Type", "text/plain"), 415},
		"encoding":          {url, echo.with("Content-Encoding", "gzip"), 415},
		"too many streams":  {url, modernRequest("7", "subscriptions/listen", `,"notifications":{}`), 503},
		"query of no token": {guarded + "/?access_token=x", echo, 401},
	} {
		t.Run(name, func(t *testing.T) {
			got := test.request.send(t, test.url)
			if got.rejected(t); got.status != test.status || got.header.Get("Content-Type") != "application/json" {
				t.Errorf("%d %v %s, want %d", got.status, got.header, got.body, test.status)
			}
		})
	}
	t.Run("body that does not come", func(t *testing.T) {
		url := server(t, newFixture(), runtime.Timing(0, 0, 30*time.Millisecond, 0))
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, err = fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\nContent-Length: 100\r\n\r\n{")
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := finish(t, response); got.status != 408 || got.rejected(t).ID != nil {
			t.Errorf("%d %s", got.status, got.body)
		}
	})
}

// HT22: a server of both eras does not reject the initialize of a version that it lacks, but offers its latest. Where a header names such a
// version, the error names those that there are.
func TestInitializeOfUnsupportedVersion(t *testing.T) {
	url := server(t, newFixture())
	for _, asked := range []string{"1999-01-01", "2099-01-01", "zzz", ""} {
		got := post(initializeBody(asked)).send(t, url)
		if found := got.messages(t); got.status != 200 || len(found) != 1 || !strings.Contains(string(found[0].Result), `"protocolVersion":"2025-11-25"`) {
			t.Errorf("%q: %d %s", asked, got.status, got.body)
		}
		if asked == "" {
			continue
		}
		got = post(initializeBody(asked)).with("MCP-Protocol-Version", asked).send(t, url)
		m := got.rejected(t)
		want := `{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"` + asked + `"}`
		if got.status != 400 || m.Error.Code.String() != "-32022" || string(m.ID) != `"i"` || string(m.Error.Data) != want {
			t.Errorf("%q: %d %s", asked, got.status, got.body)
		}
	}
}

// JR04: an error has the id of its request, and none, also not null, where that could not be read. The transport of 2025-06-18 and before
// allows an error without id too ("The HTTP response body MAY comprise a JSON-RPC error response that has no id").
func TestErrorID(t *testing.T) {
	url := server(t, newFixture())
	batches := open(t, url, "2025-03-26")
	bodies := []struct{ body, id string }{
		{`{nope`, ""},
		{``, ""},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/list"`, ""},
		{`{"jsonrpc":"2.0","id":null,"method":"tools/list"}`, ""},
		{`{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}`, ""},
		{`{"jsonrpc":"2.0","id":{},"method":"tools/list"}`, ""},
		{`{"jsonrpc":"2.0","id":true,"method":"tools/list"}`, ""},
		{`{"jsonrpc":"2.0","id":7,"id":8,"method":"tools/list"}`, ""},
		{`42`, ""},
		{`{"jsonrpc":"2.0","method":"notifications/zzz"}`, ""},
		{`{"jsonrpc":"1.0","id":7,"method":"tools/list"}`, `7`},
		{`{"id":"","method":"tools/list"}`, `""`},
		{`{"jsonrpc":"2.0","id":"7","method":5}`, `"7"`},
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"no/such"}`, `9007199254740993`},
		{`{"jsonrpc":"2.0","id":-1,"method":"tools/call","params":[]}`, `-1`},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"panic"}}`, `7`},
	}
	for name, send := range map[string]func(body string) request{
		"2026-07-28": func(body string) request {
			r := modernCall("0", "panic", `{}`)
			if body = strings.Replace(body, `"params":{`, `"params":{`+envelopeMeta+`,`, 1); strings.Contains(body, "no/such") {
				r = r.with("Mcp-Method", "no/such")
			}
			return withBody(r, body)
		},
		"2025-11-25": open(t, url, "2025-11-25").post,
		"2025-06-18": open(t, url, "2025-06-18").post,
		"2025-03-26": batches.post,
	} {
		for _, test := range bodies {
			if got := send(test.body).send(t, url); string(got.rejected(t).ID) != test.id {
				t.Errorf("%s: %s: %d %s, want id %s", name, test.body, got.status, got.body, test.id)
			}
		}
	}
	got := batches.post(`[5,{"jsonrpc":"2.0","id":null,"method":"ping"},{"jsonrpc":"1.0","id":7,"method":"ping"}]`).send(t, url)
	var ids []string
	for _, m := range got.messages(t) {
		ids = append(ids, string(m.ID))
	}
	if !slices.Equal(ids, []string{"", "", "7"}) {
		t.Errorf("%q: %s", ids, got.body)
	}
}

// JR05: whatever is asked, each answer has a result or an error and not both, and each error an integer code and a text.
func TestAnswersAreWellFormed(t *testing.T) {
	url := server(t, newFixture(), runtime.WithServer(extras(make(chan string, 100), nil)), runtime.WithDeadline(50*time.Millisecond), runtime.Timing(10*time.Millisecond, 0, 0, 0))
	both(t, url, func(t *testing.T, send func(method, name, params string) answer) {
		results, errors := 0, 0
		check := func(method, name, params string) {
			t.Helper()
			found := send(method, name, params).messages(t)
			if len(found) == 0 || found[len(found)-1].Method != nil {
				t.Fatalf("%s %s is not answered: %v", method, name, found)
			}
			if found[len(found)-1].Error != nil {
				errors++
			} else {
				results++
			}
		}
		for _, method := range []string{"server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "ping", "no/such", "completion/complete"} {
			check(method, "", "")
		}
		check("tools/list", "", `,"cursor":"none"`)
		check("prompts/get", "broken", `,"name":"broken"`)
		check("prompts/get", "none", `,"name":"none"`)
		check("resources/read", "test://r", `,"uri":"test://r"`)
		check("resources/read", "test://none", `,"uri":"test://none"`)
		for _, name := range []string{
			"echo", "slow", "panic", "boom", "tree", "region", "secret_tool", "none", "raw_echo", "raw_panic", "raw_error", "raw_refuse", "raw_nil", "raw_slow",
		} {
			for _, arguments := range []string{`{}`, `{"text":"x"}`, `{"text":"nobody"}`, `{"ms":30}`, `{"ms":60000}`, `[]`} {
				check("tools/call", name, `,"name":"`+name+`","arguments":`+arguments)
			}
		}
		check("tools/call", "raw_progress", `,"name":"raw_progress"#"p"`)
		if results < 20 || errors < 20 {
			t.Errorf("%d results and %d errors", results, errors)
		}
	})
}

// JR06: a notification has no response. One that is accepted has an empty answer, one that is not has an error without id.
func TestNotificationsAreNotAnswered(t *testing.T) {
	url := server(t, newFixture(), runtime.WithServer(extras(make(chan string, 1), nil)))
	notification := func(method string) string {
		return `{"jsonrpc":"2.0","method":"notifications/` + method + `","params":{"requestId":99,"progressToken":"t","progress":1}}`
	}
	modern := func(body string) request {
		return post(body).with("MCP-Protocol-Version", "2026-07-28").with("Mcp-Method", "notifications/cancelled")
	}
	s, batches := open(t, url, "2025-11-25"), open(t, url, "2025-03-26")
	for name, r := range map[string]request{
		"2026-07-28 cancelled":     modern(notification("cancelled")),
		"2025-11-25 cancelled":     s.post(notification("cancelled")),
		"2025-11-25 progress":      s.post(notification("progress")),
		"2025-11-25 roots changed": s.post(notification("roots/list_changed")),
		"2025-03-26 batch":         batches.post("[" + notification("cancelled") + "," + notification("zzz") + "]"),
	} {
		if got := r.send(t, url); got.status != 202 || got.body != "" || got.header.Get("Content-Type") != "" {
			t.Errorf("%s: %d %v %q", name, got.status, got.header, got.body)
		}
	}
	for name, r := range map[string]request{
		"2026-07-28": modern(notification("zzz")).with("Mcp-Method", "notifications/zzz"), "2025-11-25": s.post(notification("zzz")),
	} {
		if got := r.send(t, url); got.status != 400 || got.rejected(t).ID != nil {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	// A request among notifications is the one thing that is answered.
	got := batches.post("["+notification("cancelled")+`,{"jsonrpc":"2.0","id":1,"method":"ping"},`+notification("zzz")+"]").send(t, url)
	if found := got.messages(t); len(found) != 1 || string(found[0].ID) != "1" {
		t.Errorf("%d %s", got.status, got.body)
	}
	// Nor has what the server notifies an id.
	got = modernRequest("1", "subscriptions/listen", `,"notifications":{}`).send(t, server(t, newFixture()))
	if found := got.messages(t); len(found) != 2 || found[0].Method == nil || found[0].ID != nil {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// JR10: an id belongs to its request alone: clients that use the same at once are all served, and none ends another's call.
func TestSameIDAtOnce(t *testing.T) {
	f := newFixture()
	started, release := make(chan string, 10), make(chan struct{})
	url := server(t, f, runtime.WithServer(extras(started, release)))
	pending := map[string]<-chan answer{}
	for _, name := range []string{"deaf", "deaf again"} {
		pending[name] = modernCall("1", "deaf", `{"ms":60000}`).background(t, url)
		<-f.started
	}
	for _, name := range []string{"raw_deaf", "raw_deaf again"} {
		pending[name] = modernCall("1", "raw_deaf", `{}`).background(t, url)
		<-started
	}
	for _, name := range []string{"session", "other session"} {
		pending[name] = open(t, url, "2025-11-25").call("1", "deaf", `{"ms":60000}`).background(t, url)
		<-f.started
	}
	// One that gives up takes no other with it, and neither does a notification.
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		if response, err := modernCall("1", "slow", `{"ms":60000,"key":"gone"}`).start(ctx, url); err == nil {
			response.Body.Close()
		}
	}()
	<-f.started
	leave()
	eventually(t, func() bool { return f.get("gone") == "cancelled" })
	post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`).with("MCP-Protocol-Version", "2026-07-28").
		with("Mcp-Method", "notifications/cancelled").send(t, url)
	if got := modernCall("1", "echo", `{"text":"x"}`).send(t, url); got.status != 200 || !strings.Contains(got.body, `"id":1,"result"`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	close(f.release)
	close(release)
	for name, answers := range pending {
		got := <-answers
		found := got.messages(t)
		if got.status != 200 || len(found) != 1 || string(found[0].ID) != "1" || !strings.Contains(string(found[0].Result), "heard") {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
}
