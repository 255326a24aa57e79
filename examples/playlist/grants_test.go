package main

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// What the command issues and revokes acts on a server that runs.
func TestGrantsCommand(t *testing.T) {
	g := newGround(t)
	server := g.serve(t, nil)
	command := func(args ...string) string {
		t.Helper()
		var out strings.Builder
		if err := run(t.Context(), append(append([]string{"grants"}, args[0], "-db", g.config.file), args[1:]...), &out); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		return out.String()
	}
	if got := command("list"); got != "ID  SUBJECT  CLIENT  TENANT  SCOPES  STATE\n" {
		t.Errorf("%q", got)
	}

	issue := []string{"issue", "-issuer", g.config.issuer, "-resource", g.config.resource, "-client", demoClient, "-tenant", "acme"}
	id := strings.TrimSpace(command(append(issue, "-subject", "alice", "-scopes", "playlist:read,playlist:edit", "-for", "1h")...))
	if !regexp.MustCompile(`^[A-Z2-7]{26}$`).MatchString(id) {
		t.Fatalf("the ID is %q", id)
	}
	agent := g.agent(t, alice, allScopes...)
	server.expectList(agent, "playlist_edit", "playlist_find", "playlist_read")
	ofClient := strings.TrimSpace(command(append(issue, "-scopes", "playlist:read")...))
	g.grant(t, server, bob, -time.Minute, scopeRead)

	listed := command("list")
	for _, want := range []string{
		id + `  alice +agent +acme +playlist:read,playlist:edit  +until `,
		ofClient + ` +agent +acme +playlist:read +until `,
		`bob +agent +acme +playlist:read +expired `,
	} {
		if !regexp.MustCompile(`(?m)` + want + `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`).MatchString(listed) {
			t.Errorf("%s is not in\n%s", want, listed)
		}
	}

	for range 2 { // again, nothing changes
		if got := command("revoke", id); got != "revoked "+id+"\n" {
			t.Errorf("%q", got)
		}
	}
	server.expectList(agent)
	if got := command("list"); strings.Contains(got, id) {
		t.Errorf("%s", got)
	}
	if got := command("list", "-revoked"); !regexp.MustCompile(id + ` .* revoked \d{4}-`).MatchString(got) {
		t.Errorf("%s", got)
	}
	err := run(t.Context(), []string{"grants", "revoke", "-db", g.config.file, "NONE"}, new(strings.Builder))
	if want := `there is no grant "NONE" in ` + g.config.file + `: grants list shows those that there are`; err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}

// A grant without a subject is the client's own, which acts for itself.
func TestGrantOfAClient(t *testing.T) {
	g := newGround(t)
	server := g.serve(t, nil)
	program := user{"", "acme"} // the issuer then names the client as the subject
	g.grant(t, server, program, time.Hour, allScopes...)
	agent := g.agent(t, program, allScopes...)
	server.expect(agent, "playlist_read", roadTrip, `{"result":`)
	server.expect(agent, "playlist_edit", `{"id": "road-trip", "name": "Mine"}`, "The caller is not allowed to do this.")
}

// More grants than a page holds are all listed.
func TestManyGrants(t *testing.T) {
	if testing.Short() {
		t.Skip("saves a thousand grants")
	}
	g := newGround(t)
	server := g.serve(t, nil)
	for range 1001 {
		g.grant(t, server, alice, time.Hour, scopeRead)
	}
	var out strings.Builder
	if err := run(t.Context(), []string{"grants", "list", "-db", g.config.file}, &out); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "\n"); lines != 1002 {
		t.Errorf("%d lines, want 1002", lines)
	}
}
