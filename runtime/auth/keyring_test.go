package auth_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/capgen/capgen/runtime/auth"
)

// The clock of these tests is synctest's, and the issuer needs no network, so that minutes pass at once.

func tokenOf(key any, kid string) string {
	algorithm := map[bool]string{true: "RS256", false: "ES256"}[key == rsaKey || key == otherRSA]
	return sign(key, goodHeader().with(fields{"alg": algorithm, "kid": kid}), goodClaims().with(fields{"exp": time.Now().Add(time.Hour).Unix()}))
}

func expectFetches(t *testing.T, issuer *stub, when string, want int) {
	t.Helper()
	if _, fetches := issuer.counts(); fetches != want {
		t.Errorf("%s: the keys were fetched %d times, want %d", when, fetches, want)
	}
}

func expectAccepted(t *testing.T, v auth.Verifier, when, token string) {
	t.Helper()
	if _, err := verify(v, token); err != nil {
		t.Errorf("%s: %v", when, err)
	}
}

func expectRefused(t *testing.T, v auth.Verifier, when, token string) {
	t.Helper()
	if p, err := verify(v, token); !errors.Is(err, auth.ErrInvalidToken) {
		t.Errorf("%s: %v, %v", when, p, err)
	}
}

// expectUndecided is what a server answers with 503.
func expectUndecided(t *testing.T, v auth.Verifier, when, token string) {
	t.Helper()
	if p, err := verify(v, token); err == nil || errors.Is(err, auth.ErrInvalidToken) || p.Identified() {
		t.Errorf("%s: %v, %v", when, p, err)
	}
}

func down(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") }

// Keys serve for a while, are then fetched in the background, and are dropped when they are gone.
func TestKeysAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := newStub(public("a", p256Key))
		v := issuer.verifier(t)
		old := tokenOf(p256Key, "a")
		expectAccepted(t, v, "the first use", old)
		time.Sleep(4 * time.Minute)
		expectAccepted(t, v, "after 4 min", old)
		expectFetches(t, issuer, "after 4 min", 1)

		issuer.publish(public("b", rsaKey))
		time.Sleep(2 * time.Minute)
		expectAccepted(t, v, "the use that starts the fetch", old)
		synctest.Wait()
		expectFetches(t, issuer, "after 6 min", 2)
		expectAccepted(t, v, "the new key", tokenOf(rsaKey, "b"))
		expectRefused(t, v, "the key that is gone", old)
		if discoveries, _ := issuer.counts(); discoveries != 1 {
			t.Errorf("there were %d discoveries", discoveries)
		}
	})
}

// A new key counts from its first use, and the old one until then.
func TestNewKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := newStub(public("a", p256Key))
		v := issuer.verifier(t)
		old := tokenOf(p256Key, "a")
		expectAccepted(t, v, "the first use", old)
		issuer.publish(public("b", rsaKey))
		expectAccepted(t, v, "before anybody uses the new key", old)
		expectAccepted(t, v, "the new key", tokenOf(rsaKey, "b"))
		expectRefused(t, v, "the key that is gone", old)
	})
}

// An issuer that has one key may give it no ID.
func TestNewKeyWithoutID(t *testing.T) {
	issuer := newStub(public("", rsaKey))
	v := issuer.verifier(t)
	withoutID := func(key any) string { return sign(key, goodHeader().with(fields{"kid": nil}), goodClaims()) }
	expectAccepted(t, v, "the first use", withoutID(rsaKey))
	issuer.publish(public("", otherRSA))
	expectAccepted(t, v, "the new key", withoutID(otherRSA))
	expectRefused(t, v, "the key that is gone", withoutID(rsaKey))
}

// While the issuer is down, the keys at hand serve for 15 min, and nothing is decided that takes others.
func TestDownMidRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := newStub(public("a", p256Key))
		v := issuer.verifier(t)
		known, unknown := tokenOf(p256Key, "a"), tokenOf(rsaKey, "b")
		expectAccepted(t, v, "the first use", known)
		issuer.breakDown(down)
		expectUndecided(t, v, "an unknown key", unknown)
		expectRefused(t, v, "a bad signature under a known key", sign(otherRSA, goodHeader().with(fields{"alg": "ES256", "kid": "a"}), goodClaims()))
		for range 14 {
			time.Sleep(time.Minute)
			expectAccepted(t, v, "a known key", known)
		}
		time.Sleep(time.Minute + 1)
		expectUndecided(t, v, "after 15 min", known)
		expectRefused(t, v, "what is refused without a key", sign(p256Key, goodHeader().with(fields{"alg": "ES256", "kid": "a"}), goodClaims().with(fields{"aud": "x"})))

		issuer.breakDown(nil)
		expectUndecided(t, v, "within a second of the failure", known)
		time.Sleep(time.Second)
		expectAccepted(t, v, "when the issuer is back", known)
	})
}

// A server can start before its issuer, and does not storm it when both come up.
func TestDownAtStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := newStub(public("a", p256Key))
		issuer.breakDown(down)
		v := issuer.verifier(t)
		token := tokenOf(p256Key, "a")
		if err := v.Ready(t.Context()); err == nil {
			t.Error("ready without an issuer")
		}
		for range 10 {
			for range 100 {
				expectUndecided(t, v, "without an issuer", token)
			}
			time.Sleep(time.Second)
		}
		if discoveries, _ := issuer.counts(); discoveries != 10 {
			t.Errorf("in 10 s the issuer was asked %d times", discoveries)
		}
		issuer.breakDown(nil)
		expectAccepted(t, v, "when the issuer is up", token)
		if err := v.Ready(t.Context()); err != nil {
			t.Errorf("not ready: %v", err)
		}
	})
}

// A flood of unknown keys costs the issuer a request now and then, and those with a known key nothing.
func TestFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := newStub(public("a", p256Key))
		v := issuer.verifier(t)
		known := tokenOf(p256Key, "a")
		expectAccepted(t, v, "the first use", known)
		refused := 0
		for i := range 600 {
			_, err := verify(v, tokenOf(otherRSA, fmt.Sprint("made up ", i)))
			if err == nil {
				t.Fatal("a made-up key is accepted")
			}
			if errors.Is(err, auth.ErrInvalidToken) {
				refused++
			}
			expectAccepted(t, v, "a known key", known)
			time.Sleep(100 * time.Millisecond)
		}
		// One at first, five at once, and one each 10 s of the minute.
		expectFetches(t, issuer, "in a minute", 1+5+5)
		if refused != 10 {
			t.Errorf("%d were refused; what the issuer was not asked about cannot be", refused)
		}

		issuer.publish(public("a", p256Key), public("b", rsaKey))
		for range 100 {
			_, _ = verify(v, tokenOf(otherRSA, "made up"))
			time.Sleep(100 * time.Millisecond)
		}
		expectAccepted(t, v, "a new key, 10 s later", tokenOf(rsaKey, "b"))
	})
}

// All who come at once wait for one fetch, and one who leaves takes nothing from the others.
func TestOneFetchForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := newStub(public("a", p256Key))
		issuer.breakDown(func(r *http.Request) (*http.Response, error) {
			time.Sleep(time.Second)
			issuer.breakDown(nil)
			return issuer.RoundTrip(r)
		})
		v := issuer.verifier(t)
		token := tokenOf(p256Key, "a")
		impatient, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { // the first to come, and so the one who begins the fetch
			_, err := v.Verify(impatient, token)
			if !errors.Is(err, context.Canceled) || errors.Is(err, auth.ErrInvalidToken) {
				t.Errorf("who left got %v", err)
			}
		})
		synctest.Wait()
		for range 100 {
			all.Go(func() { expectAccepted(t, v, "who waited", token) })
		}
		synctest.Wait()
		leave()
		all.Wait()
		if discoveries, fetches := issuer.counts(); discoveries != 2 || fetches != 1 { // the stub's answer above counts twice
			t.Errorf("there were %d discoveries and %d fetches", discoveries, fetches)
		}
	})
}

// A fetch that was under way when a key was published says nothing about that key.
func TestKeyPublishedDuringFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := newStub(public("a", p256Key))
		v := issuer.verifier(t)
		expectAccepted(t, v, "the first use", tokenOf(p256Key, "a"))
		issuer.breakDown(func(r *http.Request) (*http.Response, error) {
			issuer.breakDown(nil)
			response, err := issuer.RoundTrip(r)
			time.Sleep(time.Second)
			return response, err
		})
		var all sync.WaitGroup
		all.Go(func() { expectRefused(t, v, "a made-up key", tokenOf(otherRSA, "made up")) })
		synctest.Wait()
		issuer.publish(public("a", p256Key), public("b", rsaKey))
		all.Go(func() { expectAccepted(t, v, "a new key", tokenOf(rsaKey, "b")) })
		all.Wait()
	})
}

// An issuer that hangs makes nobody wait for longer than 5 s, and those not at all whose key is known.
func TestHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := newStub(public("a", p256Key))
		v := issuer.verifier(t)
		known := tokenOf(p256Key, "a")
		expectAccepted(t, v, "the first use", known)
		issuer.breakDown(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		began := time.Now()
		expectUndecided(t, v, "an unknown key", tokenOf(rsaKey, "b"))
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("an unknown key took %v", took)
		}
		time.Sleep(6 * time.Minute)
		began = time.Now()
		expectAccepted(t, v, "a known key", known)
		if took := time.Since(began); took != 0 {
			t.Errorf("a known key took %v", took)
		}
		time.Sleep(10 * time.Second) // for the fetch in the background
	})
}

// Keys that move are found again.
func TestKeysMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := newStub(public("a", p256Key))
		v := issuer.verifier(t)
		expectAccepted(t, v, "the first use", tokenOf(p256Key, "a"))
		issuer.breakDown(func(r *http.Request) (*http.Response, error) {
			if r.URL.Path == "/keys" {
				return answer(http.StatusGone, "text/plain", nil), nil
			}
			return answer(http.StatusOK, "application/json", []byte(`{"issuer":"https://login.example.com","jwks_uri":"https://login.example.com/v2/keys"}`)), nil
		})
		expectUndecided(t, v, "the old address", tokenOf(rsaKey, "b"))
		issuer.breakDown(func(r *http.Request) (*http.Response, error) {
			if r.URL.Path == "/v2/keys" {
				r.URL.Path = "/keys"
			}
			issuer.breakDown(nil)
			return issuer.RoundTrip(r)
		})
		issuer.publish(public("b", rsaKey))
		time.Sleep(time.Second)
		expectAccepted(t, v, "the new address", tokenOf(rsaKey, "b"))
		if discoveries, _ := issuer.counts(); discoveries < 2 {
			t.Error("the new address was not asked for")
		}
	})
}
