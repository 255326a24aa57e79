package grantstest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime/grants"
)

// goroutines is how many use the store at once.
const goroutines = 10

// together runs a function in so many goroutines that begin at once, and waits for them.
func together(run func(i int)) {
	var done sync.WaitGroup
	begin := make(chan struct{})
	for i := range goroutines {
		done.Go(func() {
			<-begin
			run(i)
		})
	}
	close(begin)
	done.Wait()
}

func testConcurrentSaves(t *testing.T, store grants.Store) {
	const each = 5
	together(func(i int) {
		for j := range each {
			if err := store.Save(t.Context(), newGrant(fmt.Sprintf("g-%d-%d", i, j), newKey())); err != nil {
				t.Errorf("Save beside others: %v", err)
			}
		}
	})
	found, err := store.Find(t.Context(), newKey())
	if err != nil || len(found) != goroutines*each {
		t.Errorf("found %d of %d grants: %v", len(found), goroutines*each, err)
	}
}

// testConcurrentKeys: of those who save one ID under different keys at once, one has it.
func testConcurrentKeys(t *testing.T, store grants.Store) {
	for round := range 10 {
		id := fmt.Sprintf("g-%d", round)
		var saved atomic.Int64
		keys := make([]grants.Key, goroutines)
		together(func(i int) {
			keys[i] = newKey()
			keys[i].Subject = fmt.Sprintf("subject-%d-%d", round, i)
			switch err := store.Save(t.Context(), newGrant(id, keys[i])); {
			case err == nil:
				saved.Add(1)
			case !errors.Is(err, grants.ErrConflict):
				t.Errorf("Save of a taken ID: %v", err)
			}
		})
		found := 0
		for _, key := range keys {
			list, err := store.Find(t.Context(), key)
			if err != nil {
				t.Error(err)
			}
			found += len(list)
		}
		if saved.Load() != 1 || found != 1 {
			t.Fatalf("%d of %d were told that they have the ID, and %d have it", saved.Load(), goroutines, found)
		}
	}
}

// testRevokeAgainstSaves renews and finds a grant from all sides while one of them revokes it. Until then every Find returns one of the
// versions that were saved, whole; from the moment Revoke has returned on, none does, and no Save succeeds.
func testRevokeAgainstSaves(t *testing.T, store grants.Store) {
	for round := range 10 {
		first := newGrant(fmt.Sprintf("g-%d", round), newKey())
		second := first.Clone()
		second.Scopes, second.ExpiresAt = []string{"other"}, first.ExpiresAt.Add(time.Hour)
		save(t, store, first)
		var revoked atomic.Bool
		together(func(i int) {
			switch {
			case i == 0:
				time.Sleep(time.Duration(round) * time.Millisecond)
				if err := store.Revoke(t.Context(), first.ID, time.Now()); err != nil {
					t.Errorf("Revoke beside others: %v", err)
				}
				revoked.Store(true)
			case i%2 == 0:
				last(&revoked, func(after bool) bool { return renews(t, store, after, first, second) })
			default:
				last(&revoked, func(after bool) bool { return finds(t, store, after, first, second) })
			}
		})
		expect(t, store, newKey())
		refuse(t, store, first, grants.ErrRevoked)
		if t.Failed() {
			return
		}
	}
}

// last repeats a step until it has begun twice after the revocation, or has failed. Each is told whether it begins after.
func last(revoked *atomic.Bool, step func(after bool) bool) {
	for left := 2; left > 0; {
		after := revoked.Load()
		if after {
			left--
		}
		if !step(after) {
			return
		}
	}
}

func renews(t *testing.T, store grants.Store, after bool, versions ...grants.Grant) bool {
	for _, g := range versions {
		err := store.Save(t.Context(), g)
		if errors.Is(err, grants.ErrRevoked) || err == nil && !after {
			continue
		}
		t.Errorf("Save while the grant is revoked: %v; after that: %v", err, after)
		return false
	}
	return true
}

func finds(t *testing.T, store grants.Store, after bool, versions ...grants.Grant) bool {
	found, err := store.Find(t.Context(), versions[0].Key)
	whole := len(found) == 1 && slices.ContainsFunc(versions, func(g grants.Grant) bool { return reflect.DeepEqual(g, found[0]) })
	if err == nil && (len(found) == 0 || whole && !after) {
		return true
	}
	t.Errorf("Find while the grant is revoked: %v, %+v; after that: %v", err, found, after)
	return false
}
