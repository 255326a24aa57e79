package runtime_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/auth/authtest"
	"github.com/capgen/capgen/runtime/grants"
	"github.com/capgen/capgen/runtime/runtimetest"
)

// TestDecisionTable asks for each kind of capability, as each kind of caller, what is listed and what a call does.
func TestDecisionTable(t *testing.T) {
	n := newNotes(t)
	other, err := authtest.NewIssuer()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(other.Close)
	for _, subject := range []string{"valid", "readonly", "unscoped", "other"} {
		n.grant(t, subject, allScopes, func(g *grants.Grant) {
			if subject == "other" {
				g.TenantID = "umbra"
			}
		})
	}
	n.grant(t, "partly", []string{"note:read"}, nil)
	n.grant(t, "expired", allScopes, func(g *grants.Grant) { g.ExpiresAt = time.Now().Add(-time.Minute) })
	n.grant(t, "early", allScopes, func(g *grants.Grant) { g.IssuedAt = time.Now().Add(time.Minute) })
	revoked := n.grant(t, "revoked", allScopes, nil)
	if err := n.store.Revoke(t.Context(), revoked.ID, time.Now()); err != nil {
		t.Fatal(err)
	}
	n.grant(t, "elsewhere", allScopes, func(g *grants.Grant) { g.Application = "mail" })
	n.grant(t, "rephrased", allScopes, func(g *grants.Grant) { g.PolicyRevision = "2" })
	n.grant(t, "byclient", allScopes, func(g *grants.Grant) { g.ClientID = "another" })

	claims := func(change func(*authtest.Claims)) string {
		c := authtest.Claims{Subject: "valid", ClientID: "app", Audience: resource, Scopes: allScopes, More: map[string]any{"tenant": "acme"}}
		change(&c)
		return n.issue(t, n.issuer, c)
	}
	callers := []runtimetest.Caller{
		{Name: "anonymous"},
		{Name: "valid", Token: n.token(t, "valid", allScopes...)},
		{Name: "expired token", Token: claims(func(c *authtest.Claims) { c.Lifetime = -time.Hour })},
		{Name: "wrong audience", Token: claims(func(c *authtest.Claims) { c.Audience = "https://other.example.com/mcp" })},
		{Name: "wrong issuer", Token: n.issue(t, other, authtest.Claims{Subject: "valid", ClientID: "app", Audience: resource, Scopes: allScopes})},
		{Name: "read scope", Token: n.token(t, "readonly", "note:read")},
		{Name: "no scope", Token: n.token(t, "unscoped")},
		{Name: "read grant", Token: n.token(t, "partly", allScopes...)},
		{Name: "no grant", Token: n.token(t, "nobody", allScopes...)},
		{Name: "expired grant", Token: n.token(t, "expired", allScopes...)},
		{Name: "early grant", Token: n.token(t, "early", allScopes...)},
		{Name: "revoked grant", Token: n.token(t, "revoked", allScopes...)},
		{Name: "application", Token: n.token(t, "elsewhere", allScopes...)},
		{Name: "revision", Token: n.token(t, "rephrased", allScopes...)},
		{Name: "client", Token: n.token(t, "byclient", allScopes...)},
		{Name: "other tenant", Token: claims(func(c *authtest.Claims) { c.Subject, c.More = "other", map[string]any{"tenant": "umbra"} })},
	}
	inputs := map[string]any{"note_find": NoteFind{ID: "acme-1"}, "note_read": NoteRead{ID: "acme-1"}, "note_edit": NoteEdit{ID: "acme-1"}, "note_drop": NoteDrop{ID: "acme-1"}}

	const everything = `
TOOL            note_find  note_read          note_edit                  note_drop
anonymous       list call  -                  -                          -
valid           list call  list call          list call                  list call
expired token   401        401                401                        401
wrong audience  401        401                401                        401
wrong issuer    401        401                401                        401
read scope      list call  list call          -                          -
no scope        list call  -                  -                          -
read grant      list call  list call          -                          -
no grant        list call  -                  -                          -
expired grant   list call  -                  -                          -
early grant     list call  -                  -                          -
revoked grant   list call  -                  -                          -
application     list call  -                  -                          -
revision        list call  -                  -                          -
client          list call  -                  -                          -
other tenant    list call  list unauthorized  list unauthorized          list unauthorized
`
	t.Run("everything exposed", func(t *testing.T) {
		checkTable(t, runtimetest.Matrix(t, n.handler(t, true, n.options(t, nil)...), callers, inputs), everything)
	})
	t.Run("not exposed", func(t *testing.T) {
		options := append(n.options(t, nil), runtime.WithExposure(runtime.Exposure{}))
		want := strings.NewReplacer("list call                  list call\n", "list call                  -\n",
			"list unauthorized          list unauthorized\n", "list unauthorized          -\n").Replace(everything)
		checkTable(t, runtimetest.Matrix(t, n.handler(t, true, options...), callers, inputs), want)
	})
	t.Run("step-up", func(t *testing.T) {
		options := n.options(t, func(b *runtime.Bearer) { b.ChallengeScopes = true })
		want := strings.NewReplacer(
			"read scope      list call  list call          -                        ", "read scope      list call  list call          list needs note:read note:edit",
			"no scope        list call  -                  -                        ", "no scope        list call  list needs note:read          list needs note:read note:edit",
		).Replace(everything)
		checkTable(t, runtimetest.Matrix(t, n.handler(t, true, options...), callers, inputs), want)
	})
	t.Run("a token for everything", func(t *testing.T) {
		options := n.options(t, func(b *runtime.Bearer) { b.Required = new(true) })
		want := strings.Replace(everything, "anonymous       list call  -                  -                          -", "anonymous  401  401  401  401", 1)
		checkTable(t, runtimetest.Matrix(t, n.handler(t, true, options...), callers, inputs), want)
	})
	t.Run("narrowed", func(t *testing.T) {
		options := append(n.options(t, nil),
			runtime.CanDiscover(func(ctx context.Context, _ *capabilities.Definition) bool {
				_, known := capabilities.PrincipalFrom(ctx)
				return known
			}),
			runtime.DiscoverProtected(func(_ context.Context, def *capabilities.Definition, p capabilities.Principal) bool {
				if p.Subject == "readonly" {
					panic("boom")
				}
				return def.Risk != capabilities.Write
			}))
		want := strings.NewReplacer(
			"anonymous       list call", "anonymous       -        ",
			"valid           list call  list call          list call", "valid           list call  list call          -        ",
			"read scope      list call  list call", "read scope      list call  -        ",
			"list unauthorized  list unauthorized          list unauthorized", "list unauthorized  -                  list unauthorized",
		).Replace(everything)
		checkTable(t, runtimetest.Matrix(t, n.handler(t, true, options...), callers, inputs), want)
	})
	// AU10
	t.Run("a scope that covers others", func(t *testing.T) {
		options := n.options(t, func(b *runtime.Bearer) {
			b.Covers = func(held, needed string) bool { return held == "note:edit" && needed == "note:read" }
		})
		n.grant(t, "editor", []string{"note:edit"}, nil)
		editor := []runtimetest.Caller{{Name: "editor", Token: n.token(t, "editor", "note:edit")}}
		checkTable(t, runtimetest.Matrix(t, n.handler(t, true, options...), editor, inputs), `
TOOL    note_find  note_read  note_edit  note_drop
editor  list call  list call  list call  -`)
	})
}

// checkTable compares a matrix with a table of the same, turned: callers are its rows, cells are apart by two spaces or more.
func checkTable(t *testing.T, got, want string) {
	t.Helper()
	turned := turn(cells(got))
	wanted := cells(want)
	tools := map[string]int{}
	for i, tool := range turned[0] {
		tools[tool] = i
	}
	for r, row := range wanted[1:] {
		for c, tool := range wanted[0] {
			if c > 0 && turned[r+1][tools[tool]] != row[c] {
				t.Errorf("%s, %s: %q, want %q", row[0], tool, turned[r+1][tools[tool]], row[c])
			}
		}
	}
	if len(turned) != len(wanted) {
		t.Errorf("%d rows, want %d", len(turned), len(wanted))
	}
}

func cells(table string) [][]string {
	var rows [][]string
	for line := range strings.Lines(strings.TrimSpace(table)) {
		var row []string
		for cell := range strings.SplitSeq(strings.TrimSpace(line), "  ") {
			if cell = strings.TrimSpace(cell); cell != "" {
				row = append(row, cell)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func turn(rows [][]string) [][]string {
	turned := make([][]string, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			turned[i] = append(turned[i], cell)
		}
	}
	return turned
}

// A hidden name answers with the bytes of an unknown one, to everybody and in both eras.
func TestHiddenIsUnknown(t *testing.T) {
	n := newNotes(t)
	n.grant(t, "alice", []string{"note:read"}, nil)
	url := serveHandler(t, n.handler(t, true, n.options(t, nil)...))
	for _, token := range []string{"", n.token(t, "alice", "note:read"), n.token(t, "nobody", allScopes...)} {
		as := func(r request) request {
			if token == "" {
				return r
			}
			return r.with("Authorization", "Bearer "+token)
		}
		got := as(post(initializeBody("2025-11-25"))).send(t, url)
		s := session{url: url, id: got.header.Get("Mcp-Session-Id"), revision: "2025-11-25"}
		for _, ask := range []func(name string) answer{
			func(name string) answer { return as(modernCall("1", name, `{"id":"acme-1"}`)).send(t, url) },
			func(name string) answer { return as(modernCall("1", name, `{"wrong":1}`)).send(t, url) },
			func(name string) answer { return as(s.call("1", name, `{"id":"acme-1"}`)).send(t, url) },
		} {
			hidden, unknown := ask("note_drop"), ask("note_none")
			if strings.ReplaceAll(hidden.body, "note_drop", "note_none") != unknown.body || hidden.status != unknown.status || len(hidden.header) != len(unknown.header) {
				t.Errorf("hidden  %d %s\nunknown %d %s", hidden.status, hidden.body, unknown.status, unknown.body)
			}
			if !strings.Contains(unknown.body, "-32602") {
				t.Errorf("%s", unknown.body)
			}
		}
	}
}

// An outage of the store is told alike of hidden and of unknown names, leaves public reads alone, and leaks nothing.
func TestStoreDown(t *testing.T) {
	n := newNotes(t)
	n.grant(t, "alice", allScopes, nil)
	var log strings.Builder
	options := append(n.options(t, nil), runtime.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	url := serveHandler(t, n.handler(t, true, options...))
	as := func(r request) request { return r.with("Authorization", "Bearer "+n.token(t, "alice", allScopes...)) }
	n.store.down.Store(true)
	var texts []string
	for _, name := range []string{"note_read", "note_drop", "note_none"} {
		got := as(modernCall("1", name, `{"id":"acme-1"}`)).send(t, url)
		texts = append(texts, got.body)
		if got.code(t) != -32603 || strings.Contains(got.body, "CANARY") || got.body != texts[0] {
			t.Errorf("%s: %s", name, got.body)
		}
	}
	if got := as(modernRequest("1", "tools/list", "")).send(t, url); got.code(t) != -32603 || strings.Contains(got.body, "CANARY") {
		t.Errorf("%s", got.body)
	}
	if got := as(modernCall("1", "note_find", `{"id":"x"}`)).send(t, url); got.status != 200 || !strings.Contains(got.body, "alice@acme x") {
		t.Errorf("%s", got.body)
	}
	if !strings.Contains(log.String(), "CANARY-SECRET") {
		t.Errorf("the log does not say why: %s", log.String())
	}
	n.store.down.Store(false)
	if got := as(modernCall("1", "note_read", `{"id":"acme-1"}`)).send(t, url); !strings.Contains(got.body, "alice@acme acme-1") {
		t.Errorf("%s", got.body)
	}
}

// A public read that the application hides from a caller answers as an unknown name, and costs the store as much, also in an outage.
func TestHiddenPublicRead(t *testing.T) {
	n := newNotes(t)
	nothing := runtime.CanDiscover(func(context.Context, *capabilities.Definition) bool { return false })
	url := serveHandler(t, n.handler(t, true, append(n.options(t, nil), nothing)...))
	token := n.token(t, "ann", allScopes...)
	ask := func(name string) (answer, int64) {
		before := n.store.finds.Load()
		got := modernCall("1", name, `{"id":"acme-1"}`).with("Authorization", "Bearer "+token).send(t, url)
		return got, n.store.finds.Load() - before
	}
	for _, down := range []bool{false, true} {
		n.store.down.Store(down)
		hidden, forHidden := ask("note_find")
		unknown, forUnknown := ask("note_none")
		if forHidden != forUnknown || forHidden != 1 {
			t.Errorf("the store is asked %d times for a hidden name and %d times for an unknown one", forHidden, forUnknown)
		}
		if hidden.status != unknown.status || strings.ReplaceAll(hidden.body, "note_find", "note_none") != unknown.body || down != (unknown.code(t) == -32603) {
			t.Errorf("hidden  %d %s\nunknown %d %s", hidden.status, hidden.body, unknown.status, unknown.body)
		}
	}
}

// The store is asked once a call and once a list, and not for public reads or for nobody.
func TestStoreIsAskedOnce(t *testing.T) {
	n := newNotes(t)
	n.grant(t, "alice", allScopes, nil)
	url := serveHandler(t, n.handler(t, true, n.options(t, nil)...))
	as := func(r request) request { return r.with("Authorization", "Bearer "+n.token(t, "alice", allScopes...)) }
	for name, test := range map[string]struct {
		request request
		want    int64
	}{
		"a list":                 {as(modernRequest("1", "tools/list", "")), 1},
		"a call":                 {as(modernCall("1", "note_edit", `{"id":"acme-1"}`)), 1},
		"a call with bad input":  {as(modernCall("1", "note_edit", `{}`)), 1},
		"an unknown name":        {as(modernCall("1", "note_none", `{}`)), 1},
		"a public read":          {as(modernCall("1", "note_find", `{"id":"x"}`)), 0},
		"somebody unknown":       {modernCall("1", "note_edit", `{"id":"acme-1"}`), 0},
		"somebody unknown lists": {modernRequest("1", "tools/list", ""), 0},
	} {
		before := n.store.finds.Load()
		test.request.send(t, url)
		if got := n.store.finds.Load() - before; got != test.want {
			t.Errorf("%s: asked %d times, want %d", name, got, test.want)
		}
	}
}

// A client that goes on with an old list is refused at the next call after a revocation.
func TestStaleList(t *testing.T) {
	n := newNotes(t)
	g := n.grant(t, "alice", allScopes, nil)
	url := serveHandler(t, n.handler(t, true, n.options(t, nil)...))
	as := func(r request) request { return r.with("Authorization", "Bearer "+n.token(t, "alice", allScopes...)) }
	listed := as(modernRequest("1", "tools/list", "")).send(t, url)
	if !strings.Contains(listed.body, `"note_drop"`) || !strings.Contains(listed.body, `"cacheScope":"private"`) {
		t.Fatalf("%s", listed.body)
	}
	if got := as(modernCall("2", "note_drop", `{"id":"acme-1"}`)).send(t, url); !strings.Contains(got.body, "alice@acme acme-1") {
		t.Fatalf("%s", got.body)
	}
	if err := n.store.Revoke(t.Context(), g.ID, time.Now()); err != nil {
		t.Fatal(err)
	}
	if got := as(modernCall("3", "note_drop", `{"id":"acme-1"}`)).send(t, url); got.code(t) != -32602 {
		t.Errorf("%s", got.body)
	}
	if got := as(modernRequest("4", "tools/list", "")).send(t, url); strings.Contains(got.body, "note_read") || !strings.Contains(got.body, "note_find") {
		t.Errorf("%s", got.body)
	}
}

// Ten threads call while one grant after another is revoked: no call is admitted that began after its revocation returned.
func TestRevokingWhileCalling(t *testing.T) {
	n := newNotes(t)
	const rounds = 20
	for round := range rounds {
		subject := fmt.Sprintf("s%d", round)
		g := n.grant(t, subject, allScopes, nil)
		handler := n.handler(t, true, n.options(t, nil)...)
		token := n.token(t, subject, allScopes...)
		var revoked atomic.Bool
		var admitted atomic.Int64
		var calling sync.WaitGroup
		for range 10 {
			calling.Go(func() {
				for range 20 {
					late := revoked.Load()
					r := modernCall("1", "note_edit", `{"id":"acme-1"}`).with("Authorization", "Bearer "+token)
					got := r.record(handler)
					if strings.Contains(got.body, "@acme") {
						admitted.Add(1)
						if late {
							t.Errorf("admitted after its revocation returned: %s", got.body)
						}
					}
				}
			})
		}
		calling.Go(func() {
			for admitted.Load() == 0 {
				time.Sleep(50 * time.Microsecond)
			}
			if err := n.store.Revoke(context.Background(), g.ID, time.Now()); err != nil {
				t.Error(err)
			}
			revoked.Store(true)
		})
		calling.Wait()
	}
}

// An application that owns the boundary says who calls and what is allowed; scopes, exposure and the resource check still count.
func TestResolveContext(t *testing.T) {
	n := newNotes(t)
	resolve := func(r *http.Request, p *capabilities.Principal) (*capabilities.Principal, runtime.Authorizer, error) {
		if p != nil {
			t.Errorf("there is no bearer, and still %+v", p)
		}
		switch name := r.Header.Get("X-Test-User"); name {
		case "":
			return nil, nil, nil
		case "broken":
			return nil, nil, fmt.Errorf("CANARY-SECRET")
		case "panic":
			panic("CANARY-SECRET")
		case "nameless":
			return &capabilities.Principal{Subject: "x"}, nil, nil
		case "unauthorised":
			return &capabilities.Principal{Issuer: "app", Subject: name, TenantID: "acme", Scopes: allScopes}, nil, nil
		default:
			p := &capabilities.Principal{Issuer: "app", Subject: name, TenantID: "acme", Scopes: allScopes}
			if name == "unscoped" {
				p.Scopes = nil
			}
			return p, func(_ context.Context, def *capabilities.Definition) (bool, error) {
				switch {
				case name == "reader":
					return def.Risk == capabilities.Read, nil
				case name == "failing":
					return true, fmt.Errorf("CANARY-SECRET")
				case name == "panicking":
					panic("CANARY-SECRET")
				}
				return true, nil
			}, nil
		}
	}
	var callers []runtimetest.Caller
	for _, name := range []string{"", "reader", "writer", "unscoped", "unauthorised", "failing", "panicking", "broken", "panic", "nameless"} {
		callers = append(callers, runtimetest.Caller{Name: "user " + name, Header: http.Header{"X-Test-User": {name}}})
	}
	inputs := map[string]any{"note_read": `{"id": "acme-1"}`, "note_edit": `{"id": "umbra-1"}`}
	table := func(options ...runtime.Option) string {
		options = append(options, runtime.ResolveContext(resolve), runtime.WithLogger(slog.New(slog.DiscardHandler)))
		return runtimetest.Matrix(t, n.handler(t, true, options...), callers, inputs)
	}
	const want = `
TOOL               note_find  note_read  note_edit          note_drop
user               list call  -          -                  -
user reader        list call  list call  -                  -
user writer        list call  list call  list unauthorized  -
user unscoped      list call  -          -                  -
user unauthorised  list call  -          -                  -
user failing       list call  -          -                  -
user panicking     list call  -          -                  -
user broken        503        503        503                503
user panic         503        503        503                503
user nameless      503        503        503                503`
	checkTable(t, table(), want)
	exposed := runtime.WithExposure(runtime.Exposure{MCP: runtime.Surface{Destructive: []capabilities.ID{noteDrop.Definition().ID}}})
	checkTable(t, table(exposed), strings.Replace(want, "list unauthorized  -", "list unauthorized  list call", 1))
}

// Several bindings for servers are none that an agent could choose.
func TestOneServerBinding(t *testing.T) {
	find := func(context.Context, NoteFind) (string, error) { return "", nil }
	local := capabilities.On(capabilities.TargetLocal)
	for name, test := range map[string]struct {
		parts []capabilities.Part
		want  bool
	}{
		"one":                {[]capabilities.Part{capabilities.Handle(find)}, true},
		"one, and a local":   {[]capabilities.Part{capabilities.Handle(find), capabilities.Handle(find, local, capabilities.Named("b"))}, true},
		"one each":           {[]capabilities.Part{capabilities.Handle(find, capabilities.On(capabilities.TargetServer)), capabilities.Handle(find, local)}, true},
		"two":                {[]capabilities.Part{capabilities.Handle(find), capabilities.Handle(find, capabilities.Named("b"))}, false},
		"none but for local": {[]capabilities.Part{capabilities.Handle(find, local)}, false},
	} {
		registry, err := capabilities.NewRegistry(test.parts...)
		if err != nil {
			t.Fatal(err)
		}
		handler, err := runtime.NewHandler(registry, runtime.WithLogger(slog.New(slog.DiscardHandler)))
		if err != nil {
			t.Fatal(err)
		}
		if got := handler.Tools()["note_find"] != nil; got != test.want {
			t.Errorf("%s: served: %v", name, got)
		}
		call := modernCall("1", "note_find", `{"id":"x"}`).record(handler)
		if served := strings.Contains(call.body, `"result"`); served != test.want {
			t.Errorf("%s: %s", name, call.body)
		}
	}
}

// record answers the request without a network.
func (r request) record(handler http.Handler) answer {
	out := httptest.NewRequest(r.method, "http://localhost/mcp", strings.NewReader(r.body))
	out.Header = r.header.Clone()
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, out)
	body, _ := io.ReadAll(recorder.Result().Body)
	return answer{status: recorder.Code, header: recorder.Header(), body: string(body)}
}
