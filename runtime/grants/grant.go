package grants

import (
	"crypto/rand"
	"slices"
	"time"
)

// Key is what a grant is bound to. A grant is found by all of it or not at all: an empty field matches an empty field alone, and
// letters of another case are other letters. Most of it is in a caller's [capabilities.Principal].
type Key struct {
	// Issuer is who vouches for the subject. Required.
	Issuer string
	// Subject is the user, unique within the issuer; empty when the grant is a program's own. This or ClientID is required.
	Subject string
	// ClientID is the OAuth client that acts; may be empty.
	ClientID string
	// TenantID is the organisation that the subject acts in; empty when there is none.
	TenantID string
	// Application is the program whose capabilities are granted. Required.
	Application string
	// Audience is the resource that the caller's token was accepted for. Required.
	Audience string
	// PolicyRevision is the revision of the terms that the user agreed to. Grants of an earlier one are not found under the next, so that
	// users are asked again. Empty when an application has no revisions.
	PolicyRevision string
}

// Grant says that a client may use some scopes for a time. Treat its slice as read-only.
type Grant struct {
	// ID names the grant for good: one that was revoked is never used again. [NewID] makes one.
	ID string
	// Key is what the grant is bound to.
	Key
	// Scopes are what is granted, at least one, each as [capabilities.CheckScope] has it.
	Scopes []string
	// IssuedAt is when the grant begins. Required.
	IssuedAt time.Time
	// ExpiresAt is when it is over. Required: there are no grants for ever.
	ExpiresAt time.Time
	// RevokedAt is when it was taken back; zero when it was not.
	RevokedAt time.Time
}

// ActiveAt reports whether the grant holds at a time: it has been issued, has not expired, and was not revoked at any time. In the
// moment of IssuedAt it holds, and in that of ExpiresAt it does not.
func (g Grant) ActiveAt(t time.Time) bool {
	return !t.Before(g.IssuedAt) && t.Before(g.ExpiresAt) && g.RevokedAt.IsZero()
}

// Clone returns a copy that shares nothing.
func (g Grant) Clone() Grant {
	g.Scopes = slices.Clone(g.Scopes)
	return g
}

// NewID returns an ID that nobody can guess: 26 letters and digits, which hold at least 128 random bits.
func NewID() string { return rand.Text() }
