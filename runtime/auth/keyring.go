package auth

import (
	"context"
	"crypto"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How long keys serve and how often they are fetched, as the documentation of OIDCVerifier says.
const (
	refreshAfter = 5 * time.Minute  // a use of older keys fetches them anew in the background
	maxAge       = 15 * time.Minute // older keys verify nothing
	retryAfter   = time.Second      // between a fetch that failed and the next one
	missEvery    = 10 * time.Second // between fetches for tokens that no key at hand verifies,
	missBurst    = 5                // after so many in a row
	fetchWait    = 5 * time.Second  // for discovery and keys together
)

// keyring keeps what an issuer signs with. It takes the place of go-oidc's RemoteKeySet v3.21, which drops a key only when it
// meets an unknown one, asks the issuer for every token that it can't verify, however many there are, and tells the two reasons for
// that apart in no error: that the token is wrong, and that the issuer is down.
type keyring struct {
	source *source
	misses *rate.Limiter

	mu      sync.Mutex
	set     *keySet // of the last fetch that succeeded
	flight  *flight // the fetch that is under way
	begun   int     // how many fetches began
	failure error   // of the last fetch; nil after one that succeeded
	failed  time.Time
}

// keySet is what the issuer published at one time. It is immutable.
type keySet struct {
	keys    []publicKey
	fetched time.Time
	number  int // of its fetch
}

// flight is a fetch that any number of callers wait for.
type flight struct {
	done chan struct{} // closed when set and err are there
	set  *keySet
	err  error
}

func newKeyring(source *source) *keyring {
	return &keyring{source: source, misses: rate.NewLimiter(rate.Every(missEvery), missBurst)}
}

// verify gives signed the keys that the token may be signed with, until it says yes: those at hand, or those of a fetch that began
// after verify did. Only with such keys is it certain that the issuer does not have the key; a fetch that was under way may have
// missed one that was published since.
func (k *keyring) verify(ctx context.Context, h header, signed func([]crypto.PublicKey) bool) error {
	set, begun := k.look()
	for {
		if set != nil {
			keys, known := set.candidates(h)
			switch {
			case len(keys) > 0 && signed(keys):
				return nil
			case known && len(keys) == 0:
				return refuse("its key is not one for its algorithm")
			case known:
				return refuse("its signature is wrong")
			case set.number > begun:
				return refuse("none of the issuer's keys has signed it")
			}
		}
		var err error
		if set, err = k.newer(ctx, set); err != nil {
			return err
		}
	}
}

func (k *keyring) ready(ctx context.Context) error {
	if set, _ := k.look(); set != nil {
		return nil
	}
	_, err := k.newer(ctx, nil)
	return err
}

// candidates returns the keys that may have signed a token, and whether the token names one that the set has. A token that
// names none may be signed with any.
func (s *keySet) candidates(h header) (keys []crypto.PublicKey, known bool) {
	for _, key := range s.keys {
		if h.KeyID != "" && key.id != h.KeyID {
			continue
		}
		known = known || h.KeyID != ""
		if key.verifies(h.Algorithm) {
			keys = append(keys, key.key)
		}
	}
	return keys, known
}

// look returns the keys at hand, or nil if they are too old, and how many fetches have begun.
func (k *keyring) look() (*keySet, int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	begun := k.begun
	if !k.usable() {
		return nil, begun
	}
	if time.Since(k.set.fetched) > refreshAfter {
		_, _ = k.start(false) // if there can be none now, the next use tries again
	}
	return k.set, begun
}

func (k *keyring) usable() bool { return k.set != nil && time.Since(k.set.fetched) <= maxAge }

// newer returns other keys than the given ones, which it waits for.
func (k *keyring) newer(ctx context.Context, than *keySet) (*keySet, error) {
	k.mu.Lock()
	if k.usable() && k.set != than {
		defer k.mu.Unlock()
		return k.set, nil
	}
	f, err := k.start(than != nil)
	k.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case <-f.done:
		return f.set, f.err
	case <-ctx.Done():
		return nil, fmt.Errorf("auth: the caller did not wait for the issuer's keys: %w", ctx.Err())
	}
}

var errMisses = errors.New("auth: the token's key is unknown, and the issuer was asked too often for unknown keys to ask again at once")

// start returns the fetch that is under way, or begins one. A miss is a fetch for a token that the keys at hand do not verify, which
// any stranger can send. It needs k.mu.
func (k *keyring) start(miss bool) (*flight, error) {
	if k.flight != nil {
		return k.flight, nil
	}
	if k.failure != nil && time.Since(k.failed) < retryAfter {
		return nil, k.failure
	}
	if miss && !k.misses.Allow() {
		return nil, errMisses
	}
	k.begun++
	k.flight = &flight{done: make(chan struct{})}
	go k.fetch(k.flight, k.begun)
	return k.flight, nil
}

// fetch belongs to no caller, so that one who gives up does not spoil it for the others.
func (k *keyring) fetch(f *flight, number int) {
	ctx, cancel := context.WithTimeout(context.Background(), fetchWait)
	defer cancel()
	keys, err := k.source.fetch(ctx)

	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil {
		err = fmt.Errorf("auth: the keys of the issuer %s cannot be fetched: %w", k.source.issuer, err)
		k.failed = time.Now()
	} else {
		k.set = &keySet{keys: keys, fetched: time.Now(), number: number}
	}
	k.failure, k.flight = err, nil
	f.set, f.err = k.set, err
	close(f.done)
}
