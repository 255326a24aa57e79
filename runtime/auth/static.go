package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"time"

	"github.com/capgen/capgen/capabilities"
)

// MinStaticTokenBytes is the shortest static token: 128 random bits in base64url have 22 characters, and 128 bits is what an
// attacker must not be able to guess (RFC 6749, section 10.10). `openssl rand -hex 16` and `openssl rand -base64 24` print longer ones.
const MinStaticTokenBytes = 22

// StaticToken is a token that an operator gives out, and who calls with it.
type StaticToken struct {
	// Token has [MinStaticTokenBytes] to [MaxTokenBytes] of the characters that RFC 6750 allows: letters, digits and -._~+/, with = at
	// the end. It must be random: nothing slows down somebody who guesses.
	Token string
	// Principal needs an Issuer, which may be any name of the application's, a Subject or a ClientID, and an Audience.
	// From ExpiresAt on the token is refused; the zero time means never.
	Principal capabilities.Principal
}

// Static verifies tokens that an operator gives out. It is immutable and safe for concurrent use. It keeps no token, only
// SHA-256 digests, so that no dump of the memory gives one away.
type Static struct {
	digests    [][sha256.Size]byte
	principals []capabilities.Principal
}

// NewStatic returns a verifier that accepts the given tokens, one or more. Several tokens may stand for one principal: to rotate a
// token without a gap, accept the new one beside the old one, move the callers, and drop the old one. Faults are reported all at once,
// by the token's index and never by its text: a token that is too short, too long or no bearer token, one that is there twice, and a
// principal that names nobody or has no audience.
func NewStatic(tokens ...StaticToken) (*Static, error) {
	if len(tokens) == 0 {
		return nil, errors.New("auth.NewStatic: there is no token, so that nobody could call; give one or more")
	}
	s := &Static{}
	var faults []error
	first := map[[sha256.Size]byte]int{}
	for i, token := range tokens {
		fault := func(format string, args ...any) {
			faults = append(faults, fmt.Errorf("auth.NewStatic: token %d "+format, append([]any{i}, args...)...))
		}
		switch n := len(token.Token); {
		case n < MinStaticTokenBytes:
			fault("has %d bytes, it must be random and have %d or more; `openssl rand -hex 16` prints one", n, MinStaticTokenBytes)
		case n > MaxTokenBytes:
			fault("has %d bytes, it must have at most %d", n, MaxTokenBytes)
		case !isBearer(token.Token):
			fault("holds a character that a bearer token cannot have, such as a space or the newline at the end of a file")
		}
		digest := sha256.Sum256([]byte(token.Token))
		if j, seen := first[digest]; seen {
			fault("is token %d once more", j)
		} else {
			first[digest] = i
		}
		if !token.Principal.Identified() {
			fault("stands for nobody: its principal needs an Issuer, and a Subject or a ClientID")
		}
		if token.Principal.Audience == "" {
			fault("is for no resource: its principal needs an Audience")
		}
		s.digests = append(s.digests, digest)
		s.principals = append(s.principals, token.Principal.Clone())
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return s, nil
}

// Verify returns a copy of the token's principal. All errors wrap [ErrInvalidToken]. How long it takes depends on the length of the
// token and on how many tokens there are, not on how much of the token is right: digests are compared, in constant time, and all of them.
func (s *Static) Verify(_ context.Context, token string) (capabilities.Principal, error) {
	if len(token) > MaxTokenBytes {
		return capabilities.Principal{}, refuse("it is too long")
	}
	digest := sha256.Sum256([]byte(token))
	found := -1
	for i := range s.digests {
		found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(digest[:], s.digests[i][:]), i, found)
	}
	if found < 0 {
		return capabilities.Principal{}, refuse("it is none of the static tokens")
	}
	p := s.principals[found]
	if !p.ExpiresAt.IsZero() && !time.Now().Before(p.ExpiresAt) {
		return capabilities.Principal{}, refuse("it is a static token that has expired")
	}
	return p.Clone(), nil
}
