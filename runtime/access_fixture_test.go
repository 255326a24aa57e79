package runtime_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/auth"
	"github.com/capgen/capgen/runtime/auth/authtest"
	"github.com/capgen/capgen/runtime/grants"
)

// What follows are declarations of each kind of access, as capgen would generate them. A note belongs to the tenant that its ID begins
// with.

type (
	// NoteFind is a public read.
	NoteFind struct {
		capabilities.Returns[string]
		ID string `json:"id"`
	}
	// NoteRead is a protected read.
	NoteRead struct {
		capabilities.Returns[string]
		ID string `json:"id"`
	}
	// NoteEdit is a write that needs two scopes.
	NoteEdit struct {
		capabilities.Returns[string]
		ID string `json:"id"`
	}
	// NoteDrop is destructive.
	NoteDrop struct {
		capabilities.Returns[string]
		ID string `json:"id"`
	}
)

func noteContract(name, risk, access string) string {
	return `{"id": "test:note.` + name + `@1", "tool": "note_` + name + `", "risk": "` + risk + `", "access": ` + access + `,
		"input": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"], "additionalProperties": false},
		"output": {"type": "string"}}`
}

var (
	noteFind = capabilities.Declare[NoteFind, string](noteContract("find", "read", `"public"`))
	noteRead = capabilities.Declare[NoteRead, string](noteContract("read", "read", `{"scopes": ["note:read"]}`))
	noteEdit = capabilities.Declare[NoteEdit, string](noteContract("edit", "write", `{"scopes": ["note:read", "note:edit"]}`))
	noteDrop = capabilities.Declare[NoteDrop, string](noteContract("drop", "destructive", `{"scopes": ["note:drop"]}`))
)

func (NoteFind) Capability() *capabilities.Capability[NoteFind, string] { return noteFind }
func (NoteRead) Capability() *capabilities.Capability[NoteRead, string] { return noteRead }
func (NoteEdit) Capability() *capabilities.Capability[NoteEdit, string] { return noteEdit }
func (NoteDrop) Capability() *capabilities.Capability[NoteDrop, string] { return noteDrop }

// finder is a server of note_find alone, with a handler of a test's.
func finder(t *testing.T, find func(context.Context, NoteFind) (string, error), options ...runtime.Option) *runtime.Handler {
	t.Helper()
	registry, err := capabilities.NewRegistry(capabilities.Handle(find))
	if err != nil {
		t.Fatal(err)
	}
	handler, err := runtime.NewHandler(registry, options...)
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

const (
	resource    = "https://tools.example.com/mcp"
	application = "notes"
)

var allScopes = []string{"note:read", "note:edit", "note:drop"}

// notes is a server of notes, its issuer and its grants.
type notes struct {
	issuer *authtest.Issuer
	store  *countingStore
	// bindings of protected capabilities run this, when it is there.
	running func(ctx context.Context)
}

func newNotes(t *testing.T) *notes {
	t.Helper()
	issuer, err := authtest.NewIssuer()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(issuer.Close)
	return &notes{issuer: issuer, store: &countingStore{Store: grants.NewMemory()}}
}

// registry binds them all; without the public read when there is to be none.
func (n *notes) registry(t *testing.T, public bool) *capabilities.Registry {
	t.Helper()
	tell := func(ctx context.Context, id string) (string, error) {
		if n.running != nil {
			n.running(ctx)
		}
		p, _ := capabilities.PrincipalFrom(ctx)
		return p.Subject + "@" + p.TenantID + " " + id, nil
	}
	parts := []capabilities.Part{
		capabilities.Handle(func(ctx context.Context, in NoteRead) (string, error) { return tell(ctx, in.ID) },
			capabilities.AuthorizeResource(func(_ context.Context, in NoteRead, p capabilities.Principal) error { return ofTenant(in.ID, p) })),
		capabilities.Handle(func(ctx context.Context, in NoteEdit) (string, error) { return tell(ctx, in.ID) },
			capabilities.AuthorizeResource(func(_ context.Context, in NoteEdit, p capabilities.Principal) error { return ofTenant(in.ID, p) })),
		capabilities.Handle(func(ctx context.Context, in NoteDrop) (string, error) { return tell(ctx, in.ID) },
			capabilities.AuthorizeResource(func(_ context.Context, in NoteDrop, p capabilities.Principal) error { return ofTenant(in.ID, p) })),
	}
	if public {
		parts = append(parts, capabilities.Handle(func(ctx context.Context, in NoteFind) (string, error) { return tell(ctx, in.ID) }))
	}
	registry, err := capabilities.NewRegistry(parts...)
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

func ofTenant(id string, p capabilities.Principal) error {
	if !strings.HasPrefix(id, p.TenantID+"-") {
		return capabilities.ErrUnauthorized
	}
	return nil
}

func (n *notes) bearer(t *testing.T) runtime.Bearer {
	t.Helper()
	verifier, err := auth.NewOIDC(auth.OIDC{Issuer: n.issuer.URL(), Audience: resource, TenantClaim: "tenant"})
	if err != nil {
		t.Fatal(err)
	}
	return runtime.Bearer{Verifier: verifier, Resource: resource, AuthorizationServers: []string{n.issuer.URL()}}
}

// options are those of a server that lets out all there is to those who may have it.
func (n *notes) options(t *testing.T, change func(*runtime.Bearer)) []runtime.Option {
	t.Helper()
	bearer := n.bearer(t)
	if change != nil {
		change(&bearer)
	}
	return []runtime.Option{
		runtime.WithLogger(slog.New(slog.DiscardHandler)),
		runtime.WithBearer(bearer),
		runtime.WithGrants(runtime.Grants{Store: n.store, Application: application}),
		runtime.DiscoverProtected(func(context.Context, *capabilities.Definition, capabilities.Principal) bool { return true }),
		runtime.WithExposure(runtime.Exposure{MCP: runtime.Surface{Destructive: []capabilities.ID{noteDrop.Definition().ID}}}),
	}
}

func (n *notes) handler(t *testing.T, public bool, options ...runtime.Option) *runtime.Handler {
	t.Helper()
	handler, err := runtime.NewHandler(n.registry(t, public), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		_ = handler.Shutdown(ended)
	})
	return handler
}

// token is one of this issuer's, for a subject of tenant acme.
func (n *notes) token(t *testing.T, subject string, scopes ...string) string {
	t.Helper()
	return n.issue(t, n.issuer, authtest.Claims{Subject: subject, ClientID: "app", Audience: resource, Scopes: scopes, More: map[string]any{"tenant": "acme"}})
}

func (n *notes) issue(t *testing.T, issuer *authtest.Issuer, claims authtest.Claims) string {
	t.Helper()
	token, err := issuer.Issue(claims)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// grant saves a grant for a subject of tenant acme.
func (n *notes) grant(t *testing.T, subject string, scopes []string, change func(*grants.Grant)) grants.Grant {
	t.Helper()
	g := grants.Grant{
		ID: grants.NewID(),
		Key: grants.Key{
			Issuer: n.issuer.URL(), Subject: subject, ClientID: "app", TenantID: "acme", Application: application, Audience: resource,
		},
		Scopes:   scopes,
		IssuedAt: time.Now().Add(-time.Hour), ExpiresAt: time.Now().Add(time.Hour),
	}
	if change != nil {
		change(&g)
	}
	if err := n.store.Save(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	return g
}

// countingStore counts what is asked of it, and fails while it is down.
type countingStore struct {
	grants.Store

	finds atomic.Int64
	down  atomic.Bool
}

func (s *countingStore) Find(ctx context.Context, key grants.Key) ([]grants.Grant, error) {
	s.finds.Add(1)
	if s.down.Load() {
		return nil, errors.New("CANARY-SECRET: the database at db7 is down")
	}
	return s.Store.Find(ctx, key)
}
