package authtest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"go.uber.org/goleak"

	"github.com/capgen/capgen/runtime/auth/authtest"
)

const resource = "https://tools.example.com/mcp"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// get fetches a document over a connection of its own.
func get(t *testing.T, url string, into any) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Close = true
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatal(err)
		}
	}
	return response.StatusCode
}

func keysOf(t *testing.T, issuer *authtest.Issuer) jose.JSONWebKeySet {
	t.Helper()
	var document struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	get(t, issuer.URL()+"/.well-known/openid-configuration", &document)
	if document.Issuer != issuer.URL() {
		t.Errorf("the document is of the issuer %q", document.Issuer)
	}
	var set jose.JSONWebKeySet
	get(t, document.Keys, &set)
	for _, key := range set.Keys {
		if !key.IsPublic() {
			t.Error("a private key is published")
		}
	}
	return set
}

func newIssuer(t *testing.T) *authtest.Issuer {
	t.Helper()
	issuer, err := authtest.NewIssuer()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(issuer.Close)
	return issuer
}

// read verifies a token with go-jose alone.
func read(t *testing.T, token string, set jose.JSONWebKeySet) (header jose.Header, claims map[string]any) {
	t.Helper()
	parsed, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		t.Fatal(err)
	}
	if err := parsed.Claims(set, &claims); err != nil {
		t.Fatal(err)
	}
	return parsed.Headers[0], claims
}

// A token has all that RFC 9068, section 2, demands.
func TestIssue(t *testing.T) {
	issuer := newIssuer(t)
	issue := func(c authtest.Claims) (jose.Header, map[string]any) {
		token, err := issuer.Issue(c)
		if err != nil {
			t.Fatal(err)
		}
		return read(t, token, keysOf(t, issuer))
	}

	header, claims := issue(authtest.Claims{Subject: "ada", ClientID: "notebook", Audience: resource, Scopes: []string{"a", "b"}})
	if header.ExtraHeaders["typ"] != "at+jwt" || header.KeyID == "" {
		t.Errorf("the header is %v", header)
	}
	for name, want := range map[string]any{"iss": issuer.URL(), "sub": "ada", "client_id": "notebook", "aud": resource, "scope": "a b"} {
		if claims[name] != want {
			t.Errorf("%s is %v, want %v", name, claims[name], want)
		}
	}
	if left := claims["exp"].(float64) - float64(time.Now().Unix()); left < 290 || left > 300 {
		t.Errorf("it expires in %v s", left)
	}
	if id, _ := claims["jti"].(string); id == "" {
		t.Error("it has no ID")
	}

	_, claims = issue(authtest.Claims{Audience: resource, Lifetime: -time.Minute, More: map[string]any{"tid": "t", "iss": "https://other.example", "jti": nil}})
	if claims["sub"] != "demo" || claims["client_id"] != "demo" || claims["tid"] != "t" || claims["iss"] != "https://other.example" {
		t.Errorf("the claims are %v", claims)
	}
	for _, name := range []string{"scope", "jti"} {
		if value, found := claims[name]; found {
			t.Errorf("%s is %v", name, value)
		}
	}
	if left := claims["exp"].(float64) - float64(time.Now().Unix()); left > 0 {
		t.Errorf("it expires in %v s", left)
	}
}

func TestRotateAndRetire(t *testing.T) {
	issuer := newIssuer(t)
	before := keysOf(t, issuer)
	if err := issuer.Rotate(); err != nil {
		t.Fatal(err)
	}
	during := keysOf(t, issuer)
	issuer.Retire()
	after := keysOf(t, issuer)
	if len(before.Keys) != 1 || len(during.Keys) != 2 || len(after.Keys) != 1 {
		t.Fatalf("there are %d, %d and %d keys", len(before.Keys), len(during.Keys), len(after.Keys))
	}
	if during.Keys[1].KeyID != before.Keys[0].KeyID || during.Keys[0].KeyID != after.Keys[0].KeyID {
		t.Error("the keys are not the ones that they were")
	}
	token, err := issuer.Issue(authtest.Claims{Audience: resource})
	if err != nil {
		t.Fatal(err)
	}
	read(t, token, after)
}

func TestMistakes(t *testing.T) {
	issuer := newIssuer(t)
	if _, err := issuer.Issue(authtest.Claims{}); err == nil || err.Error() != "authtest: a token needs an Audience" {
		t.Errorf("without an audience: %v", err)
	}
	_, err := issuer.Issue(authtest.Claims{Audience: resource, More: map[string]any{"f": func() {}}})
	if err == nil || !strings.HasPrefix(err.Error(), "authtest: the claims: ") {
		t.Errorf("a claim that is no JSON: %v", err)
	}
	if status := get(t, issuer.URL()+"/token", nil); status != http.StatusNotFound {
		t.Errorf("another path is answered with %d", status)
	}
}
