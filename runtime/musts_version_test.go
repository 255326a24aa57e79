package runtime_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// definedCodes are those of JSON-RPC 2.0 and of MCP that a server of 2026-07-28 may send.
var definedCodes = []int{-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022}

// allowedCode: EC04 leaves what is outside of JSON-RPC's range to applications.
func allowedCode(code int) bool {
	return code < -32768 || code > -32000 || slices.Contains(definedCodes, code)
}

// EC01, EC02, EC04: the source has no code of JSON-RPC's range but those that are defined.
func TestCodesInSource(t *testing.T) {
	found, source := map[int]bool{}, os.DirFS(".")
	err := fs.WalkDir(source, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(source, path)
		if err != nil {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			minus, ok := n.(*ast.UnaryExpr)
			if !ok || minus.Op != token.SUB {
				return true
			}
			literal, ok := minus.X.(*ast.BasicLit)
			if !ok {
				return true
			}
			value, err := strconv.Atoi(literal.Value)
			if err != nil || value < 32000 || value > 32768 {
				return true
			}
			found[-value] = true
			// The bounds of the range may be named.
			if !allowedCode(-value) && value != 32000 && value != 32768 && value != 32002 {
				t.Errorf("%s: %d", files.Position(literal.Pos()), -value)
			}
			return true
		})
		return nil
	})
	if err != nil || !found[-32022] || !found[-32700] {
		t.Errorf("%v: %v", err, found)
	}
}

// coded are raw tools that fail with a code each, and what has to be asked of the user at a URL.
func coded(codes ...int64) func(*mcp.Server) {
	return func(server *mcp.Server) {
		for _, code := range codes {
			server.AddTool(&mcp.Tool{Name: fmt.Sprint("code", code), InputSchema: anyObject}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return nil, &jsonrpc.Error{Code: code, Message: "CODED", Data: json.RawMessage(`{}`)}
			})
		}
		atURL := &mcp.ElicitParams{Mode: "url", Message: "sign in", URL: "https://example.com/in", ElicitationID: "e"}
		server.AddTool(&mcp.Tool{Name: "url_error", InputSchema: anyObject}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, mcp.URLElicitationRequiredError([]*mcp.ElicitParams{atURL})
		})
		server.AddTool(&mcp.Tool{Name: "url_input", InputSchema: anyObject}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"in": &mcp.ElicitParams{Mode: "url", Message: "sign in", URL: "https://example.com/in"}}}, nil
		})
		server.AddResource(&mcp.Resource{Name: "r", URI: "test://r"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return nil, &jsonrpc.Error{Code: -32002, Message: "Resource not found"}
		})
	}
}

// EC01, EC02, EC03, EC04: on 2026-07-28 no answer has a code of JSON-RPC's range but those that are defined, for what they are defined for.
// What an application sends is held to it; its own codes lie outside and are passed on.
func TestObservedCodes(t *testing.T) {
	url := server(t, newFixture(), runtime.WithServer(coded(-32000, -32001, -32002, -32019, -32020, -32021, -32022, -32023, -32042, -32099, -32100, -32500, -32768, -32602, -31999, 42)))
	echo := modernCall("7", "echo", `{"text":"x"}`)
	read := func(uri string) request {
		return modernRequest("7", "resources/read", `,"uri":"`+uri+`"`).with("Mcp-Name", uri)
	}
	raw := func(code int) request { return modernCall("7", fmt.Sprint("code", code), `{}`) }
	for name, test := range map[string]struct {
		request request
		code    int
	}{
		"parse error":               {withBody(echo, "{nope"), -32700},
		"invalid request":           {replacing(t, echo, `"2.0"`, `"1.0"`), -32600},
		"unknown method":            {modernRequest("7", "no/such", ""), -32601},
		"unknown tool":              {modernCall("7", "none", `{}`), -32602},
		"unknown cursor":            {modernRequest("7", "tools/list", `,"cursor":"none"`), -32602},
		"panic":                     {modernCall("7", "panic", `{}`), -32603},
		"EC01 header mismatch":      {echo.with("Mcp-Name", "evil"), -32020},
		"EC01 missing capability":   {raw(-32021), -32021},
		"EC01 version mismatch":     {echo.with("MCP-Protocol-Version", "x"), -32020},
		"EC01 unsupported version":  {replacing(t, echo, "2026-07-28", "x").with("MCP-Protocol-Version", "x"), -32022},
		"EC03 missing resource":     {read("test://none"), -32602},
		"EC03 resource with -32002": {read("test://r"), -32602},
		"EC03 URL elicitation":      {modernCall("7", "url_error", `{}`), -32603},
		"EC03 -32002":               {raw(-32002), -32602},
		"EC03 -32042":               {raw(-32042), -32603},
		"EC02 -32000":               {raw(-32000), -32603},
		"EC02 -32001":               {raw(-32001), -32603},
		"EC02 -32019":               {raw(-32019), -32603},
		"EC01 -32023":               {raw(-32023), -32603},
		"EC01 -32099":               {raw(-32099), -32603},
		"EC04 -32100":               {raw(-32100), -32603},
		"EC04 -32500":               {raw(-32500), -32603},
		"EC04 -32768":               {raw(-32768), -32603},
		"-32602 of an application":  {raw(-32602), -32602},
		"EC04 -31999":               {raw(-31999), -31999},
		"EC04 42":                   {raw(42), 42},
	} {
		t.Run(name, func(t *testing.T) {
			got := test.request.send(t, url)
			m := got.rejected(t)
			code, _ := strconv.Atoi(m.Error.Code.String())
			if code != test.code || !allowedCode(code) {
				t.Errorf("%d %s, want %d", got.status, got.body, test.code)
			}
		})
	}
	// EC03: what is asked at a URL is part of a result.
	got := replacing(t, modernCall("7", "url_input", `{}`), `"io.modelcontextprotocol/clientCapabilities":{}`, clientHasAll).send(t, url)
	if !strings.Contains(got.message(), `"resultType":"input_required"`) || !strings.Contains(got.message(), `"mode":"url"`) || got.code(t) != 0 {
		t.Errorf("%d %s", got.status, got.body)
	}
	// On a session of 2025-11-25 the earlier codes mean what they meant.
	s := open(t, url, "2025-11-25")
	if got := s.call("1", "url_error", `{}`).send(t, url); got.code(t) != -32042 {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := s.post(`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"test://r"}}`).send(t, url); got.code(t) != -32002 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// connection sends one request after the other on a TCP connection of its own.
type connection struct {
	conn   net.Conn
	reader *bufio.Reader
}

func dialServer(t *testing.T, url string) *connection {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	return &connection{conn, bufio.NewReader(conn)}
}

func (c *connection) send(t *testing.T, r request) answer {
	t.Helper()
	out, err := http.NewRequest(r.method, "http://"+c.conn.RemoteAddr().String()+"/", strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	out.Header = r.header
	if err := out.Write(c.conn); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(c.reader, out)
	if err != nil {
		t.Fatal(err)
	}
	return finish(t, response)
}

// teller is a raw tool that says what it knows of its client, and one that asks for input.
func teller(server *mcp.Server) {
	asker(server)
	server.AddTool(&mcp.Tool{Name: "tell", InputSchema: anyObject}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		has, who := r.ClientCapabilities(), "nobody"
		if info := r.ClientInfo(); info != nil && info.Name != "" {
			who = info.Name
		}
		text := fmt.Sprintf("%s on %s, elicitation %t", who, r.ProtocolVersion(), has != nil && has.Elicitation != nil)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
	})
}

// VD06: what one request says of its client is forgotten with it, on the same connection too. VD10: so does a session on that connection
// change nothing for what has its own _meta, nor the other way round.
func TestRequestsStandAlone(t *testing.T) {
	url := server(t, newFixture(), runtime.WithServer(teller))
	c := dialServer(t, url)
	modern := modernCall("1", "tell", `{}`)
	rich := replacing(t, modern, `"io.modelcontextprotocol/clientCapabilities":{}`, clientHasAll+`,"io.modelcontextprotocol/clientInfo":{"name":"rich","version":"1"}`)
	opened := c.send(t, post(strings.Replace(initializeBody("2025-06-18"), `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1)))
	s := session{url: url, id: opened.header.Get("Mcp-Session-Id"), revision: "2025-06-18"}
	if got := c.send(t, s.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)); got.status != 202 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	legacy := s.call("1", "tell", `{}`)
	for i, test := range []struct {
		request request
		want    string
	}{
		{rich, "rich on 2026-07-28, elicitation true"},
		{modern, "nobody on 2026-07-28, elicitation false"},
		{legacy, "t on 2025-06-18, elicitation true"},
		{modern, "nobody on 2026-07-28, elicitation false"},
		{modern.with("Mcp-Session-Id", s.id), "nobody on 2026-07-28, elicitation false"},
		{rich, "rich on 2026-07-28, elicitation true"},
		{legacy, "t on 2025-06-18, elicitation true"},
		{legacy.with("MCP-Protocol-Version", ""), "t on 2025-06-18, elicitation true"},
	} {
		got := c.send(t, test.request)
		if got.status != 200 || !strings.Contains(got.message(), test.want) || got.header.Get("Mcp-Session-Id") != "" && test.request.header.Get("Mcp-Protocol-Version") == "2026-07-28" {
			t.Errorf("%d: %d %v %s, want %s", i, got.status, got.header, got.body, test.want)
		}
		// Of the two eras only one has resultType.
		if isModern := strings.Contains(test.want, "2026-07-28"); strings.Contains(got.message(), `"resultType"`) != isModern {
			t.Errorf("%d: %s", i, got.body)
		}
	}
	// Capabilities interleave likewise, and the end of the session ends nothing else.
	echo := modernCall("2", "echo", `{"text":"x"}`)
	for _, step := range []struct {
		request request
		status  int
	}{
		{echo, 200}, {s.call("2", "echo", `{"text":"x"}`), 200}, {modernRequest("3", "server/discover", ""), 200},
		{s.post(`{"jsonrpc":"2.0","id":3,"method":"ping"}`), 200}, {modernRequest("4", "ping", ""), 404}, {s.delete(), 204}, {echo, 200},
		{s.call("4", "echo", `{"text":"x"}`), 404}, {echo, 200},
	} {
		if got := c.send(t, step.request); got.status != step.status {
			t.Errorf("%s: %d %s, want %d", step.request.body, got.status, got.body, step.status)
		}
	}
}

// VD07: each request may go on a connection of its own and to another replica: pages, and the answer to a question, too.
func TestReplicas(t *testing.T) {
	many := func(server *mcp.Server) {
		for i := range 250 {
			server.AddTool(&mcp.Tool{Name: fmt.Sprintf("raw_%03d", i), InputSchema: anyObject}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				if r.Params.RequestState == "" {
					return &mcp.CallToolResult{RequestState: "asked", InputRequests: mcp.InputRequestMap{"who": &mcp.ElicitParams{Message: "who?", RequestedSchema: anyObject}}}, nil
				}
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("%s, %d answers", r.Params.RequestState, len(r.Params.InputResponses))}}}, nil
			})
		}
	}
	replicas := []string{server(t, newFixture(), runtime.WithServer(many)), server(t, newFixture(), runtime.WithServer(many))}
	next := 0
	send := func(r request) answer {
		t.Helper()
		next++
		return dialServer(t, replicas[next%len(replicas)]).send(t, r)
	}
	if a, b := send(modernRequest("1", "server/discover", "")), send(modernRequest("1", "server/discover", "")); a.status != 200 || a.body != b.body {
		t.Errorf("%s\n%s", a.body, b.body)
	}
	if got := send(modernCall("1", "echo", `{"text":"x"}`)); got.status != 200 || got.code(t) != 0 {
		t.Errorf("%d %s", got.status, got.body)
	}
	seen, cursor, pages := map[string]bool{}, "", 0
	for {
		params := ""
		if cursor != "" {
			params = `,"cursor":"` + cursor + `"`
		}
		body := send(modernRequest("1", "tools/list", params)).body
		pages++
		for _, part := range strings.Split(body, `"name":"raw_`)[1:] {
			seen[part[:3]] = true
		}
		_, rest, more := strings.Cut(body, `"nextCursor":"`)
		if !more {
			break
		}
		cursor, _, _ = strings.Cut(rest, `"`)
	}
	if len(seen) != 250 || pages != 3 {
		t.Errorf("%d tools on %d pages", len(seen), pages)
	}
	call := replacing(t, modernCall("1", "raw_007", `{}`), `"io.modelcontextprotocol/clientCapabilities":{}`, clientHasAll)
	if got := send(call); !strings.Contains(got.message(), `"requestState":"asked"`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	call = replacing(t, call, `"name":"raw_007"`, `"name":"raw_007","requestState":"asked","inputResponses":{"who":{"action":"accept","content":{"name":"x"}}}`)
	if got := send(call); !strings.Contains(got.message(), "asked, 1 answers") {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// VD14: until the client has said that it is initialized, the server asks it nothing but a ping: neither on the stream of the session nor
// on that of a call whose tool tries.
func TestNothingAskedBeforeInitialized(t *testing.T) {
	url := server(t, newFixture(), runtime.WithServer(asker), runtime.Timing(0, 20*time.Millisecond, 0, 0))
	body := strings.Replace(initializeBody("2025-11-25"), `"capabilities":{}`, `"capabilities":{"elicitation":{},"sampling":{},"roots":{}}`, 1)
	opened := post(body).send(t, url)
	s := session{url: url, id: opened.header.Get("Mcp-Session-Id"), revision: "2025-11-25"}
	id := 0

	// asked returns the methods of the requests on both streams, while a call of the tool lasts and no question is answered.
	asked := func() (methods []string) {
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		stream, err := getStream(s).start(ctx, url)
		if err != nil || stream.StatusCode != 200 {
			t.Fatal(err, stream)
		}
		id++ // go-sdk tells a call's stream that a question was withdrawn after the call has ended
		called := s.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"ask","arguments":{},"_meta":{"progressToken":"t"}}}`, id)).send(t, url)
		if called.status != 200 {
			t.Errorf("%d %s", called.status, called.body)
		}
		text := strings.Builder{}
		for lines := bufio.NewScanner(stream.Body); strings.Count(text.String(), ": keep-alive") < 2 && lines.Scan(); {
			text.WriteString(lines.Text() + "\n")
		}
		stream.Body.Close()
		listened := answer{stream.StatusCode, stream.Header, text.String()}
		for _, m := range append(called.messages(t), listened.messages(t)...) {
			if m.Method != nil && m.ID != nil {
				methods = append(methods, *m.Method)
			}
		}
		return methods
	}
	for _, method := range asked() {
		if method != "ping" {
			t.Errorf("%s before notifications/initialized", method)
		}
	}
	if got := s.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`).send(t, url); got.status != 202 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	// The same tool asks from then on, so what was seen before is no accident.
	eventually(t, func() bool { return slices.Contains(asked(), "elicitation/create") })
}

// VD17: a ping is answered at once with an empty result, on every revision of sessions, whatever else goes on there.
func TestPing(t *testing.T) {
	f := newFixture()
	defer close(f.release)
	url := server(t, f, runtime.WithMaxCalls(1))
	for i, revision := range []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} {
		s := open(t, url, revision)
		if i == 0 {
			s.call("1", "deaf", `{"ms":60000}`).background(t, url)
			<-f.started
		}
		for _, params := range []string{``, `,"params":{}`, `,"params":{"_meta":{}}`} {
			begin := time.Now()
			got := s.post(`{"jsonrpc":"2.0","id":"p","method":"ping"`+params+`}`).send(t, url)
			if got.status != 200 || got.message() != `{"jsonrpc":"2.0","id":"p","result":{}}` {
				t.Errorf("%s: %d %s", revision, got.status, got.body)
			}
			if took := time.Since(begin); took > 2*time.Second {
				t.Errorf("%s: it took %v", revision, took)
			}
		}
	}
}

// VD18: this server has no tasks, so that a call that asks for one is a call like any other.
func TestTaskIsIgnored(t *testing.T) {
	url := server(t, newFixture(), runtime.WithServer(extras(make(chan string, 1), nil)))
	if got := post(initializeBody("2025-11-25")).send(t, url); strings.Contains(got.body, `"tasks"`) {
		t.Errorf("tasks are advertised: %s", got.body)
	}
	s := open(t, url, "2025-11-25")
	for _, name := range []string{"echo", "raw_echo"} {
		body := func(more string) string {
			return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":{"text":"x"}` + more + `}}`
		}
		plain := s.post(body("")).send(t, url)
		for _, task := range []string{`{"ttl":60000}`, `{}`} {
			got := s.post(body(`,"task":`+task)).send(t, url)
			if got.status != 200 || got.code(t) != 0 || got.message() != plain.message() || !strings.Contains(got.message(), `"content":[`) {
				t.Errorf("%s: %d %s, want %s", name, got.status, got.body, plain.body)
			}
		}
	}
}
