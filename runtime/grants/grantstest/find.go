package grantstest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime/grants"
)

func testExactKey(t *testing.T, store grants.Store) {
	key := newKey()
	g := newGrant("g", key)
	save(t, store, g)
	expect(t, store, key, g)
	for name := range fields(&key) {
		for _, change := range []func(string) string{
			func(string) string { return "" },
			func(s string) string { return strings.ToUpper(s[:1]) + s[1:] },
			func(s string) string { return s + " " },
			func(s string) string { return s[:len(s)-1] },
			func(s string) string { return s[:len(s)-1] + "_" },
			func(string) string { return "%" },
			func(string) string { return "other" },
		} {
			other := newKey()
			field := fields(&other)[name]
			if *field = change(*field); other != key {
				expect(t, store, other)
			}
		}
	}

	// Fields are told apart, not only what they are together.
	moved := newKey()
	moved.Subject, moved.ClientID = moved.Subject+moved.ClientID[:1], moved.ClientID[1:]
	expect(t, store, moved)
	swapped := newKey()
	swapped.Subject, swapped.ClientID = swapped.ClientID, swapped.Subject
	expect(t, store, swapped)

	// Empty is a value as any other.
	for _, empty := range []string{"Subject", "ClientID", "TenantID", "PolicyRevision"} {
		other := newKey()
		*fields(&other)[empty] = ""
		only := newGrant("without."+empty, other)
		save(t, store, only)
		expect(t, store, other, only)
	}
	expect(t, store, key, g)
}

func testFindNone(t *testing.T, store grants.Store) {
	expect(t, store, newKey())
	expect(t, store, grants.Key{})
	// Keys that no grant can have are no errors: an unknown caller may have anything in its token.
	for _, text := range []string{"a\x00b", "\xff", strings.Repeat("x", 100_000)} {
		key := newKey()
		key.Subject = text
		expect(t, store, key)
	}
}

func testOrder(t *testing.T, store grants.Store) {
	// The order of bytes: digits, capitals, small letters, and ~ at the end.
	ids := []string{"0", "1", "10", "2", "A", "B-a", "B.a", "Ba", "Z", "a", "a-b", "aB", "ab", "b", "b~", "z"}
	if !slices.IsSorted(ids) {
		t.Fatal("the test is wrong")
	}
	want := make([]grants.Grant, len(ids))
	for i, id := range ids {
		want[i] = newGrant(id, newKey())
	}
	for i := range want {
		save(t, store, want[i*7%len(want)])
	}
	expect(t, store, newKey(), want...)
}

func testKeeps(t *testing.T, store grants.Store) {
	long := newGrant(strings.Repeat("i", 128), newKey())
	long.Scopes = nil
	for i := range 256 {
		long.Scopes = append(long.Scopes, strings.Repeat("s", 60)+"-"+string(rune('a'+i/26))+string(rune('a'+i%26)))
	}
	long.ExpiresAt = time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC)
	early := newGrant("early", newKey())
	early.Scopes = []string{"z", "a", "a:b.c_d-e"}
	early.IssuedAt = time.Unix(0, 0).UTC()

	// Times in another zone, finer than what is kept, and with a reading of the monotonic clock.
	now := time.Now()
	zoned := newGrant("zoned", newKey())
	zoned.IssuedAt, zoned.ExpiresAt = now, now.Add(time.Hour+1999*time.Nanosecond).In(time.FixedZone("east", 5*3600+1800))
	save(t, store, long, early, zoned)
	zoned.IssuedAt = time.UnixMicro(zoned.IssuedAt.UnixMicro()).UTC()
	zoned.ExpiresAt = time.UnixMicro(zoned.ExpiresAt.UnixMicro()).UTC()
	expect(t, store, newKey(), early, long, zoned)
}

func testUnusualTexts(t *testing.T, store grants.Store) {
	kilobyte := strings.Repeat("0123456789abcdef", 64)
	for i, text := range []string{
		`'; DROP TABLE grants; --`, `"double" 'single' ` + "`back`", `back\slash \' \x00 %s $1 ?1 :a @b`, "line\nfeed\ttab\r",
		"Zoë Łukasiewicz", "日本語 🎵", "e\u0301 is not \u00e9", "\u202eright to left", " spaces ", "NULL", "null", "0", "%", "_", kilobyte,
	} {
		key := everywhere(text)
		g := newGrant("text-"+string(rune('a'+i)), key)
		save(t, store, g)
		expect(t, store, key, g)
	}
	// What differs in its last byte alone, and what Unicode's normal forms hold to be the same.
	for name := range fields(new(grants.Key)) {
		other := everywhere(kilobyte)
		*fields(&other)[name] = kilobyte[:len(kilobyte)-1] + "x"
		expect(t, store, other)
	}
	expect(t, store, everywhere("\u00e9 is not \u00e9"))
}

func everywhere(text string) grants.Key {
	var key grants.Key
	for _, field := range fields(&key) {
		*field = text
	}
	return key
}

func testNothingShared(t *testing.T, store grants.Store) {
	g := newGrant("g", newKey())
	want := g.Clone()
	save(t, store, g)
	g.Scopes[0] = "changed"
	expect(t, store, newKey(), want)
	found, err := store.Find(t.Context(), newKey())
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	found[0].Scopes[0] = "changed"
	expect(t, store, newKey(), want)
}

func testContext(t *testing.T, store grants.Store) {
	g, fresh := newGrant("g", newKey()), newGrant("fresh", newKey())
	save(t, store, g)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	renewed := g.Clone()
	renewed.Scopes = []string{"other"}
	_, err := store.Find(ended, newKey())
	for what, err := range map[string]error{
		"Find":           err,
		"Save":           store.Save(ended, fresh),
		"Save, to renew": store.Save(ended, renewed),
		"Revoke":         store.Revoke(ended, g.ID, time.Now()),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a context that has ended: %v", what, err)
		}
	}
	expect(t, store, newKey(), g)
}
