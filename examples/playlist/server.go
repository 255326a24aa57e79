package main

import (
	"context"
	"errors"
	"log/slog"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/playlist/playlists"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/auth"
	"github.com/capgen/capgen/runtime/grants/sqlstore"
)

const (
	// application is whose grants these are, in a store that several applications may share.
	application = "playlists"

	instructions = "The playlists of the user's organisation. Find the ID of a playlist with playlist_find first. " +
		"Everybody in the organisation may read a playlist; only its owner may edit or delete it. Ask the user before you delete one."
)

// config is what an operator decides.
type config struct {
	file        string // the database
	resource    string // the endpoint's URL as clients know it
	issuer      string // whose tokens are accepted
	tenantClaim string // which claim of a token names the tenant
	deletes     bool   // whether agents may delete playlists at all
	logger      *slog.Logger
}

// app is what the server is made of: playlists and grants, in one file.
type app struct {
	playlists *playlists.Service
	grants    *sqlstore.Store
}

func open(ctx context.Context, file string) (*app, error) {
	// The grants first: their store creates the file for its owner alone, with a journal that lets readers go on beside a writer.
	store, err := sqlstore.Open(ctx, "sqlite:"+file)
	if err != nil {
		return nil, err
	}
	service, err := playlists.Open(ctx, file)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return &app{playlists: service, grants: store}, nil
}

func (a *app) Close() error { return errors.Join(a.playlists.Close(), a.grants.Close()) }

func (a *app) registry() (*capabilities.Registry, error) {
	return capabilities.NewRegistry(a.playlists.Bindings())
}

// verifier returns what tells from a token who calls.
func (c config) verifier() (*auth.OIDCVerifier, error) {
	return auth.NewOIDC(auth.OIDC{Issuer: c.issuer, Audience: c.resource, TenantClaim: c.tenantClaim})
}

// options say what callers may do. Four have to agree: the issuer, by a token with the scopes; whoever issues the grants; the operator, to
// what destroys; and, by the checks of Bindings, the owner of the playlist.
func (a *app) options(c config, verifier auth.Verifier) []runtime.Option {
	var exposure runtime.Exposure
	if c.deletes {
		exposure.MCP.Destructive = []capabilities.ID{playlists.PlaylistDelete{}.Capability().Definition().ID}
	}
	return []runtime.Option{
		runtime.WithInfo(application, "v1.0.0"),
		runtime.WithInstructions(instructions),
		runtime.WithLogger(c.logger),
		runtime.OnToolFailure(c.logFailure),
		runtime.WithBearer(runtime.Bearer{
			Verifier:             verifier,
			Resource:             c.resource,
			AuthorizationServers: []string{c.issuer},
			ChallengeScopes:      true,
		}),
		runtime.WithGrants(runtime.Grants{Store: a.grants, Application: application}),
		runtime.DiscoverProtected(func(context.Context, *capabilities.Definition, capabilities.Principal) bool { return true }),
		runtime.WithExposure(exposure),
	}
}

// handler serves the app, for a program that has a server already.
func (a *app) handler(c config) (*runtime.Handler, error) {
	verifier, err := c.verifier()
	if err != nil {
		return nil, err
	}
	registry, err := a.registry()
	if err != nil {
		return nil, err
	}
	return runtime.NewHandler(registry, a.options(c, verifier)...)
}

// logFailure says which calls fail, for which tenant, and why. What was in them it is never told.
func (c config) logFailure(ctx context.Context, f runtime.ToolFailure) {
	caller, _ := capabilities.PrincipalFrom(ctx)
	c.logger.WarnContext(ctx, "call failed", "tool", f.Tool, "tenant", caller.TenantID, "kind", f.Kind, "problems", f.Observation.Problems)
}
