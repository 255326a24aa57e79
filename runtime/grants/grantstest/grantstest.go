// Package grantstest tests that a [grants.Store] does what its documentation says. An application that keeps grants in a store of its own
// calls [TestStore] from a test.
package grantstest

import (
	"reflect"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime/grants"
)

// TestStore runs the tests, each on a store that open returns. The store must be empty, and is closed by a cleanup of the t that
// open gets. The tests take a second or so on a database; they run one after the other.
func TestStore(t *testing.T, open func(t *testing.T) grants.Store) {
	for _, test := range []struct {
		name string
		run  func(t *testing.T, store grants.Store)
	}{
		{"find by exactly the key", testExactKey},
		{"find none", testFindNone},
		{"find in order", testOrder},
		{"find keeps what was saved", testKeeps},
		{"unusual texts", testUnusualTexts},
		{"nothing is shared", testNothingShared},
		{"renew", testRenew},
		{"expired", testExpired},
		{"refused", testRefused},
		{"conflict", testConflict},
		{"revoke", testRevoke},
		{"revoke refused", testRevokeRefused},
		{"context", testContext},
		{"concurrent saves", testConcurrentSaves},
		{"concurrent keys", testConcurrentKeys},
		{"revoke against saves", testRevokeAgainstSaves},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

// newKey returns a key in which no two fields are alike.
func newKey() grants.Key {
	return grants.Key{
		Issuer: "https://login.example", Subject: "ada", ClientID: "agent", TenantID: "north", Application: "catalog",
		Audience: "https://catalog.example/mcp", PolicyRevision: "2026-07",
	}
}

// newGrant returns a grant of a key that began an hour ago and lasts a day.
func newGrant(id string, key grants.Key) grants.Grant {
	now := time.Now().UTC().Truncate(time.Microsecond)
	return grants.Grant{
		ID: id, Key: key, Scopes: []string{"album:read", "album:write"},
		IssuedAt: now.Add(-time.Hour), ExpiresAt: now.Add(24 * time.Hour),
	}
}

func save(t *testing.T, store grants.Store, list ...grants.Grant) {
	t.Helper()
	for _, g := range list {
		if err := store.Save(t.Context(), g); err != nil {
			t.Fatalf("Save of %s: %v", g.ID, err)
		}
	}
}

// expect fails unless the store finds exactly the grants by a key.
func expect(t *testing.T, store grants.Store, key grants.Key, want ...grants.Grant) {
	t.Helper()
	got, err := store.Find(t.Context(), key)
	if err != nil {
		t.Errorf("Find: %v", err)
		return
	}
	if len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("Find of %q returned\n\t%+v, want\n\t%+v", key, got, want)
	}
}

// fields returns the fields of a key by their names, so that each can be changed.
func fields(key *grants.Key) map[string]*string {
	return map[string]*string{
		"Issuer": &key.Issuer, "Subject": &key.Subject, "ClientID": &key.ClientID, "TenantID": &key.TenantID,
		"Application": &key.Application, "Audience": &key.Audience, "PolicyRevision": &key.PolicyRevision,
	}
}
