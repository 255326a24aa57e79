package runtime_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

// server serves the fixture's capabilities on a socket until the test ends, and returns where.
func server(t *testing.T, f *fixture, options ...runtime.Option) string {
	t.Helper()
	options = append([]runtime.Option{runtime.WithInfo("fixture", "v1"), runtime.WithLogger(slog.New(slog.DiscardHandler))}, options...)
	handler, err := runtime.NewHandler(registry(t, f), options...)
	if err != nil {
		t.Fatal(err)
	}
	return serveHandler(t, handler)
}

// serveHandler serves a handler on a socket until the test ends, and returns where.
func serveHandler(t *testing.T, handler *runtime.Handler) string {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(func() {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		_ = handler.Shutdown(ended)
		s.Close()
	})
	return s.URL
}

func registry(t *testing.T, f *fixture) *capabilities.Registry {
	t.Helper()
	registry, err := capabilities.NewRegistry(f.bindings()...)
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

// request is an HTTP request that a test changes before it sends it.
type request struct {
	method string
	header http.Header
	body   string
}

// answer is what came back, read to its end.
type answer struct {
	status int
	header http.Header
	body   string
}

const (
	metaMembers  = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`
	envelopeMeta = `"_meta":{` + metaMembers + `}`
)

// modernRequest is a request of 2026-07-28. Params are further members of params, such as `,"cursor":"x"`.
func modernRequest(id, method, params string) request {
	r := post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"%s","params":{%s%s}}`, id, method, envelopeMeta, params))
	r.header.Set("MCP-Protocol-Version", "2026-07-28")
	r.header.Set("Mcp-Method", method)
	return r
}

func modernCall(id, name, arguments string) request {
	r := modernRequest(id, "tools/call", fmt.Sprintf(`,"name":"%s","arguments":%s`, name, arguments))
	r.header.Set("Mcp-Name", name)
	return r
}

func post(body string) request {
	return request{method: http.MethodPost, body: body, header: http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
	}}
}

// with returns the request with a header in place of those of its name; "" removes it.
func (r request) with(name, value string) request {
	r.header = r.header.Clone()
	r.header.Del(name)
	if value != "" {
		r.header.Set(name, value)
	}
	return r
}

// session is an open session that a test sends messages on.
type session struct {
	url, id, revision string
}

func open(t *testing.T, url, revision string) session {
	t.Helper()
	got := post(initializeBody(revision)).send(t, url)
	s := session{url: url, id: got.header.Get("Mcp-Session-Id"), revision: revision}
	if got.status != http.StatusOK || s.id == "" {
		t.Fatalf("initialize: %d %s", got.status, got.body)
	}
	if got := s.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`).send(t, url); got.status != http.StatusAccepted || got.body != "" {
		t.Fatalf("initialized: %d %s", got.status, got.body)
	}
	return s
}

func initializeBody(revision string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"%s","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, revision)
}

func (s session) post(body string) request {
	return post(body).with("Mcp-Session-Id", s.id).with("MCP-Protocol-Version", s.revision)
}

func (s session) call(id, name, arguments string) request {
	return s.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s}}`, id, name, arguments))
}

func (s session) delete() request {
	return request{method: http.MethodDelete, header: http.Header{"Mcp-Session-Id": {s.id}}}
}

func (r request) start(ctx context.Context, url string) (*http.Response, error) {
	out, err := http.NewRequestWithContext(ctx, r.method, url, strings.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	out.Header = r.header
	if host := r.header.Get("Host"); host != "" {
		out.Host = host
	}
	return http.DefaultClient.Do(out)
}

func (r request) send(t *testing.T, url string) answer {
	t.Helper()
	response, err := r.start(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	return finish(t, response)
}

// background sends a request and returns where its answer will come.
func (r request) background(t *testing.T, url string) <-chan answer {
	answers := make(chan answer, 1)
	go func() {
		response, err := r.start(context.Background(), url)
		if err != nil {
			answers <- answer{body: err.Error()}
			return
		}
		defer response.Body.Close()
		body, _ := io.ReadAll(response.Body)
		answers <- answer{response.StatusCode, response.Header, string(body)}
	}()
	return answers
}

func finish(t *testing.T, response *http.Response) answer {
	t.Helper()
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(body)}
}

// message returns the JSON-RPC message of an answer: its body, or the last event of its stream.
func (a answer) message() string {
	if !strings.HasPrefix(a.header.Get("Content-Type"), "text/event-stream") {
		return a.body
	}
	last := ""
	lines := bufio.NewScanner(strings.NewReader(a.body))
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			last = data
		}
	}
	return last
}

// code returns the code of the JSON-RPC error in an answer, or 0 when there is none.
func (a answer) code(t *testing.T) int {
	t.Helper()
	var m struct {
		JSONRPC string
		Error   struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal([]byte(a.message()), &m); err != nil || m.JSONRPC != "2.0" {
		t.Errorf("no JSON-RPC message: %d %q", a.status, a.body)
	}
	return m.Error.Code
}
