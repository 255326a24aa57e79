package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/coreos/go-oidc/v3/oidc"
)

// source is where an issuer publishes its keys. It is used by one fetch at a time.
type source struct {
	issuer  string
	jwksURL string // "" until discovery
	given   bool   // jwksURL is configured
	client  *http.Client
}

// fetch returns the keys that the issuer has now, one or more. It runs on a goroutine of its own, where a panic of an application's
// HTTP client would end the process.
func (s *source) fetch(ctx context.Context) (keys []publicKey, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the HTTP client panicked: %v", p)
		}
		if err != nil && !s.given {
			s.jwksURL = "" // it may have moved
		}
	}()
	if s.jwksURL == "" {
		if s.jwksURL, err = s.discover(ctx); err != nil {
			return nil, err
		}
	}
	return s.keys(ctx)
}

// discover asks the issuer's discovery document (OpenID Connect Discovery 1.0, section 4). go-oidc checks that the document is the
// issuer's own.
func (s *source) discover(ctx context.Context) (string, error) {
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, s.client), s.issuer)
	if err != nil {
		return "", fmt.Errorf("discovery: %w", err)
	}
	var document struct {
		JWKSURL string `json:"jwks_uri"`
	}
	if err := provider.Claims(&document); err != nil {
		return "", fmt.Errorf("discovery: %w", err)
	}
	if document.JWKSURL == "" {
		return "", errors.New("discovery: the document has no jwks_uri")
	}
	return document.JWKSURL, nil
}

func (s *source) keys(ctx context.Context) ([]publicKey, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.jwksURL, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/jwk-set+json, application/json")
	// The keys are fetched because those at hand do not suffice; a cache on the way may have the same ones.
	request.Header.Set("Cache-Control", "no-cache")
	response, err := s.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", s.jwksURL, response.Status)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", s.jwksURL, err)
	}
	var document struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("%s is no key set: %w", s.jwksURL, err)
	}
	keys := publicKeys(document.Keys)
	if len(keys) == 0 {
		// A slip of the issuer's, not a reason to forget the keys at hand.
		return nil, fmt.Errorf("%s holds no key that can verify a signature", s.jwksURL)
	}
	return keys, nil
}
