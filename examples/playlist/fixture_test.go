package main

import (
	"context"
	"flag"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/grants"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is another now; if that is meant, run the test with -update. It is\n%s", name, got)
	}
}

// ground is what servers stand on: an issuer, and a file that several of them may share.
type ground struct {
	demo   *demonstration
	config config
}

func newGround(t *testing.T) *ground {
	t.Helper()
	demo, err := startDemonstration()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(demo.Close)
	return &ground{demo, config{
		file: filepath.Join(t.TempDir(), "playlists.db"), resource: "https://playlists.example.com/mcp",
		issuer: demo.URL(), tenantClaim: tenantClaim, logger: slog.New(slog.DiscardHandler),
	}}
}

// running is a server of the playlists.
type running struct {
	t       *testing.T
	app     *app
	handler *runtime.Handler
	http    *httptest.Server
}

// serve starts a server until the test ends, or until stop.
func (g *ground) serve(t *testing.T, change func(*config)) *running {
	t.Helper()
	c := g.config
	if change != nil {
		change(&c)
	}
	a, err := open(t.Context(), c.file)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := a.handler(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := seed(t.Context(), a.playlists); err != nil {
		t.Fatal(err)
	}
	r := &running{t, a, handler, httptest.NewServer(handler)}
	t.Cleanup(r.stop)
	return r
}

func (r *running) stop() {
	r.t.Helper()
	r.http.Close()
	// A second time, at the end of the test, changes nothing.
	if err := r.handler.Shutdown(context.Background()); err != nil {
		r.t.Error(err)
	}
	if err := r.app.Close(); err != nil {
		r.t.Error(err)
	}
}

func deleting(c *config) { c.deletes = true }

// agent has a token for the scopes.
func (g *ground) agent(t *testing.T, u user, scopes ...string) agent {
	t.Helper()
	token, err := g.demo.token(u, g.config.resource, scopes...)
	if err != nil {
		t.Fatal(err)
	}
	return agent{name: u.name, token: token}
}

// grant grants an agent of a user's the scopes, for a time from now, and returns the grant's ID.
func (g *ground) grant(t *testing.T, r *running, u user, lifetime time.Duration, scopes ...string) string {
	t.Helper()
	now := time.Now()
	grant := grants.Grant{
		ID: grants.NewID(), Scopes: scopes, IssuedAt: now.Add(-time.Hour), ExpiresAt: now.Add(lifetime),
		Key: grants.Key{Issuer: g.demo.URL(), Subject: u.name, ClientID: demoClient, TenantID: u.tenant, Application: application, Audience: g.config.resource},
	}
	if err := r.app.grants.Save(t.Context(), grant); err != nil {
		t.Fatal(err)
	}
	return grant.ID
}

func (r *running) list(a agent) []string {
	r.t.Helper()
	got, err := a.list(r.t.Context(), r.http.Client(), r.http.URL)
	if err != nil || got.status != 200 {
		r.t.Fatalf("%v %d %s", err, got.status, got.text)
	}
	return got.tools
}

func (r *running) call(a agent, tool, arguments string) answer {
	r.t.Helper()
	got, err := a.call(r.t.Context(), r.http.Client(), r.http.URL, tool, arguments)
	if err != nil {
		r.t.Fatal(err)
	}
	return got
}

// expect calls a tool and holds what is said against a beginning of it.
func (r *running) expect(a agent, tool, arguments, want string) {
	r.t.Helper()
	if got := r.call(a, tool, arguments); !strings.HasPrefix(got.said(), want) {
		r.t.Errorf("%s calls %s %s\n got %s\nwant %s", a.name, tool, arguments, got.said(), want)
	}
}

func (r *running) expectList(a agent, want ...string) {
	r.t.Helper()
	if got := r.list(a); !slices.Equal(got, want) {
		r.t.Errorf("%s is shown %q, want %q", a.name, got, want)
	}
}
