package runtime

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/auth"
)

// Bearer is how callers prove who they are: a token in the Authorization header, and nowhere else (RFC 6750, section 2.1).
type Bearer struct {
	// Verifier turns a token into a principal; see package auth. It is called by several goroutines at once and must not be nil.
	Verifier auth.Verifier

	// Resource identifies the endpoint: its URL as clients know it, such as https://tools.example.com/mcp, without a fragment
	// (RFC 8707, section 2). A principal of another audience is refused.
	Resource string

	// AuthorizationServers are the issuers whose tokens are accepted, for clients to find (RFC 9728, section 2). Without one no metadata
	// is served, as for tokens that are handed out in person.
	AuthorizationServers []string

	// RequiredScopes are what every token must hold, whatever it is used for; a token without them gets 403.
	RequiredScopes []string

	// Required says whether every request needs a token. Nil means that it does unless a public read is served, so that a client of a server
	// with nothing for it is asked for credentials and not shown an empty list. A token that is there must be good in any case.
	Required *bool

	// ChallengeScopes lists a capability, unless it is destructive, to a caller whose token alone lacks its scopes, and answers a call of it
	// with 403 and all scopes that it needs, so that the client can ask for them. Without it such a capability is hidden.
	ChallengeScopes bool

	// Covers says whether a scope that is held satisfies one that is needed, for hierarchies of scopes. Nil means that they are equal. It is
	// asked about the scopes of tokens and of grants.
	Covers func(held, needed string) bool
}

// WithBearer has callers identified by bearer tokens. It admits nobody to anything: see [WithGrants]. The default is that everybody is
// anonymous.
func WithBearer(b Bearer) Option {
	return func(c *config) {
		for _, err := range b.check() {
			c.refuse("runtime.WithBearer: %w", err)
		}
		b.AuthorizationServers = slices.Clone(b.AuthorizationServers)
		b.RequiredScopes = slices.Clone(b.RequiredScopes)
		c.access.bearer = &b
	}
}

func (b *Bearer) check() (errs []error) {
	if b.Verifier == nil {
		errs = append(errs, errors.New("the Verifier is nil: make one with package auth"))
	}
	if err := checkURL(b.Resource); err != nil {
		errs = append(errs, fmt.Errorf("the Resource %q %w: write the endpoint's URL as clients know it, such as https://tools.example.com/mcp", b.Resource, err))
	}
	for _, server := range b.AuthorizationServers {
		if err := checkURL(server); err != nil {
			errs = append(errs, fmt.Errorf("the authorization server %q %w: write its issuer URL", server, err))
		}
	}
	for _, scope := range b.RequiredScopes {
		if err := capabilities.CheckScope(scope); err != nil {
			errs = append(errs, err)
		}
		if scope == offlineAccess {
			errs = append(errs, errors.New("the scope offline_access is between a client and its authorization server: leave it out"))
		}
	}
	if len(b.RequiredScopes) > 0 && b.Required != nil && !*b.Required {
		errs = append(errs, errors.New("RequiredScopes say that everybody needs scopes, and Required that nobody needs a token: leave one out"))
	}
	return errs
}

func checkURL(text string) error {
	switch u, err := url.Parse(text); {
	case err != nil:
		return errors.New("is not a URL")
	case u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
		return errors.New("is not an absolute http or https URL")
	case u.Fragment != "" || strings.HasSuffix(text, "#"):
		return errors.New("has a fragment")
	case u.User != nil:
		return errors.New("holds a user name")
	}
	return nil
}

// covers reports whether the scopes that are held satisfy all that are needed.
func (b *Bearer) covers(held, needed []string) bool {
	for _, need := range needed {
		if !slices.ContainsFunc(held, func(has string) bool { return has == need || b != nil && b.Covers != nil && b.Covers(has, need) }) {
			return false
		}
	}
	return true
}

// offlineAccess is the scope that asks for refresh tokens. A client asks for it on its own account (2026-07-28, basic/authorization).
const offlineAccess = "offline_access"

// The error codes of RFC 6750, section 3.1.
const (
	bearerInvalidRequest    = "invalid_request"
	bearerInvalidToken      = "invalid_token"
	bearerInsufficientScope = "insufficient_scope"
)

// challenge writes the WWW-Authenticate header: RFC 6750, section 3, and RFC 9728, section 5.1. The code is empty when no token was sent.
func (b *Bearer) challenge(code string, scopes []string) string {
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+`="`+value+`"`)
		}
	}
	add("error", code)
	add("scope", strings.Join(scopes, " "))
	add("resource_metadata", b.metadataURL())
	return strings.TrimSuffix("Bearer "+strings.Join(parts, ", "), " ")
}
