package auth_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/auth"
)

// checkPrincipal compares all but when it expires.
func checkPrincipal(t *testing.T, got, want capabilities.Principal) {
	t.Helper()
	got.ExpiresAt = want.ExpiresAt
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the principal differs (-want +got):\n%s", diff)
	}
}

// The claims of different issuers, and whom they name.
func TestPrincipal(t *testing.T) {
	who := capabilities.Principal{Issuer: issuerURL, Subject: "u-271828", ClientID: "c-31415", Audience: resource, Scopes: []string{"albums:read", "albums:write"}}
	with := func(change func(*capabilities.Principal)) capabilities.Principal {
		p := who.Clone()
		change(&p)
		return p
	}
	plain := func(*auth.OIDC) {}
	for _, test := range []struct {
		name           string
		header, claims fields
		config         func(*auth.OIDC)
		want           capabilities.Principal
	}{
		{"typ in full and in capitals", fields{"typ": "application/AT+JWT"}, nil, func(c *auth.OIDC) { c.RequireTyped = true }, who},
		{"typ of old", fields{"typ": "JWT"}, nil, plain, who},
		{"no typ", fields{"typ": nil}, nil, plain, who},
		{"an access token with a nonce", nil, fields{"nonce": "n"}, plain, who},
		{"jku of an issuer that always sends it", fields{"jku": issuerURL + "/keys"}, nil, plain, who},
		{"several audiences", nil, fields{"aud": []string{"c-31415", resource}}, plain, who},
		{"host in capitals", nil, fields{"aud": "HTTPS://Tools.Example.COM:443/mcp"}, plain, who},
		{"client credentials", nil, fields{"sub": "c-31415"}, plain, with(func(p *capabilities.Principal) { p.Subject = "" })},
		{"a client alone", nil, fields{"sub": nil}, plain, with(func(p *capabilities.Principal) { p.Subject = "" })},
		{"azp", fields{"typ": "JWT"}, fields{"client_id": nil, "azp": "c-31415"}, plain, who},
		{"azp beside client_id", nil, fields{"azp": "c-1"}, plain, who},
		{"cid", nil, fields{"client_id": nil, "cid": "c-31415"}, func(c *auth.OIDC) { c.ClientClaim = "cid" }, who},
		{"no client", fields{"typ": "JWT"}, fields{"client_id": nil}, plain, with(func(p *capabilities.Principal) { p.ClientID = "" })},
		{"tenant", nil, fields{"tid": "t-141421"}, func(c *auth.OIDC) { c.TenantClaim = "tid" }, with(func(p *capabilities.Principal) { p.TenantID = "t-141421" })},
		{"tenant that is not asked for", nil, fields{"tid": "t-141421"}, plain, who},
		{"tenant that is not there", nil, nil, func(c *auth.OIDC) { c.TenantClaim = "tid" }, who},
		{"no scopes", nil, fields{"scope": nil}, plain, with(func(p *capabilities.Principal) { p.Scopes = nil })},
		{"empty scope", nil, fields{"scope": " "}, plain, with(func(p *capabilities.Principal) { p.Scopes = nil })},
		{"scope is an array", nil, fields{"scope": []string{"albums:read", "albums:write"}}, plain, who},
		{"scp is an array", nil, fields{"scope": nil, "scp": []string{"albums:read", "albums:write"}}, plain, who},
		{"scp is a string", nil, fields{"scope": nil, "scp": "albums:read albums:write"}, plain, who},
		{"permissions", nil, fields{"scope": "openid", "permissions": []string{"albums:read", "albums:write"}}, func(c *auth.OIDC) { c.ScopeClaim = "permissions" }, who},
		{"expired within the skew", nil, fields{"exp": time.Now().Unix() - 25}, plain, who},
		{"not valid yet within the skew", nil, fields{"nbf": time.Now().Unix() + 25, "iat": time.Now().Unix() + 25}, plain, who},
		{"a greater skew", nil, fields{"exp": time.Now().Unix() - 290}, func(c *auth.OIDC) { c.Skew = auth.MaxSkew }, who},
		{"a fraction of a second", nil, fields{"exp": float64(time.Now().Unix()) + 60.5}, plain, who},
		{"the end of time", nil, fields{"exp": 1e300}, plain, who},
		{"overage of groups", nil, fields{"_claim_names": fields{"groups": "src1"}, "_claim_sources": fields{"src1": fields{"endpoint": "https://graph.example.com"}}}, plain, who},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := newStub(public("rsa", rsaKey)).verifier(t, test.config)
			got, err := v.Verify(t.Context(), sign(rsaKey, goodHeader().with(test.header), goodClaims().with(test.claims)))
			if err != nil {
				t.Fatal(err)
			}
			checkPrincipal(t, got, test.want)
		})
	}
}

// Every algorithm of the default list has its kind of key.
func TestAlgorithms(t *testing.T) {
	for algorithm, key := range map[string]any{"RS256": rsaKey, "ES256": p256Key, "ES384": p384Key, "EdDSA": edKey} {
		v := newStub(public("RS256", rsaKey), public("ES256", p256Key), public("ES384", p384Key), public("EdDSA", edKey)).verifier(t)
		for _, kid := range []any{algorithm, nil} {
			if _, err := verify(v, sign(key, goodHeader().with(fields{"alg": algorithm, "kid": kid}), goodClaims())); err != nil {
				t.Errorf("%s under the key ID %v: %v", algorithm, kid, err)
			}
		}
	}
}

// An application that can demand typed tokens is safe from ID tokens that show nothing else.
func TestRequireTyped(t *testing.T) {
	v := newStub(public("rsa", rsaKey)).verifier(t, func(c *auth.OIDC) { c.RequireTyped = true })
	for _, kind := range []any{"JWT", nil, "id_token+jwt"} {
		_, err := verify(v, sign(rsaKey, goodHeader().with(fields{"typ": kind}), goodClaims()))
		if err == nil || err.Error() != "auth: the token is refused: its typ is not at+jwt" {
			t.Errorf("typ %v: %v", kind, err)
		}
	}
}

// Audiences are equal where RFC 3986 says that two URLs are, and nowhere else (AU18).
func TestAudience(t *testing.T) {
	for _, test := range []struct {
		configured, claimed string
		same                bool
	}{
		{"https://tools.example.com", "https://tools.example.com/", true},
		{"https://tools.example.com/", "HTTPS://tools.example.com", true},
		{"https://TOOLS.example.com:443/mcp", "https://tools.example.com/mcp", true},
		{"http://localhost:80/mcp", "http://localhost/mcp", true},
		{"http://localhost:8053/mcp", "http://localhost:8053/mcp", true},
		{"api://4f3a", "api://4f3a", true},
		{"api://4f3a", "API://4f3a", false},
		{"4f3a", "4F3A", false},
		{"https://tools.example.com/mcp", "https://tools.example.com/mcp/", false},
		{"https://tools.example.com/mcp", "http://tools.example.com/mcp", false},
		{"https://tools.example.com/mcp", "https://tools.example.com:8443/mcp", false},
		{"https://tools.example.com/mcp", "https://tools.example.com:80/mcp", false},
		{"https://tools.example.com/mcp", "https://tools.example.com/mcp?x", false},
		{"https://tools.example.com/mcp", "https://user@tools.example.com/mcp", false},
		{"https://tools.example.com/mcp", "https://tools.example.com.evil.example/mcp", false},
		{"https://kiosk.example.com", "https://\u212Aiosk.example.com", false}, // the Kelvin sign, whose lower case is k
	} {
		v := newStub(public("rsa", rsaKey)).verifier(t, func(c *auth.OIDC) { c.Audience = test.configured })
		p, err := verify(v, sign(rsaKey, goodHeader(), goodClaims().with(fields{"aud": test.claimed})))
		if same := err == nil; same != test.same {
			t.Errorf("%s and %s: %v", test.configured, test.claimed, err)
		}
		if err == nil && p.Audience != test.configured {
			t.Errorf("the audience is %s instead of the resource's own %s", p.Audience, test.configured)
		}
	}
}

// No error holds what the token says, and so no log does.
func TestErrorsHoldNothing(t *testing.T) {
	v := newStub(public("rsa", rsaKey)).verifier(t)
	const secret = "s3cr3t-271828"
	for _, field := range []string{"iss", "sub", "aud", "client_id", "scope", "exp", "nbf", secret} {
		for _, value := range []any{secret, []any{secret, 7}, fields{secret: secret}} {
			_, err := verify(v, sign(otherRSA, goodHeader(), goodClaims().with(fields{field: value})))
			if err == nil || strings.Contains(err.Error(), secret) {
				t.Errorf("%s is %v: %v", field, value, err)
			}
		}
	}
	for _, field := range []string{"alg", "kid", "typ", "cty", "crit", "jwk", secret} {
		_, err := verify(v, sign(otherRSA, goodHeader().with(fields{field: secret}), goodClaims()))
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", field, err)
		}
	}
	token := sign(otherRSA, goodHeader(), goodClaims())
	_, err := verify(v, token)
	for _, part := range strings.Split(token, ".") {
		if strings.Contains(err.Error(), part) {
			t.Errorf("the error holds a part of the token: %v", err)
		}
	}
}
