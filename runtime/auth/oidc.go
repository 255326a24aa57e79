package auth

import (
	"context"
	"crypto"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/capgen/capgen/capabilities"
)

// Bounds and defaults of [OIDC].
const (
	// DefaultSkew is by how much the clocks of the issuer and of this machine may differ.
	DefaultSkew = 30 * time.Second
	// MaxSkew is the largest [OIDC] may allow: an expired token is accepted for that long.
	MaxSkew = 5 * time.Minute
)

// algorithms are what go-oidc verifies: signatures with a public key. HMAC is not among them: its key is a secret that verifies and
// signs, and a server that takes both kinds can be made to use a published key as that secret (RFC 8725, section 2.1).
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA,
}

// OIDC says whose access tokens are accepted, and which of them. Issuer and Audience are required.
//
// The tokens are signed JWTs, as of RFC 9068 or as issuers made them before it. Opaque tokens are refused, and so are tokens that are
// bound to a key of their client (claim cnf), since nothing here checks the client's proof.
type OIDC struct {
	// Issuer is the URL of the OpenID provider or OAuth server, to the letter as its discovery document and its tokens spell it, with
	// or without the slash at the end. It must be https, or http on the loopback, for development.
	Issuer string

	// Audience is the identifier of this resource, which the issuer puts into tokens that are meant for it (RFC 8707): best the URL of
	// the MCP endpoint, such as https://tools.example.com/mcp. Of an http or https URL the case of scheme and host, the default port and
	// the slash of an empty path do not count; all else is compared exactly. A token without it, or without any, is refused.
	Audience string

	// Algorithms are the signature algorithms that are accepted (RFC 7518, section 3.1). None means all of RS256, RS384, RS512, PS256,
	// PS384, PS512, ES256, ES384, ES512 and EdDSA. "none" and HMAC are never accepted.
	Algorithms []string

	// Skew is by how much the clocks of the issuer and of this machine may differ, in each direction; up to [MaxSkew]. 0 means
	// [DefaultSkew].
	Skew time.Duration

	// RequireTyped refuses tokens that do not say in their header that they are access tokens, with the typ "at+jwt" (RFC 9068,
	// section 2.1). Without it a token may also have the typ "JWT" or none, as those of many issuers, and is then refused if it shows
	// itself to be an ID token or an event: by a claim nonce, at_hash, c_hash or events, or as Amazon Cognito (token_use) and Keycloak
	// (typ) mark ID tokens. Not every ID token does, so have an Audience that is no client's ID, or require this.
	RequireTyped bool

	// TenantClaim names the claim that becomes TenantID, such as "tid" (Microsoft Entra) or "org_id" (Auth0). "" means none.
	// The claim is a string; a token without it has no tenant. None of the three claims can be iss, sub, aud, exp, nbf or iat.
	TenantClaim string

	// ClientClaim names the claim that becomes ClientID, such as "cid" (Okta). "" means client_id, else azp. The claim is a string.
	ClientClaim string

	// ScopeClaim names the claim that becomes Scopes, such as "permissions" (Auth0). "" means scope, else scp. The claim is a string
	// of scopes with spaces between them, or an array of strings.
	ScopeClaim string

	// JWKSURL is where the issuer publishes its keys, for an OAuth server without OpenID Connect discovery. "" means that discovery
	// tells. It must be https, or http on the loopback if the issuer is.
	JWKSURL string

	// HTTPClient fetches the discovery document and the keys: for a proxy, or an issuer with a private certificate authority. Nil means
	// [http.DefaultClient]. It is copied. Its Transport must heed the request's context, which ends after 5 s. Redirects are followed as
	// it says, but to https only.
	HTTPClient *http.Client
}

// OIDCVerifier verifies the access tokens of one issuer. It is safe for concurrent use, and there is nothing to close: it runs no
// goroutine but while it fetches something, for 5 s at most, and leaves no connection open.
//
// The issuer need not be up when the verifier is made. What it publishes is fetched when the first token needs it, and the keys
// then serve for 15 minutes. After 5 minutes a use of them starts a fetch in the background. A token that is signed with an
// unknown key makes the keys be fetched at once, so that a new key counts from its first use; to spare the issuer, that happens five times
// in a row and then once in 10 s. A key that the issuer no longer publishes counts until the next fetch, for 15 minutes at most.
// After a fetch that failed there is none for a second.
//
// While the issuer is down, tokens are verified with the keys at hand. If those are too old, or the token is signed with another, the
// answer is that the token can't be verified now, and not that it is refused.
type OIDCVerifier struct {
	config   OIDC
	keys     *keyring
	audience string // in its canonical form
}

// NewOIDC returns a verifier of an issuer's access tokens. It fetches nothing; [OIDCVerifier.Ready] does. Faults of the configuration
// are reported all at once.
func NewOIDC(config OIDC) (*OIDCVerifier, error) {
	issuer, err := config.check()
	if err != nil {
		return nil, err
	}
	config.Algorithms = slices.Clone(config.Algorithms)
	if len(config.Algorithms) == 0 {
		config.Algorithms = algorithms
	}
	if config.Skew == 0 {
		config.Skew = DefaultSkew
	}
	if config.HTTPClient == nil {
		config.HTTPClient = http.DefaultClient
	}
	source := &source{issuer: config.Issuer, jwksURL: config.JWKSURL, given: config.JWKSURL != "", client: boundClient(config.HTTPClient, issuer)}
	return &OIDCVerifier{config: config, keys: newKeyring(source), audience: canonical(config.Audience)}, nil
}

// check reports what is wrong with the configuration, and returns the issuer's URL when nothing is.
func (c OIDC) check() (*url.URL, error) {
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("auth.NewOIDC: "+format, args...))
	}

	issuer, reason := parseEndpoint(c.Issuer)
	switch {
	case c.Issuer == "":
		fault("there is no Issuer; give the URL of the OpenID provider, such as https://login.example.com")
	case reason != "":
		fault("the Issuer%s", reason)
	case issuer.RawQuery != "":
		fault("the Issuer %q has a query, which no issuer has (OpenID Connect Discovery 1.0, section 2)", c.Issuer)
	}
	if c.JWKSURL != "" {
		switch keys, reason := parseEndpoint(c.JWKSURL); {
		case reason != "":
			fault("the JWKSURL%s", reason)
		case keys.Scheme == "http" && issuer != nil && issuer.Scheme == "https":
			fault("the JWKSURL %q is http and the Issuer is https; use https for both", c.JWKSURL)
		}
	}
	if c.Audience == "" {
		fault("there is no Audience; give the identifier that the issuer knows this resource by, such as https://tools.example.com/mcp")
	}
	for _, alg := range c.Algorithms {
		if !slices.Contains(algorithms, alg) {
			fault("the algorithm %q does not sign with a key that can be public; choose from %s", alg, strings.Join(algorithms, ", "))
		}
	}
	if c.Skew < 0 || c.Skew > MaxSkew {
		fault("the Skew is %v, it must be between 0 and %v", c.Skew, MaxSkew)
	}
	for _, claim := range []string{c.TenantClaim, c.ClientClaim, c.ScopeClaim} {
		if slices.Contains([]string{"iss", "sub", "aud", "exp", "nbf", "iat"}, claim) {
			fault("the claim %q has its own meaning and can name neither tenant, client nor scopes", claim)
		}
	}
	return issuer, errors.Join(faults...)
}

// parseEndpoint says what is wrong with a URL that keys, or the way to them, are fetched from: whoever can change them on the way
// can sign tokens.
func parseEndpoint(text string) (*url.URL, string) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, " is not an absolute https URL" // and may hold a password
	case u.User != nil:
		return nil, " holds a user name; leave it out"
	case u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, fmt.Sprintf(" %q is not an absolute https URL", text)
	case u.Scheme == "http" && !isLoopback(u):
		return nil, fmt.Sprintf(" %q is http, so that anybody on the way could replace the keys; use https, or http on the loopback for development", text)
	case u.Fragment != "":
		return nil, fmt.Sprintf(" %q has a fragment; leave it out", text)
	}
	return u, ""
}

func isLoopback(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// Verify returns who the token stands for. Its errors wrap [ErrInvalidToken] when the token is refused; any other means that the
// issuer's keys could not be had, or that ctx ended while they were fetched. A caller whose ctx ends disturbs no other.
//
// Issuer is the configured one, Subject the claim sub, Audience the configured one and ExpiresAt the claim exp. When sub
// is the client itself, as RFC 9068 has it for client credentials, a program calls for itself and Subject is empty.
func (v *OIDCVerifier) Verify(ctx context.Context, token string) (capabilities.Principal, error) {
	// What is refused whoever signed it is refused first: it costs no signature check, and no fetch that a stranger can cause.
	parts, err := v.parse(token)
	if err != nil {
		return capabilities.Principal{}, err
	}
	principal, err := v.principal(parts, time.Now())
	if err != nil {
		return capabilities.Principal{}, err
	}
	err = v.keys.verify(ctx, parts.header, func(keys []crypto.PublicKey) bool { return v.signed(ctx, parts, keys) })
	if err != nil {
		return capabilities.Principal{}, err
	}
	return principal, nil
}

// signed has go-oidc verify the signature, and issuer, audience and algorithm once more. Times are checked with our skew before;
// go-oidc knows none for exp.
func (v *OIDCVerifier) signed(ctx context.Context, t *token, keys []crypto.PublicKey) bool {
	_, err := oidc.NewVerifier(v.config.Issuer, &oidc.StaticKeySet{PublicKeys: keys}, &oidc.Config{
		ClientID:             t.audience,
		SupportedSigningAlgs: []string{t.header.Algorithm},
		SkipExpiryCheck:      true,
	}).Verify(ctx, t.text)
	return err == nil
}

// Ready fetches the issuer's keys unless they are at hand, and says why it can't. A server may call it when it starts, to tell an
// operator at once of an issuer that is misspelt or down, and in a health check. It need not be called.
func (v *OIDCVerifier) Ready(ctx context.Context) error {
	return v.keys.ready(ctx)
}
