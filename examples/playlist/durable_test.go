package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime/grants"
)

// What was granted, revoked and edited outlives the server.
func TestRestart(t *testing.T) {
	g := newGround(t)
	server := g.serve(t, nil)
	g.grant(t, server, alice, time.Hour, scopeRead, scopeEdit)
	revoked := g.grant(t, server, bob, time.Hour, scopeRead)
	reader, editor := g.agent(t, bob, allScopes...), g.agent(t, alice, allScopes...)
	server.expect(reader, "playlist_read", roadTrip, `{"result":`)
	server.expect(editor, "playlist_edit", `{"id": "road-trip", "name": "Detour"}`, `{"result":`)
	if err := server.app.grants.Revoke(t.Context(), revoked, time.Now()); err != nil {
		t.Fatal(err)
	}
	server.stop()

	server = g.serve(t, nil)
	server.expect(editor, "playlist_read", roadTrip, `{"result":{"id":"road-trip","name":"Detour"`)
	server.expect(reader, "playlist_read", roadTrip, "400 Unknown tool")
	server.expectList(reader)
	again := grants.Grant{
		ID: revoked, Scopes: []string{scopeRead}, IssuedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour),
		Key: grants.Key{Issuer: g.demo.URL(), Subject: "bob", ClientID: demoClient, TenantID: "acme", Application: application, Audience: g.config.resource},
	}
	if err := server.app.grants.Save(t.Context(), again); !errors.Is(err, grants.ErrRevoked) {
		t.Errorf("a revoked grant can be saved again: %v", err)
	}
}

// Of two servers with one database, each knows at once what the other was told.
func TestTwoServers(t *testing.T) {
	g := newGround(t)
	one, other := g.serve(t, nil), g.serve(t, nil)
	agent := g.agent(t, alice, allScopes...)
	other.expect(agent, "playlist_read", roadTrip, "400 Unknown tool")
	for range 10 {
		id := g.grant(t, one, alice, time.Hour, scopeRead, scopeEdit)
		other.expect(agent, "playlist_edit", `{"id": "road-trip", "name": "Detour"}`, `{"result":`)
		one.expect(agent, "playlist_read", roadTrip, `{"result":{"id":"road-trip","name":"Detour"`)
		if err := one.app.grants.Revoke(t.Context(), id, time.Now()); err != nil {
			t.Fatal(err)
		}
		other.expect(agent, "playlist_read", roadTrip, "400 Unknown tool")
		one.expect(agent, "playlist_read", roadTrip, "400 Unknown tool")
	}
}

// A grant ends by itself.
func TestExpiry(t *testing.T) {
	g := newGround(t)
	server := g.serve(t, nil)
	agent := g.agent(t, alice, allScopes...)
	g.grant(t, server, alice, -time.Second, scopeRead)
	server.expect(agent, "playlist_read", roadTrip, "400 Unknown tool")
	g.grant(t, server, alice, 300*time.Millisecond, scopeRead)
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		got := server.call(agent, "playlist_read", roadTrip)
		if strings.HasPrefix(got.said(), "400 Unknown tool") {
			break
		}
		if time.Since(begin) > 10*time.Second {
			t.Fatalf("the grant does not end: %s", got.said())
		}
	}
}
