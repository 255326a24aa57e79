package runtime_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/auth"
)

const inspector = "http://localhost:6274"

// asking has every request asked for a token.
func asking(t *testing.T) runtime.Option {
	t.Helper()
	verifier, err := auth.NewStatic(auth.StaticToken{Token: "0123456789abcdefghijkl", Principal: capabilities.Principal{Issuer: "i", Subject: "s", Audience: "http://localhost/mcp"}})
	if err != nil {
		t.Fatal(err)
	}
	return runtime.WithBearer(runtime.Bearer{Verifier: verifier, Resource: "http://localhost/mcp", Required: new(true)})
}

// preflight is what a browser asks before it lets a page send a request.
func preflight(origin string, headers ...string) request {
	r := request{method: "OPTIONS", header: http.Header{}}.with("Origin", origin).with("Access-Control-Request-Method", "POST")
	if len(headers) > 0 {
		r.header["Access-Control-Request-Headers"] = headers
	}
	return r
}

func TestPreflight(t *testing.T) {
	url := server(t, newFixture(), runtime.WithCORSOrigins(inspector, "https://app.example.com"), asking(t))
	const asked = "accept,authorization,content-type,last-event-id,mcp-method,mcp-name,mcp-param-zone,mcp-protocol-version,mcp-session-id"
	got := preflight(inspector, asked).send(t, url) // A08, A11: no token
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin": inspector, "Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Headers": asked,
		"Access-Control-Max-Age": "600", "Access-Control-Allow-Credentials": "", "Vary": "Origin, Access-Control-Request-Method, Access-Control-Request-Headers, Access-Control-Request-Private-Network",
	} {
		if got.header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.header.Get(name), want)
		}
	}
	if got.status != 204 || got.body != "" {
		t.Errorf("%d %s", got.status, got.body)
	}
	for name, r := range map[string]request{
		"unsorted, on two lines": preflight(inspector, "Mcp-Session-Id, Content-Type", "Authorization"),
		"no headers":             preflight(inspector),
		"DELETE":                 preflight(inspector).with("Access-Control-Request-Method", "DELETE"),
		"another origin":         preflight("https://app.example.com"),
	} {
		if got := r.send(t, url); got.status != 204 || got.header.Get("Access-Control-Allow-Origin") != r.header.Get("Origin") {
			t.Errorf("%s: %d %v", name, got.status, got.header)
		}
	}
	private := preflight(inspector).with("Access-Control-Request-Private-Network", "true").send(t, url)
	if private.header.Get("Access-Control-Allow-Private-Network") != "true" {
		t.Error(private.header)
	}
	for name, r := range map[string]request{
		"A12 foreign origin": preflight("https://evil.example"),
		"null":               preflight("null"),
		"a foreign header":   preflight(inspector, "content-type,x-evil"),
		"a family's name":    preflight(inspector, "mcp"),
		"two origins":        {method: "OPTIONS", header: http.Header{"Origin": {inspector, inspector}, "Access-Control-Request-Method": {"POST"}}},
	} {
		if got := r.send(t, url); got.status != 403 || got.header.Get("Access-Control-Allow-Origin") != "" || !strings.Contains(got.header.Get("Vary"), "Origin") {
			t.Errorf("%s: %d %v", name, got.status, got.header)
		}
	}
	// A method that the endpoint has not: a browser reads from the answer that it may not.
	if got := preflight(inspector).with("Access-Control-Request-Method", "PUT").send(t, url); got.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("%d %v", got.status, got.header)
	}
}

// What a page may read it may read of every answer, errors too.
func TestExposedHeaders(t *testing.T) {
	protected := server(t, newFixture(), runtime.WithCORSOrigins(inspector), asking(t), runtime.WithMaxRequestBytes(2048))
	open := server(t, newFixture(), runtime.WithCORSOrigins(inspector), runtime.WithMaxRequestBytes(2048), runtime.WithMaxSessions(1))
	stopped, err := runtime.NewHandler(registry(t, newFixture()), runtime.WithCORSOrigins(inspector))
	if err != nil {
		t.Fatal(err)
	}
	if err := stopped.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	gone := httptest.NewServer(stopped)
	defer gone.Close()
	call := modernCall("1", "echo", `{"text":"x"}`)
	for _, test := range []struct {
		name    string
		url     string
		request request
		status  int
	}{
		{"A10 a session's begin", open, post(initializeBody("2025-11-25")), 200},
		{"503 no room", open, post(initializeBody("2025-11-25")), 503},
		{"a call", open, call, 200},
		{"400", open, post("{"), 400},
		{"401", protected, call, 401},
		{"404", open, modernCall("1", "echo", "{}").with("Mcp-Session-Id", "x"), 200},
		{"404 no session", open, post(`{"jsonrpc":"2.0","id":1,"method":"ping"}`).with("Mcp-Session-Id", "x"), 404},
		{"405", open, request{method: "GET", header: http.Header{}}.with("MCP-Protocol-Version", "2026-07-28"), 405},
		{"413", open, post(strings.Repeat(" ", 4096)), 413},
		{"415", open, call.with("Content-Type", "text/plain"), 415},
		{"503 stopping", gone.URL, call, 503},
		{"OPTIONS", open, request{method: "OPTIONS", header: http.Header{}}, 204},
	} {
		got := test.request.with("Origin", inspector).send(t, test.url)
		if got.status != test.status || got.header.Get("Access-Control-Allow-Origin") != inspector || got.header.Get("Vary") != "Origin" ||
			!strings.EqualFold(got.header.Get("Access-Control-Expose-Headers"), "Mcp-Session-Id, WWW-Authenticate, Retry-After") {
			t.Errorf("%s: %d %v %s", test.name, got.status, got.header, got.body)
		}
	}
	// A program has no origin and is not asked for one; its answer may still be cached for nobody else.
	if got := call.send(t, open); got.status != 200 || got.header.Get("Vary") != "Origin" || got.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("%d %v", got.status, got.header)
	}
}

// A foreign page is refused whatever it sends (A03, A05), before it is asked for a token.
func TestForeignOrigins(t *testing.T) {
	for name, url := range map[string]string{
		"some":  server(t, newFixture(), runtime.WithCORSOrigins(inspector), asking(t)),
		"none":  server(t, newFixture(), asking(t)),
		"unset": server(t, newFixture(), runtime.WithCORSOrigins(inspector), runtime.WithCORSOrigins()),
	} {
		for _, method := range []string{"POST", "GET", "DELETE", "OPTIONS", "PUT"} {
			for _, origin := range []string{"http://evil.example", "null", "http://localhost", "https://localhost:6274", "http://localhost:6274.evil.example", "HTTP://LOCALHOST:6274", "http://localhost:6274/"} {
				got := request{method: method, header: http.Header{}, body: "{}"}.with("Origin", origin).send(t, url)
				if got.status != 403 || got.header.Get("Access-Control-Allow-Origin") != "" {
					t.Errorf("%s: %s of %s: %d %v", name, method, origin, got.status, got.header)
				}
			}
		}
	}
}

func TestAnyOrigin(t *testing.T) {
	call := modernCall("1", "echo", `{"text":"x"}`)
	url := server(t, newFixture(), runtime.WithCORSOrigins("*"))
	if got := call.with("Origin", "https://somewhere.example").send(t, url); got.status != 200 || got.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%d %v", got.status, got.header)
	}
	// Any page may call, but not through its visitor into a private network.
	got := preflight("https://somewhere.example").with("Access-Control-Request-Private-Network", "true").send(t, url)
	if got.status != 204 || got.header.Get("Access-Control-Allow-Private-Network") != "" {
		t.Errorf("%d %v", got.status, got.header)
	}
	for _, origin := range []string{"null", "nonsense"} {
		if got := call.with("Origin", origin).send(t, url); got.status != 403 {
			t.Errorf("%s: %d", origin, got.status)
		}
	}
	for _, list := range [][]string{{"null"}, {"*", "null"}} {
		url := server(t, newFixture(), runtime.WithCORSOrigins(list...))
		if got := call.with("Origin", "null").send(t, url); got.status != 200 || got.header.Get("Access-Control-Allow-Origin") == "" {
			t.Errorf("%v: %d %v", list, got.status, got.header)
		}
	}
}

func TestOriginErrors(t *testing.T) {
	for _, entry := range []string{"", "localhost:6274", "http://localhost:6274/", "http://localhost/x", "https://*.example.com", "http://localhost:80", "https://a.example:443",
		"HTTP://a.example", "https://A.example", "https://user@a.example", "https://a.example?x", "https://a.example#", "https://", "https://a.example:", "https://a.example:080", "NULL"} {
		_, err := runtime.NewHandler(registry(t, newFixture()), runtime.WithCORSOrigins(entry))
		want := `runtime.WithCORSOrigins: "` + entry + `" is not an origin: write scheme://host[:port] without a path, "*" or "null"`
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", entry, err)
		}
	}
	for _, entry := range []string{"http://localhost", "http://[::1]:6274", "vscode-webview://abc123", "chrome-extension://abcdefghijklmnop", "https://a.example:8443"} {
		if _, err := runtime.NewHandler(registry(t, newFixture()), runtime.WithCORSOrigins(entry)); err != nil {
			t.Error(err)
		}
	}
}
