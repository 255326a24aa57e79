package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/capgen/capgen/examples/playlist/playlists"
	"github.com/capgen/capgen/runtime/auth/authtest"
)

const (
	// tenantClaim is the claim that holds a user's tenant, unless serve is told another.
	tenantClaim = "tenant"
	// demoClient is the OAuth client that every agent of the demonstration is.
	demoClient = "agent"
	// demoLifetime is how long the tokens of a demonstration are valid.
	demoLifetime = time.Hour
)

// The scopes that the capabilities declare.
const (
	scopeRead   = "playlist:read"
	scopeEdit   = "playlist:edit"
	scopeDelete = "playlist:delete"
)

var allScopes = []string{scopeRead, scopeEdit, scopeDelete}

// user is one of the demonstration's.
type user struct{ name, tenant string }

var (
	alice = user{"alice", "acme"}
	bob   = user{"bob", "acme"}
	carol = user{"carol", "umbra"}
)

// demonstration is an issuer that gives a token for every user to whoever asks in this process.
type demonstration struct{ *authtest.Issuer }

// startDemonstration starts it, unless this is where it must not be.
func startDemonstration() (*demonstration, error) {
	if os.Getenv("CAPGEN_ENV") == "production" {
		return nil, errors.New("CAPGEN_ENV is production, where nobody may be a user of the demonstration: " +
			"write serve -issuer URL, with the URL of your OpenID provider, such as https://login.example.com")
	}
	issuer, err := authtest.NewIssuer()
	if err != nil {
		return nil, err
	}
	return &demonstration{issuer}, nil
}

// token returns a token for an agent of a user's.
func (d *demonstration) token(u user, resource string, scopes ...string) (string, error) {
	return d.Issue(authtest.Claims{
		Subject: u.name, ClientID: demoClient, Audience: resource, Scopes: scopes, Lifetime: demoLifetime, More: map[string]any{tenantClaim: u.tenant},
	})
}

// seed gives the users playlists, unless they have them already.
func seed(ctx context.Context, s *playlists.Service) error {
	for _, p := range []struct {
		id    playlists.PlaylistID
		of    user
		name  string
		first playlists.Track
	}{
		{"road-trip", alice, "Road Trip", "Ignition"},
		{"rainy-day", alice, "Rainy Day", "Window"},
		{"late-night", bob, "Late Night", "Neon"},
		{"opening-night", carol, "Opening Night", "Curtain"},
	} {
		summary := playlists.Summary{ID: p.id, Name: p.name, Owner: p.of.name}
		if err := s.Create(ctx, p.of.tenant, playlists.Playlist{Summary: summary, Tracks: []playlists.Track{p.first, "Tunnel"}}); err != nil {
			return err
		}
	}
	return nil
}

// welcome makes the demonstration's playlists and tells what to try.
func (d *demonstration) welcome(ctx context.Context, a *app, c config) (string, error) {
	if err := seed(ctx, a.playlists); err != nil {
		return "", err
	}
	var tokens strings.Builder
	for _, u := range []user{alice, bob, carol} {
		token, err := d.token(u, c.resource, allScopes...)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&tokens, "  %s=%s\n", strings.ToUpper(u.name), token)
	}
	return fmt.Sprintf(tryIt, c.resource, c.issuer, c.file, tokens.String(), demoClient), nil
}

// tryIt holds commands as they can be pasted into another terminal, in the folder of the repository.
const tryIt = `Serving at %[1]s

A demonstration issuer vouches for alice and bob of acme and for carol of umbra, until this server ends. Their agents' tokens:

%[4]s
Nothing is granted yet, so that alice's agent sees no tools:

  go run ./cmd/capgen tools -header "Authorization: Bearer $ALICE" %[1]s

Grant it something, and it can be called:

  go run ./examples/playlist grants issue -db '%[3]s' -resource %[1]s -issuer %[2]s \
    -subject alice -client %[5]s -tenant acme -scopes playlist:read,playlist:edit

  go run ./cmd/capgen call -header "Authorization: Bearer $ALICE" %[1]s playlist_find

Stop it with Ctrl-C.
`
