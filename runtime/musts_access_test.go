package runtime_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/auth/authtest"
	"github.com/capgen/capgen/runtime/executor"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// every is a request of each kind that the endpoint knows.
func every(s session) map[string]request {
	return map[string]request{
		"a call": modernCall("1", "note_find", `{"id":"x"}`), "a list": modernRequest("1", "tools/list", ""),
		"discover": modernRequest("1", "server/discover", ""), "listen": modernRequest("1", "subscriptions/listen", `,"notifications":{}`),
		"initialize": post(initializeBody("2025-11-25")), "a call on a session": s.call("1", "note_find", `{"id":"x"}`),
		"GET": s.get(""), "DELETE": s.delete(), "no JSON": post("{"),
	}
}

// What a token must prove is proved before anything is done: that its issuer signed it, when it counts, and that it is for this resource
// (AU13, AU14). Otherwise every request gets the same 401, and no handler runs.
func TestTokensAreProved(t *testing.T) {
	n := newNotes(t)
	ran := 0
	n.running = func(context.Context) { ran++ }
	other, err := authtest.NewIssuer()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(other.Close)
	handler := n.handler(t, true, n.options(t, nil)...)
	claims := func(more map[string]any) string {
		c := authtest.Claims{Subject: "alice", ClientID: "app", Audience: resource, Scopes: allScopes, More: map[string]any{"tenant": "acme"}}
		maps.Copy(c.More, more)
		return n.issue(t, n.issuer, c)
	}
	good := claims(nil)
	part := strings.Split(good, ".")
	encode := base64.RawURLEncoding.EncodeToString
	now := time.Now().Unix()
	tokens := map[string]string{
		"another resource":     claims(map[string]any{"aud": "https://other.example.com/mcp"}),
		"the host alone":       claims(map[string]any{"aud": "https://tools.example.com"}),
		"no audience":          claims(map[string]any{"aud": nil}),
		"the client":           claims(map[string]any{"aud": []string{"app"}}),
		"alg none":             encode([]byte(`{"alg":"none","typ":"at+jwt"}`)) + "." + part[1] + ".",
		"no signature":         part[0] + "." + part[1] + ".",
		"other claims":         part[0] + "." + strings.Split(claims(map[string]any{"sub": "root"}), ".")[1] + "." + part[2],
		"another issuer":       n.issue(t, other, authtest.Claims{Subject: "alice", Audience: resource}),
		"another issuer's iss": claims(map[string]any{"iss": other.URL()}),
		"expired":              claims(map[string]any{"exp": now - 3600}),
		"no expiry":            claims(map[string]any{"exp": nil}),
		"not before":           claims(map[string]any{"nbf": now + 3600}),
	}
	opened := post(initializeBody("2025-11-25")).with("Authorization", "Bearer "+good).record(handler)
	s := session{id: opened.header.Get("Mcp-Session-Id"), revision: "2025-11-25"}
	requests := every(s)
	for name, token := range tokens {
		for what, r := range requests {
			got := r.with("Authorization", "Bearer "+token).record(handler)
			if got.status != 401 || !strings.Contains(got.header.Get("WWW-Authenticate"), `error="invalid_token"`) || got.code(t) != -32600 || ran > 0 {
				t.Errorf("%s, %s: %d %v %s, and %d handlers ran", name, what, got.status, got.header, got.body, ran)
			}
		}
	}
	// Asked once: the issuer is asked for unknown keys now and then only, and in between the answer is 503.
	forged := n.issue(t, other, authtest.Claims{Subject: "alice", Audience: resource, More: map[string]any{"iss": n.issuer.URL()}})
	if got := requests["a call"].with("Authorization", "Bearer "+forged).record(handler); got.status != 401 || ran > 0 {
		t.Errorf("a key of another's: %d %s, and %d handlers ran", got.status, got.body, ran)
	}
	for _, r := range []request{requests["a call"], requests["a call on a session"]} {
		if got := r.with("Authorization", "Bearer "+good).record(handler); got.status != 200 || !strings.Contains(got.body, "alice@acme x") {
			t.Errorf("the good one: %d %s", got.status, got.body)
		}
	}
	if ran != 2 {
		t.Errorf("%d handlers ran", ran)
	}
}

// Scheme and host have no case, in a token and in what the server is told that it is (AU18). The path has.
func TestAudienceCase(t *testing.T) {
	for name, test := range map[string]struct {
		publicURL, audience string
		want                int
	}{
		"the token's":         {"https://tools.example.com", "HTTPS://Tools.Example.COM/mcp", 200},
		"the server's":        {"https://Tools.Example.COM", "https://tools.example.com/mcp", 200},
		"the path's":          {"https://tools.example.com", "https://tools.example.com/MCP", 401},
		"the host is another": {"https://tools.example.com", "https://tool.example.com/mcp", 401},
	} {
		n := newNotes(t)
		handler := n.handler(t, true, runtime.Config{PublicURL: test.publicURL, Auth: runtime.AuthOIDC, Issuer: n.issuer.URL()}.Options()...)
		token := n.issue(t, n.issuer, authtest.Claims{Subject: "alice", Audience: test.audience})
		got := modernCall("1", "note_find", `{"id":"x"}`).with("Authorization", "Bearer "+token).record(handler)
		if got.status != test.want {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
}

// The metadata is served, and names the endpoint by the URL that its clients use: without a fragment or a slash too many (AU01, AU03). What
// it names is the audience that counts.
func TestResourceIsTheEndpoint(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	_ = free.Close()
	for name, test := range map[string]struct {
		config runtime.Config
		want   string
	}{
		"as it listens":       {runtime.Config{Port: port}, "http://127.0.0.1:" + strconv.Itoa(port) + "/mcp"},
		"behind a proxy":      {runtime.Config{Port: runtime.FreePort, PublicURL: "https://tools.example.com"}, "https://tools.example.com/mcp"},
		"with a slash":        {runtime.Config{Port: runtime.FreePort, PublicURL: "https://tools.example.com/shop/"}, "https://tools.example.com/shop/mcp"},
		"at another path":     {runtime.Config{Port: runtime.FreePort, PublicURL: "https://tools.example.com:8443", Path: "/a/b"}, "https://tools.example.com:8443/a/b"},
		"under its own names": {runtime.Config{Port: runtime.FreePort, Audience: "https://id.example.com/tools"}, "https://id.example.com/tools"},
	} {
		t.Run(name, func(t *testing.T) {
			n := newNotes(t)
			test.config.Auth, test.config.Issuer = runtime.AuthOIDC, n.issuer.URL()
			server := start(t, n.registry(t, true), test.config)
			endpoint, err := url.Parse(server.url)
			if err != nil {
				t.Fatal(err)
			}
			got := request{method: "GET"}.send(t, "http://"+endpoint.Host+runtime.MetadataPath+endpoint.Path)
			var document struct{ Resource string }
			if err := json.Unmarshal([]byte(got.body), &document); err != nil || got.status != 200 || document.Resource != test.want {
				t.Errorf("%d %v %s, want %s", got.status, err, got.body, test.want)
			}
			token := n.issue(t, n.issuer, authtest.Claims{Subject: "alice", Audience: document.Resource})
			if got := modernCall("1", "note_find", `{"id":"x"}`).with("Authorization", "Bearer "+token).send(t, server.url); got.status != 200 {
				t.Errorf("a token for it: %d %s", got.status, got.body)
			}
			server.stop()
			server.ended(t)
		})
	}
}

// A token reaches the verifier and nothing else (AU15): no code of the application's, nothing that it asks, no log and no answer.
func TestTokenStaysHere(t *testing.T) {
	var seen strings.Builder
	var mu sync.Mutex
	see := func(values ...any) {
		mu.Lock()
		defer mu.Unlock()
		for _, value := range values {
			fmt.Fprintf(&seen, "%+v\n", value)
		}
	}
	asked := 0
	upstream := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		see(r.URL, r.Header, string(body))
		asked++
	}))
	defer upstream.Close()
	ask := func(ctx context.Context, header http.Header) {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, upstream.URL, strings.NewReader(fmt.Sprintf("%+v", ctx)))
		if err == nil {
			maps.Copy(r.Header, header)
			var response *http.Response
			if response, err = upstream.Client().Do(r); err == nil {
				_ = response.Body.Close()
			}
		}
		if err != nil {
			t.Error(err)
		}
	}
	n := newNotes(t)
	n.grant(t, "alice", allScopes, nil)
	n.running = func(ctx context.Context) {
		p, _ := capabilities.PrincipalFrom(ctx)
		see(p)
		ask(ctx, nil)
	}
	options := append(n.options(t, nil),
		runtime.WithLogger(slog.New(slog.NewTextHandler(writerFunc(func(text []byte) { see(string(text)) }), &slog.HandlerOptions{Level: slog.LevelDebug}))),
		runtime.OnToolFailure(func(_ context.Context, f runtime.ToolFailure) { see(f) }),
		runtime.WithInterceptor(func(ctx context.Context, call executor.InterceptedCall, next executor.Next) error {
			see(call)
			_, err := next(ctx)
			return err
		}),
		runtime.WithServer(func(server *mcp.Server) {
			server.AddTool(&mcp.Tool{Name: "raw_ask", InputSchema: anyObject}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				see(r.Extra, r.Extra.Header, r.Extra.TokenInfo)
				ask(ctx, r.Extra.Header)
				return nil, errors.New("raw_ask fails")
			})
		}))
	url := serveHandler(t, n.handler(t, true, options...))
	good := n.token(t, "alice", allScopes...)
	bad := n.issue(t, n.issuer, authtest.Claims{Subject: "mallory", Audience: "https://other.example.com/mcp"})
	opened := post(initializeBody("2025-11-25")).with("Authorization", "Bearer "+good).send(t, url)
	s := session{id: opened.header.Get("Mcp-Session-Id"), revision: "2025-11-25"}
	for token, want := range map[string]int{good: 200, bad: 401} {
		for _, r := range []request{
			modernCall("1", "note_find", `{"id":"x"}`), modernCall("1", "note_read", `{"id":"acme-1"}`), modernCall("1", "raw_ask", `{}`),
			s.call("2", "note_read", `{"id":"acme-1"}`), s.call("3", "raw_ask", `{}`), modernCall("1", "note_read", `{"id":5}`),
		} {
			got := r.with("Authorization", "Bearer "+token).send(t, url)
			see(got)
			if (got.status == 401) != (want == 401) {
				t.Errorf("%d %s", got.status, got.body)
			}
		}
	}
	if asked != 5 {
		t.Errorf("the upstream was asked %d times", asked)
	}
	for _, token := range []string{good, bad} {
		// The signature alone would do to find it: what comes before it is no secret, and is none of anybody's either.
		for _, part := range strings.Split(token, ".")[1:] {
			if strings.Contains(seen.String(), part) {
				t.Errorf("a token is in\n%s", seen.String())
			}
		}
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(text []byte) (int, error) {
	f(text)
	return len(text), nil
}

// Programs send no Origin, and are let in whatever is said of pages (SX02).
func TestNoOrigin(t *testing.T) {
	for name, options := range map[string][]runtime.Option{
		"unset": nil, "one": {runtime.WithCORSOrigins(inspector)}, "any": {runtime.WithCORSOrigins("*")}, "none": {runtime.WithCORSOrigins()},
	} {
		url := server(t, newFixture(), options...)
		s := open(t, url, "2025-11-25")
		stream := s.get("").live(t, url)
		if stream.header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("%s: GET: %v", name, stream.header)
		}
		stream.leave()
		for _, test := range []struct {
			request request
			status  int
		}{
			{modernCall("1", "echo", `{"text":"x"}`), 200}, {s.call("1", "echo", `{"text":"x"}`), 200}, {s.delete(), 204},
			{request{method: http.MethodOptions, header: http.Header{}}, 204},
		} {
			if got := test.request.send(t, url); got.status != test.status {
				t.Errorf("%s: %s: %d %s", name, test.request.method, got.status, got.body)
			}
		}
	}
}

// What is not told where to listen listens on this machine alone (SX03).
func TestListensLocally(t *testing.T) {
	server := runConfig(t, newFixture(), runtime.Config{Port: runtime.FreePort})
	endpoint, err := url.Parse(server.url)
	if err != nil {
		t.Fatal(err)
	}
	if ip := net.ParseIP(endpoint.Hostname()); ip == nil || !ip.IsLoopback() {
		t.Errorf("it listens on %s", endpoint.Host)
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range addresses {
		ip, _, err := net.ParseCIDR(address.String())
		if err != nil || ip.IsLoopback() || ip.IsLinkLocalUnicast() {
			continue
		}
		connection, err := (&net.Dialer{Timeout: time.Second}).DialContext(t.Context(), "tcp", net.JoinHostPort(ip.String(), endpoint.Port()))
		if err == nil {
			_ = connection.Close()
			t.Errorf("it can be reached by %s", ip)
		}
	}
	server.stop()
	server.ended(t)
}

// What other machines reach is served to nobody unknown (SX05): it does not start without a way to ask who calls, and asks every request.
func TestExposedAsks(t *testing.T) {
	for _, host := range []string{"0.0.0.0", "::", "192.0.2.1", "tools.example.com"} {
		config := runtime.Config{Host: host, Port: runtime.FreePort, PublicURL: "https://tools.example.com"}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		if err := runtime.Run(ctx, registry(t, newFixture()), config); err == nil || !strings.Contains(err.Error(), "nobody is asked who they are") {
			t.Errorf("%s: %v", host, err)
		}
		cancel()
	}
	n := newNotes(t)
	for name, config := range map[string]runtime.Config{
		"a token": {Auth: runtime.AuthBearer, Token: operatorToken}, "an issuer": {Auth: runtime.AuthOIDC, Issuer: n.issuer.URL()},
	} {
		config.Host, config.Port, config.PublicURL = "0.0.0.0", runtime.FreePort, "https://tools.example.com"
		server := start(t, n.registry(t, true), config)
		_, port, _ := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(server.url, "http://"), "/mcp"))
		for what, r := range every(session{id: "x", revision: "2025-11-25"}) {
			got := r.with("Host", "tools.example.com").send(t, "http://127.0.0.1:"+port+"/mcp")
			if got.status != 401 || !strings.HasPrefix(got.header.Get("WWW-Authenticate"), "Bearer ") {
				t.Errorf("%s, %s: %d %s", name, what, got.status, got.body)
			}
		}
		server.stop()
		server.ended(t)
	}
}

// The ID of an anonymous session is all that it takes to use it, so no log holds one.
func TestLogHoldsNoSessionID(t *testing.T) {
	var log lockedBuffer
	url := server(t, newFixture(), runtime.WithServer(extras(make(chan string, 1), nil)),
		runtime.WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
	s := open(t, url, "2025-11-25")
	s.call("1", "raw_echo", `{}`).send(t, url)
	s.call("2", "echo", `{"text":"x"}`).send(t, url)
	s.delete().send(t, url)
	if text := log.String(); strings.Contains(text, s.id) || !strings.Contains(text, "tool=echo") {
		t.Errorf("%s", text)
	}
}
