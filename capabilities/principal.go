package capabilities

import (
	"context"
	"slices"
	"time"
)

// Principal is who calls, as a verified token or the application says it. Nothing in it comes from what a client says of itself.
// The zero Principal is nobody. Treat its slice as read-only: every part of a call shares it.
type Principal struct {
	// Issuer is who vouches for the subject: the URL of an OpenID provider, or a name of the application's. Subjects of two issuers are
	// different even if they are spelt the same.
	Issuer string
	// Subject is the user, unique within the issuer; empty when a program calls for itself.
	Subject string
	// TenantID is the organisation that the subject acts in; empty when there is none.
	TenantID string
	// ClientID is the OAuth client that the token was issued to; may be empty.
	ClientID string
	// Audience is the resource that the token was accepted for: the endpoint's own identifier.
	Audience string
	// Scopes are the OAuth scopes that the token holds now.
	Scopes []string
	// ExpiresAt is when the token expires; the zero time means that it does not.
	ExpiresAt time.Time
}

// Identified reports whether the principal names anybody: an issuer, and a subject or a client.
func (p Principal) Identified() bool {
	return p.Issuer != "" && (p.Subject != "" || p.ClientID != "")
}

// Clone returns a copy that shares nothing.
func (p Principal) Clone() Principal {
	p.Scopes = slices.Clone(p.Scopes)
	return p
}

type principalKey struct{}

// WithPrincipal returns a context that says who calls. Runtimes put it there before a handler runs; a program that calls in process, for
// somebody whom it knows, does so itself.
func WithPrincipal(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// PrincipalFrom returns who calls, and whether anybody is known: false for an anonymous caller, with the zero Principal.
func PrincipalFrom(ctx context.Context) (Principal, bool) {
	p, ok := ctx.Value(principalKey{}).(Principal)
	return p, ok
}
