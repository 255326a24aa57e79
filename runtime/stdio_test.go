package runtime_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

// stdio is a server on a pair of pipes.
type stdio struct {
	in   *io.PipeWriter
	out  *bufio.Reader
	raw  *io.PipeReader
	err  chan error
	stop context.CancelFunc
}

func serveStdio(t *testing.T, f *fixture, options ...runtime.Option) *stdio {
	t.Helper()
	return serveStdioRegistry(t, registry(t, f), options...)
}

func serveStdioRegistry(t *testing.T, registry *capabilities.Registry, options ...runtime.Option) *stdio {
	t.Helper()
	inReader, in := io.Pipe()
	out, outWriter := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	s := &stdio{in: in, out: bufio.NewReader(out), raw: out, err: make(chan error, 1), stop: stop}
	options = append([]runtime.Option{runtime.WithInfo("fixture", "v1"), runtime.WithLogger(slog.New(slog.DiscardHandler))}, options...)
	go func() {
		err := runtime.ServeStdio(ctx, registry, inReader, outWriter, options...)
		outWriter.Close()
		s.err <- err
		close(s.err)
	}()
	t.Cleanup(func() {
		in.Close()
		out.Close()
		stop()
		<-s.err
	})
	return s
}

func (s *stdio) send(t *testing.T, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(s.in, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *stdio) read(t *testing.T) string {
	t.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil {
		t.Fatalf("%q %v", line, err)
	}
	return strings.TrimSuffix(line, "\n")
}

func (s *stdio) ended(t *testing.T) error {
	t.Helper()
	select {
	case err := <-s.err:
		return err
	case <-time.After(5 * time.Second):
		t.Fatal("ServeStdio did not return")
		return nil
	}
}

func stdioCall(id, name, arguments string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{` + envelopeMeta + `,"name":"` + name + `","arguments":` + arguments + `}}`
}

// TestStdioClient speaks to the server as go-sdk's own client does, in both eras.
func TestStdioClient(t *testing.T) {
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			f := newFixture()
			server := serveStdio(t, f, runtime.Timing(20*time.Millisecond, 0, 0, 0), runtime.WithSessionTimeout(50*time.Millisecond))
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil)
			s, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: server.raw, Writer: server.in}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
			if err != nil {
				t.Fatal(err)
			}
			if got := s.InitializeResult(); got.ProtocolVersion != revision || got.ServerInfo.Name != "fixture" {
				t.Errorf("%+v", got)
			}
			tools, err := s.ListTools(t.Context(), nil)
			if err != nil || len(tools.Tools) != 8 {
				t.Fatalf("%v %v", tools, err)
			}
			call := func(ctx context.Context, name string, arguments any) (*mcp.CallToolResult, error) {
				return s.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
			}
			result, err := call(t.Context(), "echo", map[string]any{"text": "line\nbreak"})
			if err != nil || result.StructuredContent.(map[string]any)["result"] != "line\nbreak" {
				t.Errorf("%+v %v", result, err)
			}
			if result, err = call(t.Context(), "region", map[string]any{"region": "eu", "n": 5}); err != nil || result.IsError {
				t.Errorf("%+v %v", result, err)
			}
			for name, code := range map[string]int64{"nöpe": -32602, "panic": -32603, "secret_tool": -32602} {
				_, err = call(t.Context(), name, nil)
				var failed *jsonrpc.Error
				if !errors.As(err, &failed) || failed.Code != code {
					t.Errorf("%s: %v", name, err)
				}
			}
			// One that is cancelled does not keep others waiting.
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-f.started
				cancel()
			}()
			if _, err := call(ctx, "slow", map[string]any{"ms": 60000, "key": "k"}); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			eventually(t, func() bool { return f.get("k") == "cancelled" })
			// A session is as long as the process, however long it lies idle; and an answer may take longer than one document does.
			time.Sleep(80 * time.Millisecond)
			if result, err := call(t.Context(), "slow", map[string]any{"ms": 60}); err != nil || result.IsError {
				t.Errorf("%+v %v", result, err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if err := server.ended(t); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestStdioLines(t *testing.T) {
	const unnamed = `{"jsonrpc":"2.0","error":{"code":%d,"message":"%s`
	tests := []struct{ name, line, want string }{
		{"no JSON", `{`, fmt.Sprintf(unnamed, -32700, "Parse error")},
		{"too long", stdioCall("1", "echo", `{"text":"`+strings.Repeat("x", 5000)+`"}`), fmt.Sprintf(unnamed, -32600, "Invalid Request: the body is larger than this server accepts")},
		{"a batch", `[` + stdioCall("1", "echo", `{"text":"x"}`) + `]`, fmt.Sprintf(unnamed, -32600, "Invalid Request: the request needs one Mcp-Session-Id, which initialize gives")},
		{"too early", `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"Invalid Request: send initialize first, or name the protocol version in _meta"}}`},
		{"unknown version", `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01"}}}`, `"code":-32022`},
		{"version that is no text", `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":5}}}`, `_meta must hold io.modelcontextprotocol/protocolVersion, a string`},
		{"no name", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{` + envelopeMeta + `}}`, `Invalid params: name must be a string`},
		{"a name like an encoded one", stdioCall("7", "=?base64?eA==?=", `{}`), `"message":"Unknown tool"`},
		{"unknown method", `{"jsonrpc":"2.0","id":7,"method":"nö/such","params":{` + envelopeMeta + `}}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found"}}`},
		{"large id", stdioCall("12345678901234567890", "echo", `{"text":"x"}`), `"id":12345678901234567890,`},
		{"mirrored", stdioCall("7", "region", `{"region":"eu","n":5,"flag":true}`), `{"result":"eu"}`},
	}
	server := serveStdio(t, newFixture(), runtime.WithMaxRequestBytes(4096))
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			// What wants no answer has none, whatever is wrong with it.
			server.send(t, "", " \r", `{"jsonrpc":"2.0","method":"no/such"}`, `{"jsonrpc":"2.0","method":"notifications/zzz","params":{`+envelopeMeta+`}}`,
				`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`, test.line+"\r")
			if got := server.read(t); !strings.Contains(got, test.want) {
				t.Errorf("%s\nwant %s", got, test.want)
			}
		})
	}
}

// Sessions of 2025-03-26 have batches, and there is one session.
func TestStdioSession(t *testing.T) {
	server := serveStdio(t, newFixture())
	server.send(t, initializeBody("2025-03-26"))
	if got := server.read(t); !strings.Contains(got, `"protocolVersion":"2025-03-26"`) {
		t.Fatal(got)
	}
	server.send(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`)
	if got := server.read(t); got != `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]` {
		t.Error(got)
	}
	server.send(t, initializeBody("2025-03-26"))
	if got := server.read(t); !strings.Contains(got, "the session is initialized already") {
		t.Error(got)
	}
	// Both eras in one process.
	server.send(t, stdioCall(`"m"`, "echo", `{"text":"modern"}`))
	if got := server.read(t); !strings.Contains(got, `"id":"m"`) || !strings.Contains(got, `"resultType":"complete"`) {
		t.Error(got)
	}
}

// An ID belongs to one request at a time, since answers are told apart by nothing else.
func TestStdioSameID(t *testing.T) {
	f := newFixture()
	server := serveStdio(t, f)
	server.send(t, stdioCall("1", "slow", `{"ms":60000,"key":"k"}`))
	<-f.started
	server.send(t, stdioCall("1", "echo", `{"text":"x"}`))
	if got := server.read(t); got != `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid Request: a request with this id is running already"}}` {
		t.Error(got)
	}
	server.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	eventually(t, func() bool { return f.get("k") == "cancelled" })
	// Nothing was said of the cancelled one, and its ID is free again.
	eventually(t, func() bool {
		server.send(t, stdioCall("1", "echo", `{"text":"again"}`))
		return strings.Contains(server.read(t), "again")
	})
}

// The end of the input ends the server, when what runs is answered.
func TestStdioEnd(t *testing.T) {
	f := newFixture()
	server := serveStdio(t, f)
	server.send(t, stdioCall("1", "slow", `{"ms":100}`), stdioCall("2", "slow", `{"ms":100}`))
	server.in.Close()
	for range 2 {
		if got := server.read(t); !strings.Contains(got, "slept") {
			t.Error(got)
		}
	}
	if err := server.ended(t); err != nil {
		t.Error(err)
	}
}

func TestStdioEndsWithContext(t *testing.T) {
	f := newFixture()
	defer close(f.release)
	server := serveStdio(t, f, runtime.Timing(0, 0, 0, 20*time.Millisecond))
	server.send(t, stdioCall("1", "deaf", `{"ms":60000}`))
	<-f.started
	server.stop()
	if got := server.read(t); !strings.Contains(got, "The call was cancelled.") {
		t.Error(got)
	}
	if err := server.ended(t); err != nil {
		t.Error(err)
	}
}

func TestStdioErrors(t *testing.T) {
	f := newFixture()
	if err := runtime.ServeStdio(t.Context(), registry(t, f), strings.NewReader(""), io.Discard, runtime.StdioPrincipal(capabilities.Principal{Issuer: "me"})); err == nil ||
		err.Error() != "runtime.StdioPrincipal: the principal names nobody: it needs an Issuer, and a Subject or a ClientID" {
		t.Error(err)
	}
	server := serveStdio(t, f)
	broken := errors.New("broken")
	server.in.CloseWithError(broken)
	if err := server.ended(t); !errors.Is(err, broken) {
		t.Error(err)
	}
	// When nobody reads the answers, what runs is cancelled.
	server = serveStdio(t, f)
	server.send(t, stdioCall("1", "slow", `{"ms":60000,"key":"k"}`))
	<-f.started
	server.raw.CloseWithError(broken)
	server.send(t, stdioCall("2", "echo", `{"text":"x"}`))
	if err := server.ended(t); !errors.Is(err, broken) {
		t.Error(err)
	}
	eventually(t, func() bool { return f.get("k") == "cancelled" })
}

// Who the client is is said by the program, for grants and handlers, and no token is asked for.
func TestStdioPrincipal(t *testing.T) {
	n := newNotes(t)
	n.grant(t, "operator", allScopes, nil)
	options := n.options(t, func(b *runtime.Bearer) { b.Required = new(true) })
	operator := capabilities.Principal{Issuer: n.issuer.URL(), Subject: "operator", ClientID: "app", TenantID: "acme", Audience: resource, Scopes: []string{"note:read", "note:drop"}}
	for name, test := range map[string]struct {
		options []runtime.Option
		want    string
	}{
		"nobody":       {options, `"tools":[{"name":"note_find"`},
		"the operator": {append(options, runtime.StdioPrincipal(operator)), `"tools":[{"name":"note_drop"`},
		"without a bearer": {[]runtime.Option{
			runtime.StdioPrincipal(operator), runtime.WithGrants(runtime.Grants{Store: n.store, Application: application}),
			runtime.DiscoverProtected(func(context.Context, *capabilities.Definition, capabilities.Principal) bool { return true }),
		}, `"tools":[{"name":"note_find"`},
		"resolved": {[]runtime.Option{
			runtime.StdioPrincipal(operator),
			runtime.ResolveContext(func(r *http.Request, p *capabilities.Principal) (*capabilities.Principal, runtime.Authorizer, error) {
				if p.Subject != "operator" || r.Host != "" || r.RemoteAddr != "" {
					return nil, nil, errors.New("another")
				}
				return p, func(context.Context, *capabilities.Definition) (bool, error) { return true, nil }, nil
			}),
		}, `"name":"note_read"`},
	} {
		t.Run(name, func(t *testing.T) {
			server := serveStdioRegistry(t, n.registry(t, true), test.options...)
			server.send(t, modernRequest("1", "tools/list", "").body)
			got := server.read(t)
			if !strings.Contains(got, test.want) || strings.Contains(got, "note_edit") || strings.Contains(got, "note_read") != (name != "nobody") {
				t.Error(got)
			}
			if name != "nobody" && !strings.Contains(got, `"cacheScope":"private"`) {
				t.Error(got)
			}
			server.send(t, stdioCall("2", "note_read", `{"id":"acme-1"}`))
			if got := server.read(t); strings.Contains(got, "@acme") != (name != "nobody") {
				t.Error(got)
			}
		})
	}
}

// FuzzStdio sends any line: all that comes out is JSON-RPC, one message a line, and the server ends with its input.
func FuzzStdio(f *testing.F) {
	for _, line := range []string{"", "{", "[]", initializeBody("2025-11-25"), stdioCall("1", "echo", `{"text":"x\n"}`), `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		initializeBody("2025-03-26") + "\n" + `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, modernRequest("1", "server/discover", "").body, strings.Repeat("x", 600)} {
		f.Add(line)
	}
	registry, err := capabilities.NewRegistry(newFixture().bindings()...)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, lines string) {
		var out bytes.Buffer
		err := runtime.ServeStdio(t.Context(), registry, strings.NewReader(lines), &out,
			runtime.WithMaxRequestBytes(512), runtime.WithDeadline(20*time.Millisecond), runtime.WithLogger(slog.New(slog.DiscardHandler)))
		if err != nil {
			t.Error(err)
		}
		for line := range strings.Lines(out.String()) {
			if !json.Valid([]byte(line)) || !strings.HasPrefix(strings.TrimPrefix(line, "["), `{"jsonrpc":"2.0"`) || !strings.HasSuffix(line, "\n") {
				t.Errorf("%q", line)
			}
		}
	})
}
