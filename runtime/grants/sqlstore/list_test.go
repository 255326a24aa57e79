package sqlstore_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime/grants"
	"github.com/capgen/capgen/runtime/grants/sqlstore"
)

func TestList(t *testing.T) {
	for _, database := range databases {
		t.Run(database.name, func(t *testing.T) {
			store := open(t, database.create(t))
			other := newGrant("B")
			other.Subject, other.TenantID = "grace", ""
			expired := newGrant("a")
			expired.ExpiresAt = expired.IssuedAt.Add(time.Minute)
			revoked := newGrant("c")
			active := newGrant("d")
			for _, g := range []grants.Grant{active, revoked, expired, other} {
				if err := store.Save(t.Context(), g); err != nil {
					t.Fatal(err)
				}
			}
			// The first time stays.
			revoked.RevokedAt = time.Date(2026, 7, 28, 12, 0, 0, 123_456_000, time.UTC)
			for _, at := range []time.Time{revoked.RevokedAt.Add(789), revoked.RevokedAt.Add(time.Hour), revoked.RevokedAt.Add(-time.Hour)} {
				if err := store.Revoke(t.Context(), revoked.ID, at); err != nil {
					t.Fatal(err)
				}
			}

			for _, test := range []struct {
				name   string
				filter sqlstore.Filter
				want   []grants.Grant
			}{
				{"zero", sqlstore.Filter{}, []grants.Grant{other, expired, active}},
				{"revoked", sqlstore.Filter{Revoked: true}, []grants.Grant{other, expired, revoked, active}},
				{"subject", sqlstore.Filter{Key: grants.Key{Subject: "grace"}}, []grants.Grant{other}},
				{"two fields", sqlstore.Filter{Key: grants.Key{Subject: "ada", Application: "catalog"}}, []grants.Grant{expired, active}},
				{"whole key", sqlstore.Filter{Key: active.Key, Revoked: true}, []grants.Grant{expired, revoked, active}},
				{"nothing", sqlstore.Filter{Key: grants.Key{Subject: "grace", TenantID: "north"}}, nil},
				{"no text", sqlstore.Filter{Key: grants.Key{Subject: "\x00"}}, nil},
				{"first page", sqlstore.Filter{Limit: 2}, []grants.Grant{other, expired}},
				{"next page", sqlstore.Filter{Limit: 2, After: "a"}, []grants.Grant{active}},
				{"behind the last", sqlstore.Filter{After: "d"}, nil},
			} {
				got, err := store.List(t.Context(), test.filter)
				if err != nil || !reflect.DeepEqual(got, test.want) {
					t.Errorf("%s: %v\n\t%+v, want\n\t%+v", test.name, err, got, test.want)
				}
			}
			for _, limit := range []int{-1, 1001} {
				want := fmt.Sprintf("sqlstore: the limit %d is not from 1 to 1000", limit)
				if _, err := store.List(t.Context(), sqlstore.Filter{Limit: limit}); err == nil || err.Error() != want {
					t.Errorf("%v, want %s", err, want)
				}
			}
		})
	}
}

func TestListPages(t *testing.T) {
	for _, database := range databases {
		t.Run(database.name, func(t *testing.T) {
			store := open(t, database.create(t))
			var want []string
			for i := range 101 {
				want = append(want, fmt.Sprintf("%c-%d", "aBcD"[i%4], i))
				if err := store.Save(t.Context(), newGrant(want[i])); err != nil {
					t.Fatal(err)
				}
			}
			slices.Sort(want)
			var got []string
			filter := sqlstore.Filter{}
			for {
				page, err := store.List(t.Context(), filter)
				if err != nil {
					t.Fatal(err)
				}
				for _, g := range page {
					got = append(got, g.ID)
				}
				if len(page) < 100 {
					break
				}
				filter.After = page[len(page)-1].ID
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
