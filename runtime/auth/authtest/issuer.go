// Package authtest is an OpenID issuer inside a program, for tests and demonstrations. It gives access tokens to whoever
// holds the [Issuer], so that it protects nothing: never use it for a service that others can reach.
package authtest

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// DefaultLifetime is how long a token is valid unless its [Claims] say otherwise.
const DefaultLifetime = 5 * time.Minute

// Issuer is an issuer with a real discovery document, key set and ES256 signatures, on a port of the loopback. It is safe for
// concurrent use.
//
// It is a handler too, of what it serves, so that a test can put something before it or call it without a network.
type Issuer struct {
	url    string
	server *http.Server

	mu   sync.Mutex
	keys []jose.JSONWebKey // the first one signs
}

// NewIssuer starts an issuer, which runs until [Issuer.Close].
func NewIssuer() (*Issuer, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("authtest.NewIssuer: %w", err)
	}
	i := &Issuer{url: "http://" + listener.Addr().String()}
	if err := i.Rotate(); err != nil {
		_ = listener.Close()
		return nil, err
	}
	i.server = &http.Server{Handler: i, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = i.server.Serve(listener) }()
	return i, nil
}

// URL is the issuer's identifier, and where it listens: what OIDC.Issuer of package auth is.
func (i *Issuer) URL() string { return i.url }

// Close stops the issuer and cuts its connections. What it has issued stays valid for those who know its keys.
func (i *Issuer) Close() { _ = i.server.Close() }

// Rotate makes the issuer sign with a new key. The keys before stay published, as an issuer does while tokens that they
// signed are valid, until [Issuer.Retire].
func (i *Issuer) Rotate() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("authtest: making a key: %w", err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = slices.Insert(i.keys, 0, jose.JSONWebKey{Key: key, KeyID: rand.Text(), Algorithm: string(jose.ES256), Use: "sig"})
	return nil
}

// Retire takes all keys but the one that signs from the key set.
func (i *Issuer) Retire() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = i.keys[:1]
}

// Claims say what a token is for.
type Claims struct {
	// Subject is the user; "" is the client itself, as for client credentials (RFC 9068, section 2.2).
	Subject string
	// ClientID is the client that the token is issued to; "" is "demo".
	ClientID string
	// Audience is the resource that the token is for. It is required.
	Audience string
	// Scopes become the claim scope, which is left out when there are none.
	Scopes []string
	// Lifetime is from now until the token expires; 0 means [DefaultLifetime], and less than 0 that it has expired.
	Lifetime time.Duration
	// More are further claims, such as a tenant. One with a name that the token has already takes its place, and nil leaves it out.
	More map[string]any
}

// Issue returns an access token as of RFC 9068.
func (i *Issuer) Issue(c Claims) (string, error) {
	if c.Audience == "" {
		return "", errors.New("authtest: a token needs an Audience")
	}
	now := time.Now()
	claims := map[string]any{
		"iss":       i.url,
		"aud":       c.Audience,
		"client_id": cmp.Or(c.ClientID, "demo"),
		"sub":       cmp.Or(c.Subject, c.ClientID, "demo"),
		"iat":       now.Unix(),
		"exp":       now.Add(cmp.Or(c.Lifetime, DefaultLifetime)).Unix(),
		"jti":       rand.Text(),
	}
	if len(c.Scopes) > 0 {
		claims["scope"] = strings.Join(c.Scopes, " ")
	}
	maps.Copy(claims, c.More)
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == nil })
	text, err := json.Marshal(claims)
	if err != nil {
		return "", fmt.Errorf("authtest: the claims: %w", err)
	}

	i.mu.Lock()
	key := i.keys[0]
	i.mu.Unlock()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, (&jose.SignerOptions{}).WithType("at+jwt"))
	if err != nil {
		return "", fmt.Errorf("authtest: %w", err)
	}
	signed, err := signer.Sign(text)
	if err != nil {
		return "", fmt.Errorf("authtest: %w", err)
	}
	return signed.CompactSerialize()
}

// ServeHTTP answers for the discovery document and the key set.
func (i *Issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var document any
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		document = map[string]any{
			"issuer":                                i.url,
			"jwks_uri":                              i.url + "/keys",
			"response_types_supported":              []string{},
			"grant_types_supported":                 []string{}, // tokens come from Issue
			"subject_types_supported":               []string{"public"},
			"id_token_signing_alg_values_supported": []jose.SignatureAlgorithm{jose.ES256},
		}
	case "/keys":
		set := jose.JSONWebKeySet{}
		i.mu.Lock()
		for _, key := range i.keys {
			set.Keys = append(set.Keys, key.Public())
		}
		i.mu.Unlock()
		document = set
	default:
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(document) // the client has gone
}
