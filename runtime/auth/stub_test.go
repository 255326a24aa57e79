package auth_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/auth"
)

const (
	issuerURL = "https://login.example.com"
	resource  = "https://tools.example.com/mcp"
)

// Keys of every kind; making them takes a tenth of a second.
var (
	rsaKey   = must(rsa.GenerateKey(rand.Reader, 2048))
	otherRSA = must(rsa.GenerateKey(rand.Reader, 2048))
	shortKey = must(rsa.GenerateKey(rand.Reader, 1024))
	p256Key  = must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	p384Key  = must(ecdsa.GenerateKey(elliptic.P384(), rand.Reader))
	edKey    = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// stub is an issuer without a network, which a test makes misbehave. It answers the requests of an HTTP client.
type stub struct {
	mu          sync.Mutex
	keys        []jose.JSONWebKey
	broken      func(*http.Request) (*http.Response, error) // answers instead, if there is one
	discoveries int
	fetches     int // of keys
}

func newStub(keys ...jose.JSONWebKey) *stub { return &stub{keys: keys} }

// public is a key as an issuer publishes it.
func public(id string, key crypto.Signer) jose.JSONWebKey {
	return jose.JSONWebKey{Key: key.Public(), KeyID: id}
}

func (s *stub) publish(keys ...jose.JSONWebKey) { s.set(func() { s.keys = keys }) }

func (s *stub) breakDown(how func(*http.Request) (*http.Response, error)) {
	s.set(func() { s.broken = how })
}

func (s *stub) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *stub) counts() (discoveries, fetches int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.discoveries, s.fetches
}

func (s *stub) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	broken, document := s.broken, any(map[string]any{"issuer": issuerURL, "jwks_uri": issuerURL + "/keys"})
	if r.URL.Path == "/keys" {
		s.fetches++
		document = map[string]any{"keys": slices.Clone(s.keys)}
	} else {
		s.discoveries++
	}
	s.mu.Unlock()
	if broken != nil {
		return broken(r)
	}
	return answer(http.StatusOK, "application/json", must(json.Marshal(document))), nil
}

func answer(status int, media string, body []byte) *http.Response {
	return &http.Response{
		Status: fmt.Sprint(status, " ", http.StatusText(status)), StatusCode: status, Header: http.Header{"Content-Type": {media}}, Body: io.NopCloser(bytes.NewReader(body)),
	}
}

// verifier returns one for the stub's tokens. The configuration may be changed first.
func (s *stub) verifier(t testing.TB, change ...func(*auth.OIDC)) *auth.OIDCVerifier {
	t.Helper()
	config := auth.OIDC{Issuer: issuerURL, Audience: resource, HTTPClient: &http.Client{Transport: s}}
	for _, c := range change {
		c(&config)
	}
	v, err := auth.NewOIDC(config)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// fields are the members of a header or of claims; nil leaves one out.
type fields map[string]any

// with returns the fields with others in their place.
func (f fields) with(others fields) fields {
	all := maps.Clone(f)
	maps.Copy(all, others)
	maps.DeleteFunc(all, func(_ string, value any) bool { return value == nil })
	return all
}

func goodHeader() fields { return fields{"alg": "RS256", "kid": "rsa", "typ": "at+jwt"} }

func goodClaims() fields {
	now := time.Now().Unix()
	return fields{
		"iss": issuerURL, "aud": resource, "sub": "u-271828", "client_id": "c-31415", "scope": "albums:read albums:write",
		"iat": now, "exp": now + 300, "jti": "j-16180",
	}
}

// sign makes a token of any header and claims. A nil key leaves the signature empty.
func sign(key any, header, claims fields) string {
	return signText(key, must(json.Marshal(header.with(nil))), must(json.Marshal(claims.with(nil))))
}

// signText makes a token of texts that need not be JSON. What signs need not be what the header says.
func signText(key any, header, claims []byte) string {
	input := base64.RawURLEncoding.EncodeToString(header) + "." + base64.RawURLEncoding.EncodeToString(claims)
	if key == nil {
		return input + "."
	}
	return input + "." + base64.RawURLEncoding.EncodeToString(signature(key, []byte(input)))
}

// signature is as of RFC 7518, section 3, and made without go-jose, which would not sign all that a stranger can.
func signature(key any, input []byte) []byte {
	digest := sha256.Sum256(input)
	switch key := key.(type) {
	case []byte:
		mac := hmac.New(sha256.New, key)
		mac.Write(input)
		return mac.Sum(nil)
	case *rsa.PrivateKey:
		return must(rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:]))
	case ed25519.PrivateKey:
		return ed25519.Sign(key, input)
	case *ecdsa.PrivateKey:
		hashed := digest[:]
		if key.Curve == elliptic.P384() {
			sum := sha512.Sum384(input)
			hashed = sum[:]
		}
		r, s, err := ecdsa.Sign(rand.Reader, key, hashed)
		if err != nil {
			panic(err)
		}
		size := (key.Curve.Params().BitSize + 7) / 8
		return append(r.FillBytes(make([]byte, size)), s.FillBytes(make([]byte, size))...)
	}
	panic("a key of another kind")
}

func verify(v auth.Verifier, token string) (capabilities.Principal, error) {
	return v.Verify(context.Background(), token)
}
