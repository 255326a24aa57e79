package sqlstore_test

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/capgen/capgen/internal/postgres"
	"github.com/capgen/capgen/runtime/grants"
	"github.com/capgen/capgen/runtime/grants/grantstest"
	"github.com/capgen/capgen/runtime/grants/sqlstore"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(peerURL); url != "" {
		os.Exit(servePeer(url))
	}
	code := postgres.Main(m)
	if err := goleak.Find(); err != nil && code == 0 {
		os.Stderr.WriteString(err.Error() + "\n")
		code = 1
	}
	os.Exit(code)
}

// databases are the kinds that every test runs on; each makes a new one, of which it returns the URL.
var databases = []struct {
	name    string
	dialect sqlstore.Dialect
	driver  string
	create  func(t testing.TB) string
}{
	{"SQLite", sqlstore.SQLite, "sqlite", func(t testing.TB) string { return "sqlite:" + filepath.Join(t.TempDir(), "grants.db") }},
	{"PostgreSQL", sqlstore.PostgreSQL, "pgx", postgres.Start},
}

func open(t testing.TB, url string) *sqlstore.Store {
	t.Helper()
	store, err := sqlstore.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

func TestStore(t *testing.T) {
	for _, database := range databases {
		t.Run(database.name, func(t *testing.T) {
			grantstest.TestStore(t, func(t *testing.T) grants.Store { return open(t, database.create(t)) })
		})
	}
}

// TestTwoStores runs the suite on two pools that take the calls in turn, as two processes behind a load balancer do.
func TestTwoStores(t *testing.T) {
	for _, database := range databases {
		t.Run(database.name, func(t *testing.T) {
			grantstest.TestStore(t, func(t *testing.T) grants.Store {
				url := database.create(t)
				return &alternating{stores: [2]grants.Store{open(t, url), open(t, url)}}
			})
		})
	}
}

type alternating struct {
	stores [2]grants.Store
	calls  atomic.Int64
}

func (a *alternating) next() grants.Store { return a.stores[a.calls.Add(1)%2] }

func (a *alternating) Find(ctx context.Context, key grants.Key) ([]grants.Grant, error) {
	return a.next().Find(ctx, key)
}

func (a *alternating) Save(ctx context.Context, g grants.Grant) error { return a.next().Save(ctx, g) }

func (a *alternating) Revoke(ctx context.Context, id string, at time.Time) error {
	return a.next().Revoke(ctx, id, at)
}

// newGrant returns a grant that began an hour ago and lasts a day.
func newGrant(id string) grants.Grant {
	now := time.Now().UTC().Truncate(time.Microsecond)
	return grants.Grant{
		ID: id,
		Key: grants.Key{
			Issuer: "https://login.example", Subject: "ada", ClientID: "agent", TenantID: "north", Application: "catalog",
			Audience: "https://catalog.example/mcp", PolicyRevision: "2026-07",
		},
		Scopes: []string{"album:read", "album:write"}, IssuedAt: now.Add(-time.Hour), ExpiresAt: now.Add(24 * time.Hour),
	}
}
