package grantstest

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime/grants"
)

func testRenew(t *testing.T, store grants.Store) {
	g, beside := newGrant("g", newKey()), newGrant("h", newKey())
	save(t, store, g, beside)
	for i, scopes := range [][]string{{"album:read"}, {"other", "album:read", "third"}, {"album:read"}} {
		renewed := g.Clone()
		renewed.Scopes = scopes
		// Earlier than before, later, and later again.
		renewed.ExpiresAt = g.ExpiresAt.Add(time.Duration(i*2-1) * time.Hour)
		renewed.IssuedAt = g.IssuedAt.Add(time.Minute)
		save(t, store, renewed)
		renewed.IssuedAt = g.IssuedAt
		expect(t, store, newKey(), renewed, beside)
	}
	save(t, store, g)
	save(t, store, g)
	expect(t, store, newKey(), g, beside)
}

func testExpired(t *testing.T, store grants.Store) {
	past, active := newGrant("a", newKey()), newGrant("b", newKey())
	past.ExpiresAt = past.IssuedAt.Add(time.Minute)
	save(t, store, past, active)
	found, err := store.Find(t.Context(), newKey())
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 2 {
		expect(t, store, newKey(), past, active)
	} else {
		expect(t, store, newKey(), active)
	}
	// To expire is not to be revoked.
	past.ExpiresAt = active.ExpiresAt
	save(t, store, past)
	expect(t, store, newKey(), past, active)

	over := newGrant("over", newKey())
	over.ExpiresAt = over.IssuedAt.Add(time.Minute)
	save(t, store, over)
	revoke(t, store, over.ID)
	refuse(t, store, newGrant(over.ID, newKey()), grants.ErrRevoked)
	expect(t, store, newKey(), past, active)
}

func testRefused(t *testing.T, store grants.Store) {
	kept := newGrant("kept", newKey())
	save(t, store, kept)
	for name, spoil := range map[string]func(*grants.Grant){
		"no ID":               func(g *grants.Grant) { g.ID = "" },
		"form of the ID":      func(g *grants.Grant) { g.ID = "a b" },
		"no issuer":           func(g *grants.Grant) { g.Issuer = "" },
		"no holder":           func(g *grants.Grant) { g.Subject, g.ClientID = "", "" },
		"no application":      func(g *grants.Grant) { g.Application = "" },
		"no audience":         func(g *grants.Grant) { g.Audience = "" },
		"long text":           func(g *grants.Grant) { g.TenantID = strings.Repeat("x", 1025) },
		"NUL":                 func(g *grants.Grant) { g.TenantID = "a\x00b" },
		"not UTF-8":           func(g *grants.Grant) { g.Subject = "\xff" },
		"no scopes":           func(g *grants.Grant) { g.Scopes = nil },
		"form of a scope":     func(g *grants.Grant) { g.Scopes = []string{"album:read", "not a scope"} },
		"too many scopes":     func(g *grants.Grant) { g.Scopes = slices.Repeat([]string{"a"}, 257) },
		"no issue":            func(g *grants.Grant) { g.IssuedAt = time.Time{} },
		"no expiry":           func(g *grants.Grant) { g.ExpiresAt = time.Time{} },
		"expiry before issue": func(g *grants.Grant) { g.ExpiresAt = g.IssuedAt },
		"far expiry":          func(g *grants.Grant) { g.ExpiresAt = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
		"revoked":             func(g *grants.Grant) { g.RevokedAt = g.IssuedAt },
	} {
		// To renew what is there, and to keep what is not.
		for _, id := range []string{"kept", "new"} {
			g := newGrant(id, newKey())
			g.Scopes = []string{"more"}
			spoil(&g)
			if err := store.Save(t.Context(), g); err == nil {
				t.Errorf("%s: saved", name)
			}
			expect(t, store, newKey(), kept)
		}
	}
}

func testConflict(t *testing.T, store grants.Store) {
	g := newGrant("g", newKey())
	save(t, store, g)
	for name := range fields(new(grants.Key)) {
		other := newKey()
		*fields(&other)[name] += "x"
		taken := newGrant("g", other)
		taken.Scopes = []string{"more"}
		refuse(t, store, taken, grants.ErrConflict)
		expect(t, store, other)
		expect(t, store, newKey(), g)
	}
}

func testRevoke(t *testing.T, store grants.Store) {
	g, beside := newGrant("g", newKey()), newGrant("h", newKey())
	save(t, store, g, beside)
	revoke(t, store, g.ID)
	expect(t, store, newKey(), beside)
	// What happened already is no error, also at an earlier time.
	revoke(t, store, g.ID)
	if err := store.Revoke(t.Context(), g.ID, g.IssuedAt.Add(-time.Hour)); err != nil {
		t.Error(err)
	}

	// The ID is never used again: not for what it was, for more, for longer, or by somebody else.
	other := newKey()
	other.Subject = "grace"
	more := g.Clone()
	more.Scopes = append(more.Scopes, "more")
	longer := g.Clone()
	longer.IssuedAt, longer.ExpiresAt = g.IssuedAt.Add(2*time.Hour), g.ExpiresAt.AddDate(1, 0, 0)
	for _, again := range []grants.Grant{g, more, longer, newGrant(g.ID, other)} {
		refuse(t, store, again, grants.ErrRevoked)
	}
	expect(t, store, newKey(), beside)
	expect(t, store, other)

	// Another ID may have all of the rest, and a revocation far ahead ends a grant at once.
	next := newGrant("next", newKey())
	save(t, store, next)
	expect(t, store, newKey(), beside, next)
	if err := store.Revoke(t.Context(), next.ID, time.Now().AddDate(1, 0, 0)); err != nil {
		t.Error(err)
	}
	expect(t, store, newKey(), beside)
}

func testRevokeRefused(t *testing.T, store grants.Store) {
	g := newGrant("g", newKey())
	save(t, store, g)
	for _, id := range []string{"", "unknown", "G", "g ", "%", "a\x00b", "\xff", "' OR 'a' = 'a"} {
		if err := store.Revoke(t.Context(), id, time.Now()); !errors.Is(err, grants.ErrNotFound) {
			t.Errorf("Revoke of %q: %v", id, err)
		}
	}
	for _, at := range []time.Time{{}, time.Unix(-1, 0), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)} {
		if err := store.Revoke(t.Context(), g.ID, at); err == nil || errors.Is(err, grants.ErrNotFound) {
			t.Errorf("Revoke at %v: %v", at, err)
		}
	}
	expect(t, store, newKey(), g)
	save(t, store, g)
}

func revoke(t *testing.T, store grants.Store, id string) {
	t.Helper()
	if err := store.Revoke(t.Context(), id, time.Now()); err != nil {
		t.Fatalf("Revoke of %s: %v", id, err)
	}
}

// refuse fails unless the store refuses to save a grant for a reason.
func refuse(t *testing.T, store grants.Store, g grants.Grant, reason error) {
	t.Helper()
	if err := store.Save(t.Context(), g); !errors.Is(err, reason) {
		t.Errorf("Save of %s: %v, want %v", g.ID, err, reason)
	}
}
