package grants_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/capgen/capgen/runtime/grants"
	"github.com/capgen/capgen/runtime/grants/grantstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMemory(t *testing.T) {
	grantstest.TestStore(t, func(*testing.T) grants.Store { return grants.NewMemory() })
}

func TestActiveAt(t *testing.T) {
	issued := time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)
	g := grants.Grant{IssuedAt: issued, ExpiresAt: issued.Add(time.Hour)}
	revoked := g
	revoked.RevokedAt = issued.Add(2 * time.Hour)
	for _, test := range []struct {
		grant grants.Grant
		after time.Duration
		want  bool
	}{
		{g, -1, false},
		{g, 0, true},
		{g, time.Hour - 1, true},
		{g, time.Hour, false},
		{revoked, 0, false}, // whenever that was
		{revoked, 3 * time.Hour, false},
		{grants.Grant{IssuedAt: issued}, 0, false}, // without an expiry
		{grants.Grant{}, 0, false},
	} {
		if got := test.grant.ActiveAt(issued.Add(test.after)); got != test.want {
			t.Errorf("%+v after %v: %v", test.grant, test.after, got)
		}
	}
}

func TestCheck(t *testing.T) {
	now := time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)
	good := func() grants.Grant {
		return grants.Grant{
			ID: "g-1", Key: grants.Key{Issuer: "https://login.example", Subject: "ada", Application: "catalog", Audience: "https://catalog.example/mcp"},
			Scopes: []string{"album:read"}, IssuedAt: now, ExpiresAt: now.Add(time.Microsecond),
		}
	}
	for _, test := range []struct {
		name  string
		spoil func(*grants.Grant)
		want  []string
	}{
		{"good", func(*grants.Grant) {}, nil},
		{"a program's own", func(g *grants.Grant) { g.Subject, g.ClientID = "", "nightly" }, nil},
		{"longest", func(g *grants.Grant) { g.TenantID, g.ID = strings.Repeat("x", 1024), strings.Repeat("x", 128) }, nil},
		{"everything", func(g *grants.Grant) { *g = grants.Grant{} }, []string{
			"ID is missing: use NewID",
			"Issuer is missing: say who vouches for the subject",
			"Subject and ClientID are missing: say who may act with at least one of them",
			"Application is missing: say whose capabilities are granted",
			"Audience is missing: say which resource the caller's token is for",
			"Scopes are missing: a grant has at least one",
			"IssuedAt is missing: say when the grant begins, as with time.Now()",
			"ExpiresAt is missing: no grant is for ever; save it again with a later one to renew it",
		}},
		{"ID", func(g *grants.Grant) { g.ID = "-g" }, []string{`ID "-g" is not of the form [A-Za-z0-9][A-Za-z0-9._~-]{0,127}: use NewID`}},
		{"long ID", func(g *grants.Grant) { g.ID = strings.Repeat("x", 129) }, []string{
			`ID "` + strings.Repeat("x", 129) + `" is not of the form [A-Za-z0-9][A-Za-z0-9._~-]{0,127}: use NewID`}},
		{"texts", func(g *grants.Grant) {
			g.Subject, g.TenantID, g.PolicyRevision = strings.Repeat("x", 1025), "a\x00", "\xff"
		}, []string{
			"Subject has 1025 bytes: at most 1024 are kept",
			"TenantID is not UTF-8, or holds a NUL: encode it, as with encoding/base64",
			"PolicyRevision is not UTF-8, or holds a NUL: encode it, as with encoding/base64",
		}},
		{"scopes", func(g *grants.Grant) { g.Scopes = []string{"", "album:read", "Album"} }, []string{
			`scope "" is not of the form [a-z][a-z0-9:._-]{0,63}`,
			`scope "Album" is not of the form [a-z][a-z0-9:._-]{0,63}`,
		}},
		{"many scopes", func(g *grants.Grant) { g.Scopes = make([]string, 257) }, []string{"there are 257 scopes: a grant has at most 256"}},
		{"order", func(g *grants.Grant) { g.ExpiresAt = g.IssuedAt.Add(999) }, []string{
			"ExpiresAt 2026-07-28T12:00:00.000000999Z is not after IssuedAt 2026-07-28T12:00:00Z"}},
		{"range", func(g *grants.Grant) {
			g.IssuedAt, g.ExpiresAt = time.Unix(-1, 0), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
		}, []string{
			"IssuedAt is 1969-12-31T23:59:59Z: pass a time from 1970 to 9999",
			"ExpiresAt is 10000-01-01T00:00:00Z: pass a time from 1970 to 9999",
		}},
		{"revoked", func(g *grants.Grant) { g.RevokedAt = now }, []string{"RevokedAt is set: leave it zero, and call Revoke"}},
	} {
		g := good()
		test.spoil(&g)
		err := g.Check()
		if len(test.want) == 0 {
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		if want := "grants: the grant cannot be saved:\n\t" + strings.Join(test.want, "\n\t"); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", test.name, err, want)
		}
	}
}

func TestNewID(t *testing.T) {
	g := grants.Grant{ID: grants.NewID()}
	if err := g.Check(); strings.Contains(err.Error(), "ID") && !strings.Contains(err.Error(), "ClientID") || g.ID == grants.NewID() {
		t.Error(g.ID, err)
	}
}

func ExampleMemory() {
	ctx := context.Background()
	store := grants.NewMemory()

	key := grants.Key{
		Issuer: "https://login.example", Subject: "ada", ClientID: "agent",
		Application: "catalog", Audience: "https://catalog.example/mcp",
	}
	now := time.Now()
	grant := grants.Grant{ID: grants.NewID(), Key: key, Scopes: []string{"album:read"}, IssuedAt: now, ExpiresAt: now.AddDate(0, 1, 0)}
	if err := store.Save(ctx, grant); err != nil {
		fmt.Println(err)
		return
	}
	found, err := store.Find(ctx, key)
	fmt.Println(found[0].Scopes, found[0].ActiveAt(now), err)

	if err := store.Revoke(ctx, grant.ID, time.Now()); err != nil {
		fmt.Println(err)
		return
	}
	found, err = store.Find(ctx, key)
	fmt.Println(len(found), err)
	fmt.Println(store.Save(ctx, grant))
	// Output:
	// [album:read] true <nil>
	// 0 <nil>
	// grants: the grant was revoked, and its ID cannot be saved again: save a new grant, with an ID of NewID
}

func ExampleGrant_Check() {
	now := time.Now()
	grant := grants.Grant{
		ID: grants.NewID(), Key: grants.Key{Issuer: "https://login.example", Subject: "ada", Application: "catalog"},
		Scopes: []string{"Album"}, IssuedAt: now,
	}
	fmt.Println(grant.Check())
	// Output:
	// grants: the grant cannot be saved:
	// 	Audience is missing: say which resource the caller's token is for
	// 	scope "Album" is not of the form [a-z][a-z0-9:._-]{0,63}
	// 	ExpiresAt is missing: no grant is for ever; save it again with a later one to renew it
}
