package main

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime/auth/authtest"
	"github.com/capgen/capgen/runtime/runtimetest"
)

const (
	roadTrip = `{"id": "road-trip"}`
	unknown  = "unknown_playlist: "
)

// The matrix of who may do what is a file that a reviewer reads.
func TestMatrix(t *testing.T) {
	g := newGround(t)
	server := g.serve(t, deleting)
	dave, erin, frank := user{"dave", "acme"}, user{"erin", "acme"}, user{"frank", "acme"}
	g.grant(t, server, alice, time.Hour, allScopes...)
	g.grant(t, server, bob, time.Hour, scopeRead, scopeEdit)
	g.grant(t, server, erin, -time.Minute, allScopes...)
	revoked := g.grant(t, server, frank, time.Hour, allScopes...)
	g.grant(t, server, carol, time.Hour, allScopes...)
	if err := server.app.grants.Revoke(t.Context(), revoked, time.Now()); err != nil {
		t.Fatal(err)
	}
	var callers []runtimetest.Caller
	add := func(name, token string) { callers = append(callers, runtimetest.Caller{Name: name, Token: token}) }
	add("nobody", "")
	add("alice", g.agent(t, alice, allScopes...).token)
	add("bob", g.agent(t, bob, allScopes...).token)
	add("bob, token to read", g.agent(t, bob, scopeRead).token)
	add("dave, no grant", g.agent(t, dave, allScopes...).token)
	add("erin, expired", g.agent(t, erin, allScopes...).token)
	add("frank, revoked", g.agent(t, frank, allScopes...).token)
	add("carol of umbra", g.agent(t, carol, allScopes...).token)

	golden(t, "matrix.txt", runtimetest.Matrix(t, server.handler, callers, map[string]any{
		"playlist_find": `{}`,
		"playlist_read": roadTrip, // Alice's
		"playlist_edit": `{"id": "road-trip", "name": "Road Trip"}`,
		// Bob's, whose grant does not let him delete: whoever could delete it would change what the others see.
		"playlist_delete": `{"id": "late-night"}`,
	}))
}

// A playlist of another tenant answers as one that does not exist, byte by byte, whatever is done to it.
func TestForeignIsMissing(t *testing.T) {
	g := newGround(t)
	server := g.serve(t, deleting)
	g.grant(t, server, carol, time.Hour, allScopes...)
	agent := g.agent(t, carol, allScopes...)
	for tool, more := range map[string]string{"playlist_read": "", "playlist_edit": `, "name": "Carol was here"`, "playlist_delete": ""} {
		foreign := server.call(agent, tool, `{"id": "road-trip"`+more+`}`)
		missing := server.call(agent, tool, `{"id": "no-such-list"`+more+`}`)
		if foreign.body != missing.body || foreign.status != missing.status || foreign.status != http.StatusOK || !strings.HasPrefix(foreign.text, unknown) {
			t.Errorf("%s\nforeign %d %s\nmissing %d %s", tool, foreign.status, foreign.body, missing.status, missing.body)
		}
	}
	// Nor is it found, and nothing has happened to it.
	if got := server.call(agent, "playlist_find", `{}`); strings.Contains(got.body, "road-trip") {
		t.Errorf("%s", got.body)
	}
	g.grant(t, server, alice, time.Hour, scopeRead)
	server.expect(g.agent(t, alice, scopeRead), "playlist_read", roadTrip, `{"result":{"id":"road-trip","name":"Road Trip"`)
}

// A tenant that a token names is not enough: the grant is for one tenant, too.
func TestTenantOfTheGrant(t *testing.T) {
	g := newGround(t)
	server := g.serve(t, nil)
	g.grant(t, server, alice, time.Hour, allScopes...)
	for _, tenant := range []string{"umbra", ""} {
		server.expectList(g.agent(t, user{"alice", tenant}, allScopes...))
		server.expect(g.agent(t, user{"alice", tenant}, allScopes...), "playlist_find", `{}`, "400 Unknown tool")
	}
}

// What a token lacks can be asked for; what a grant lacks, or what destroys, is hidden.
func TestStepUp(t *testing.T) {
	g := newGround(t)
	server := g.serve(t, deleting)
	g.grant(t, server, bob, time.Hour, allScopes...)
	g.grant(t, server, alice, time.Hour, scopeRead)
	reading := g.agent(t, bob, scopeRead)
	server.expectList(reading, "playlist_edit", "playlist_find", "playlist_read")
	got := server.call(reading, "playlist_edit", `{"id": "late-night", "add": ["Coast"]}`)
	const want = `Bearer error="insufficient_scope", scope="playlist:edit", resource_metadata="https://playlists.example.com/.well-known/oauth-protected-resource/mcp"`
	if got.status != http.StatusForbidden || got.challenge != want {
		t.Errorf("%d %s", got.status, got.challenge)
	}
	server.expect(reading, "playlist_delete", `{"id": "late-night"}`, "400 Unknown tool")
	server.expect(g.agent(t, bob, scopeRead, scopeEdit), "playlist_edit", `{"id": "late-night", "add": ["Coast"]}`, `{"result":`)
	server.expectList(g.agent(t, alice, allScopes...), "playlist_find", "playlist_read")
	server.expect(g.agent(t, alice, allScopes...), "playlist_edit", `{"id": "road-trip", "add": ["Coast"]}`, "400 Unknown tool")
}

// Deleting takes the operator's yes beside all others.
func TestDeleting(t *testing.T) {
	g := newGround(t)
	careful, server := g.serve(t, nil), g.serve(t, deleting)
	g.grant(t, careful, alice, time.Hour, allScopes...)
	agent := g.agent(t, alice, allScopes...)
	careful.expectList(agent, "playlist_edit", "playlist_find", "playlist_read")
	careful.expect(agent, "playlist_delete", roadTrip, "400 Unknown tool")
	server.expectList(agent, "playlist_delete", "playlist_edit", "playlist_find", "playlist_read")
	server.expect(agent, "playlist_delete", `{"id": "late-night"}`, "The caller is not allowed to do this.")
	server.expect(agent, "playlist_delete", roadTrip, `{"result":{}}`)
	server.expect(agent, "playlist_delete", roadTrip, unknown)
}

// Tokens that are not for this server, or not any more, are refused before anything else, and none of them is logged.
func TestTokens(t *testing.T) {
	g := newGround(t)
	var log bytes.Buffer
	server := g.serve(t, func(c *config) {
		c.logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	g.grant(t, server, alice, time.Hour, allScopes...)
	good := authtest.Claims{Subject: "alice", ClientID: demoClient, Audience: g.config.resource, Scopes: allScopes, More: map[string]any{tenantClaim: "acme"}}
	elsewhere, expired, other := good, good, newGround(t)
	elsewhere.Audience, expired.Lifetime = "https://mail.example.com/mcp", -time.Hour
	issue := func(g *ground, claims authtest.Claims) string {
		token, err := g.demo.Issue(claims)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	tokens := map[string]string{
		"good": issue(g, good), "elsewhere": issue(g, elsewhere), "expired": issue(g, expired), "another issuer": issue(other, good),
		"altered": altered(issue(g, good)), "no token": "",
	}
	for name, token := range tokens {
		want := "401 "
		if name == "good" {
			want = `{"result":`
		}
		server.expect(agent{name: name, token: token}, "playlist_read", roadTrip, want)
		server.call(agent{name: name, token: token}, "playlist_read", `{"id": ""}`)
	}
	server.stop()
	for name, token := range tokens {
		if token != "" && strings.Contains(log.String(), token) {
			t.Errorf("%s: the token is in the log", name)
		}
	}
	for _, want := range []string{"kind=invalid-identity", "tool=playlist_read tenant=acme kind=invalid-input"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not hold %s\n%s", want, log.String())
		}
	}
}

// altered changes a character in the middle of a token, which is one of its claims.
func altered(token string) string {
	middle := len(token) / 2
	other := "x"
	if token[middle] == 'x' {
		other = "y"
	}
	return token[:middle] + other + token[middle+1:]
}
