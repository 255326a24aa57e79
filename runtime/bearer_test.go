package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/auth"
	"github.com/capgen/capgen/runtime/auth/authtest"
)

const metadataURL = "https://tools.example.com/.well-known/oauth-protected-resource/mcp"

// Every HTTP request is authorised by its own header, before anything of it is read (AU05, AU06, AU07, AU12, AU16, AU17, AU19).
func TestChallenge(t *testing.T) {
	n := newNotes(t)
	handler := n.handler(t, false, n.options(t, nil)...)
	good := n.token(t, "alice", allScopes...)
	const scopes = `scope="note:read note:edit", resource_metadata="` + metadataURL + `"`
	none, invalid, malformed := "Bearer "+scopes, `Bearer error="invalid_token", `+scopes,
		`Bearer error="invalid_request", resource_metadata="`+metadataURL+`"`
	list := modernRequest("1", "tools/list", "")
	for name, test := range map[string]struct {
		request       request
		authorization []string
		path          string
		status        int
		challenge     string
	}{
		"no token":                       {list, nil, "/mcp", 401, none},
		"an unknown tool":                {modernCall("1", "note_none", `{}`), nil, "/mcp", 401, none},
		"no JSON":                        {post("nothing"), nil, "/mcp", 401, none},
		"opening a session":              {post(initializeBody("2025-11-25")), nil, "/mcp", 401, none},
		"GET":                            {request{method: "GET"}, nil, "/mcp", 401, none},
		"DELETE":                         {request{method: "DELETE"}, nil, "/mcp", 401, none},
		"another method":                 {request{method: "PUT"}, nil, "/mcp", 401, none},
		"in the query":                   {list, nil, "/mcp?access_token=" + good, 401, none},
		"in a cookie":                    {list.with("Cookie", "access_token="+good), nil, "/mcp", 401, none},
		"another scheme":                 {list, []string{"Basic dXNlcjpwdw=="}, "/mcp", 401, none},
		"not a token of the issuer's":    {list, []string{"Bearer nope"}, "/mcp", 401, invalid},
		"an empty one":                   {list, []string{"Bearer "}, "/mcp", 400, malformed},
		"only the scheme":                {list, []string{"Bearer"}, "/mcp", 400, malformed},
		"two in one line":                {list, []string{"Bearer " + good + " " + good}, "/mcp", 400, malformed},
		"two lines":                      {list, []string{"Bearer " + good, "Bearer " + good}, "/mcp", 400, malformed},
		"a good one, scheme in capitals": {list, []string{"BEARER " + good}, "/mcp", 200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(test.request.method, "http://localhost"+test.path, strings.NewReader(test.request.body))
			r.Header = test.request.header.Clone()
			if r.Header == nil {
				r.Header = http.Header{}
			}
			for _, line := range test.authorization {
				r.Header.Add("Authorization", line)
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if w.Code != test.status || w.Header().Get("WWW-Authenticate") != test.challenge {
				t.Errorf("%d %s\nwant %d %s", w.Code, w.Header().Get("WWW-Authenticate"), test.status, test.challenge)
			}
			if strings.Contains(w.Body.String(), good) || strings.Contains(w.Body.String(), "nope") || test.status != 200 && strings.Contains(w.Body.String(), "note") {
				t.Errorf("%s", w.Body)
			}
		})
	}
}

// Whether a token is needed: by default when there is nothing for callers without one.
func TestRequired(t *testing.T) {
	n := newNotes(t)
	for name, test := range map[string]struct {
		public   bool
		required *bool
		want     int
	}{
		"a public read":               {true, nil, 200},
		"none":                        {false, nil, 401},
		"a public read, and required": {true, new(true), 401},
		"none, and not required":      {false, new(false), 200},
	} {
		handler := n.handler(t, test.public, n.options(t, func(b *runtime.Bearer) { b.Required = test.required })...)
		if got := modernRequest("1", "tools/list", "").record(handler); got.status != test.want {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
		// A token that is there must be good.
		if got := modernRequest("1", "tools/list", "").with("Authorization", "Bearer nope").record(handler); got.status != 401 {
			t.Errorf("%s: a bad token: %d", name, got.status)
		}
	}
}

// The endpoint's own scopes, and those of a capability: 403 with all that is needed (AU08, AU09, AU11, TC12).
func TestInsufficientScope(t *testing.T) {
	n := newNotes(t)
	n.grant(t, "alice", allScopes, nil)
	handler := n.handler(t, true, n.options(t, func(b *runtime.Bearer) {
		b.RequiredScopes, b.ChallengeScopes = []string{"mcp:use"}, true
	})...)
	got := modernRequest("1", "tools/list", "").with("Authorization", "Bearer "+n.token(t, "alice", "note:read")).record(handler)
	if want := `Bearer error="insufficient_scope", scope="mcp:use", resource_metadata="` + metadataURL + `"`; got.status != 403 || got.header.Get("WWW-Authenticate") != want {
		t.Errorf("%d %s", got.status, got.header.Get("WWW-Authenticate"))
	}
	as := func(r request) request {
		return r.with("Authorization", "Bearer "+n.token(t, "alice", "mcp:use", "note:read"))
	}
	const want = `Bearer error="insufficient_scope", scope="mcp:use note:read note:edit", resource_metadata="` + metadataURL + `"`
	got = as(modernCall("7", "note_edit", `{"id":"acme-1"}`)).record(handler)
	if got.status != 403 || got.header.Get("WWW-Authenticate") != want || !strings.HasPrefix(got.body, `{"jsonrpc":"2.0","id":7,"error":{"code":-32600`) {
		t.Errorf("%d %s %s", got.status, got.header.Get("WWW-Authenticate"), got.body)
	}
	opened := as(post(initializeBody("2025-11-25"))).record(handler)
	s := session{id: opened.header.Get("Mcp-Session-Id"), revision: "2025-11-25"}
	if got = as(s.call("8", "note_edit", `{"id":"acme-1"}`)).record(handler); got.status != 403 || got.header.Get("WWW-Authenticate") != want {
		t.Errorf("on a session: %d %s %s", got.status, got.header, got.body)
	}
	// What destroys is never hinted at.
	if got = as(modernCall("9", "note_drop", `{"id":"acme-1"}`)).record(handler); got.code(t) != -32602 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// The metadata is at both places, names the resource as it is, and asks for no token (AU01, AU02, AU03, AU04, AU11).
func TestMetadata(t *testing.T) {
	n := newNotes(t)
	running := runAccess(t, n.registry(t, false), n.options(t, nil)...)
	var first string
	for _, path := range []string{"/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"} {
		response, err := http.Get(strings.TrimSuffix(running.url, runtime.EndpointPath) + path)
		if err != nil {
			t.Fatal(err)
		}
		var document map[string]any
		err = json.NewDecoder(response.Body).Decode(&document)
		_ = response.Body.Close()
		got := fmt.Sprint(document)
		want := fmt.Sprint(map[string]any{
			"resource": resource, "authorization_servers": []any{n.issuer.URL()}, "scopes_supported": []any{"note:read", "note:edit"},
			"bearer_methods_supported": []any{"header"}, "resource_name": "notes",
		})
		if err != nil || response.StatusCode != 200 || got != want || response.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %v\n got %s\nwant %s", path, response.StatusCode, err, got, want)
		}
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("two documents: %s, %s", first, got)
		}
	}
	running.stop()
	running.ended(t)
	// Tokens that are handed out in person need none.
	bearer := n.bearer(t)
	bearer.AuthorizationServers = nil
	handler := n.handler(t, false, runtime.WithBearer(bearer))
	if _, ok := handler.Metadata(); ok {
		t.Error("there is metadata without an authorization server")
	}
	if got := modernRequest("1", "tools/list", "").record(handler); got.header.Get("WWW-Authenticate") != `Bearer scope="note:read note:edit"` {
		t.Errorf("%s", got.header)
	}
}

func runAccess(t *testing.T, registry *capabilities.Registry, options ...runtime.Option) running {
	t.Helper()
	return runRegistry(t, registry, append(options, runtime.WithInfo("notes", "v1"))...)
}

// A session belongs to who opened it: to others its ID is unknown (SE06, SE07, AU17).
func TestSessionOfAnother(t *testing.T) {
	n := newNotes(t)
	n.grant(t, "alice", allScopes, nil)
	handler := n.handler(t, true, n.options(t, nil)...)
	alice := "Bearer " + n.token(t, "alice", allScopes...)
	opened := post(initializeBody("2025-11-25")).with("Authorization", alice).record(handler)
	s := session{id: opened.header.Get("Mcp-Session-Id"), revision: "2025-11-25"}
	app := func(client string) string {
		return "Bearer " + n.issue(t, n.issuer, authtest.Claims{ClientID: client, Audience: resource})
	}
	for name, authorization := range map[string]string{"bob": "Bearer " + n.token(t, "bob", allScopes...), "nobody": "", "a client": app("alice")} {
		for _, r := range []request{
			s.call("1", "note_find", `{"id":"x"}`), s.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`),
			{method: "GET", header: http.Header{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {s.id}}},
			{method: "DELETE", header: http.Header{"Mcp-Session-Id": {s.id}}},
		} {
			if got := r.with("Authorization", authorization).record(handler); got.status != 404 {
				t.Errorf("%s, %s: %d %s", name, r.method, got.status, got.body)
			}
		}
	}
	// The same subject with another token is still the same; two clients without a subject are two.
	again := n.token(t, "alice", "note:read")
	if got := s.call("2", "note_find", `{"id":"x"}`).with("Authorization", "Bearer "+again).record(handler); !strings.Contains(got.body, "alice@acme x") {
		t.Errorf("%s", got.body)
	}
	opened = post(initializeBody("2025-11-25")).with("Authorization", app("one")).record(handler)
	s.id = opened.header.Get("Mcp-Session-Id")
	for client, want := range map[string]int{"one": 200, "two": 404} {
		if got := s.call("3", "note_find", `{"id":"x"}`).with("Authorization", app(client)).record(handler); got.status != want {
			t.Errorf("%s: %d %s", client, got.status, got.body)
		}
	}
}

// A verifier that cannot decide is a 503 that says nothing of why, neither to the caller nor in the log.
func TestVerifierDown(t *testing.T) {
	n := newNotes(t)
	for name, verify := range map[string]auth.VerifierFunc{
		"an outage": func(context.Context, string) (capabilities.Principal, error) {
			return capabilities.Principal{}, errors.New("CANARY-SECRET: jwks at idp7")
		},
		"no identity": func(context.Context, string) (capabilities.Principal, error) {
			return capabilities.Principal{Issuer: "i"}, nil
		},
		"a timeout": func(ctx context.Context, _ string) (capabilities.Principal, error) {
			<-ctx.Done()
			return capabilities.Principal{}, ctx.Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			var log strings.Builder
			var told []capabilities.Kind
			handler := n.handler(t, true, runtime.WithBearer(runtime.Bearer{Verifier: verify, Resource: resource}),
				runtime.WithLogger(slog.New(slog.NewTextHandler(&log, nil))), runtime.WithPolicyWait(20*time.Millisecond),
				runtime.OnToolFailure(func(_ context.Context, f runtime.ToolFailure) { told = append(told, f.Kind) }))
			got := modernRequest("1", "tools/list", "").with("Authorization", "Bearer CANARY-TOKEN").record(handler)
			if got.status != 503 || got.header.Get("Retry-After") == "" || got.header.Get("WWW-Authenticate") != "" {
				t.Errorf("%d %v %s", got.status, got.header, got.body)
			}
			if all := got.body + log.String(); strings.Contains(all, "CANARY") || strings.Contains(all, "jwks") || log.Len() == 0 {
				t.Errorf("%s", all)
			}
			if fmt.Sprint(told) != "[authorization-error]" {
				t.Errorf("told %v", told)
			}
		})
	}
	t.Run("a panic", func(t *testing.T) {
		handler := n.handler(t, true, runtime.WithLogger(slog.New(slog.DiscardHandler)), runtime.WithBearer(runtime.Bearer{Resource: resource,
			Verifier: auth.VerifierFunc(func(context.Context, string) (capabilities.Principal, error) { panic("CANARY") })}))
		if got := modernRequest("1", "tools/list", "").with("Authorization", "Bearer x").record(handler); got.status != 503 || strings.Contains(got.body, "CANARY") {
			t.Errorf("%d %s", got.status, got.body)
		}
	})
}

// Keys that an issuer rotates, and an issuer that goes away, while a server runs.
func TestIssuerChanges(t *testing.T) {
	n := newNotes(t)
	n.grant(t, "alice", allScopes, nil)
	handler := n.handler(t, false, n.options(t, nil)...)
	call := func(token string) answer {
		return modernCall("1", "note_read", `{"id":"acme-1"}`).with("Authorization", "Bearer "+token).record(handler)
	}
	before := n.token(t, "alice", allScopes...)
	if got := call(before); got.status != 200 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	if err := n.issuer.Rotate(); err != nil {
		t.Fatal(err)
	}
	after := n.token(t, "alice", allScopes...)
	for name, token := range map[string]string{"the old key": before, "the new key": after} {
		if got := call(token); got.status != 200 {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	if err := n.issuer.Rotate(); err != nil {
		t.Fatal(err)
	}
	unseen := n.token(t, "alice", allScopes...)
	n.issuer.Close()
	if got := call(after); got.status != 200 {
		t.Errorf("a known key, the issuer being down: %d %s", got.status, got.body)
	}
	if got := call(unseen); got.status != 503 || strings.Contains(got.body, "127.0.0.1") {
		t.Errorf("an unknown key, the issuer being down: %d %s", got.status, got.body)
	}
}

// What go-sdk is given holds no token, and what a principal of a token that expired meanwhile gets is nothing.
func TestExpiredPrincipal(t *testing.T) {
	n := newNotes(t)
	principal := capabilities.Principal{Issuer: "i", Subject: "s", Audience: resource}
	handler := n.handler(t, true, runtime.WithBearer(runtime.Bearer{Resource: resource, Required: new(true),
		Verifier: auth.VerifierFunc(func(context.Context, string) (capabilities.Principal, error) { return principal, nil })}))
	for name, test := range map[string]struct {
		expires  time.Time
		audience string
		want     int
	}{
		"never":             {time.Time{}, resource, 200},
		"later":             {time.Now().Add(time.Minute), resource, 200},
		"before":            {time.Now().Add(-time.Minute), resource, 401},
		"for another":       {time.Time{}, "https://other.example.com/mcp", 401},
		"for nobody at all": {time.Time{}, "", 401},
	} {
		principal.ExpiresAt, principal.Audience = test.expires, test.audience
		if got := modernRequest("1", "tools/list", "").with("Authorization", "Bearer x").record(handler); got.status != test.want {
			t.Errorf("%s: %d", name, got.status)
		}
	}
}
