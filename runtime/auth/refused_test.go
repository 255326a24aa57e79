package auth_test

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/auth"
)

// Every token here must be refused, each for its own reason, and only some may cost the issuer a request.
// AU13 (audience), AU14 (signature, algorithm, issuer, expiry, not before).
func TestRefused(t *testing.T) {
	const noFetch, fetch = 0, 1
	now := time.Now().Unix()
	der := must(x509.MarshalPKIXPublicKey(rsaKey.Public()))
	good := sign(rsaKey, goodHeader(), goodClaims())
	head, rest, _ := strings.Cut(good, ".")
	body, sig, _ := strings.Cut(rest, ".")

	for _, test := range []struct {
		name, token, reason string
		fetches             int
	}{
		// Algorithms (RFC 8725, sections 2.1 and 3.1).
		{"none", sign(nil, goodHeader().with(fields{"alg": "none"}), goodClaims()), "its algorithm is not one of those allowed", noFetch},
		{"none with a signature", sign(rsaKey, goodHeader().with(fields{"alg": "none"}), goodClaims()), "its algorithm is not one of those allowed", noFetch},
		{"None", sign(nil, goodHeader().with(fields{"alg": "None"}), goodClaims()), "its algorithm is not one of those allowed", noFetch},
		{"no algorithm", sign(rsaKey, goodHeader().with(fields{"alg": nil}), goodClaims()), "its algorithm is not one of those allowed", noFetch},
		{"HS256 with the public key as PEM", sign(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}),
			goodHeader().with(fields{"alg": "HS256"}), goodClaims()), "its algorithm is not one of those allowed", noFetch},
		{"HS256 with the modulus", sign(rsaKey.N.Bytes(), goodHeader().with(fields{"alg": "HS256"}), goodClaims()), "its algorithm is not one of those allowed", noFetch},
		{"HMAC that says RS256", sign(rsaKey.N.Bytes(), goodHeader(), goodClaims()), "its signature is wrong", noFetch},
		{"an algorithm that is not configured", sign(p384Key, goodHeader().with(fields{"alg": "ES384", "kid": "p384"}), goodClaims()),
			"its algorithm is not one of those allowed", noFetch},
		{"an algorithm for another kind of key", sign(p256Key, goodHeader().with(fields{"alg": "ES256"}), goodClaims()), "its key is not one for its algorithm", noFetch},

		// Keys that the token brings along.
		{"embedded jwk", sign(otherRSA, goodHeader().with(fields{"kid": nil, "jwk": public("rsa", otherRSA)}), goodClaims()), "none of the issuer's keys has signed it", fetch},
		{"embedded jwk under a known kid", sign(otherRSA, goodHeader().with(fields{"jwk": public("rsa", otherRSA)}), goodClaims()), "its signature is wrong", noFetch},
		{"jku", sign(otherRSA, goodHeader().with(fields{"kid": "mine", "jku": "https://attacker.example/keys"}), goodClaims()), "none of the issuer's keys has signed it", fetch},
		{"x5u", sign(otherRSA, goodHeader().with(fields{"x5u": "https://attacker.example/chain.pem"}), goodClaims()), "its signature is wrong", noFetch},
		{"unknown kid", sign(otherRSA, goodHeader().with(fields{"kid": "unheard-of"}), goodClaims()), "none of the issuer's keys has signed it", fetch},
		{"kid is a number", sign(rsaKey, goodHeader().with(fields{"kid": 7}), goodClaims()), "its header is not as of RFC 7515", noFetch},

		// Signatures.
		{"bad signature", sign(otherRSA, goodHeader(), goodClaims()), "its signature is wrong", noFetch},
		{"no signature", head + "." + body + ".", "its signature is wrong", noFetch},
		{"truncated", good[:len(good)-10], "its signature is wrong", noFetch},
		{"signature of other claims", head + "." + base64.RawURLEncoding.EncodeToString(must(json.Marshal(goodClaims().with(fields{"sub": "root"})))) + "." + sig, "its signature is wrong", noFetch},
		{"padded signature", good + "==", "its signature is wrong", noFetch},

		// Form.
		{"empty", "", "it holds a character that a bearer token cannot have", noFetch},
		{"opaque", "2YotnFZFEjr1zCsicMWpAA", "it is not a JWT", noFetch},
		{"two parts", head + "." + body, "it is not a JWT", noFetch},
		{"four parts", good + "." + sig, "it is not a JWT", noFetch},
		{"encrypted", head + "." + body + "." + sig + "." + sig + "." + sig, "it is encrypted, and this server has no key of its own", noFetch},
		{"only dots", "..", "its header is not as of RFC 7515", noFetch},
		{"huge", good + strings.Repeat("A", auth.MaxTokenBytes), "it is too long", noFetch},
		{"a line end inside", head + "." + body[:8] + "\n" + body[8:] + "." + sig, "it holds a character that a bearer token cannot have", noFetch},
		{"JSON serialization", `{"payload":"` + body + `","protected":"` + head + `","signature":"` + sig + `"}`, "it holds a character that a bearer token cannot have", noFetch},
		{"a header that is an array", signText(rsaKey, []byte(`["RS256"]`), []byte(`{}`)), "its header is not as of RFC 7515", noFetch},
		{"two algorithms", signText(rsaKey, []byte(`{"alg":"RS256","alg":"RS256","kid":"rsa"}`), must(json.Marshal(goodClaims()))), "its header is not as of RFC 7515", noFetch},
		{"crit", sign(rsaKey, goodHeader().with(fields{"crit": []string{"exp"}}), goodClaims()), "it has critical header parameters, and none is known here", noFetch},
		{"crit that go-jose knows", sign(rsaKey, goodHeader().with(fields{"crit": []string{"b64"}, "b64": true}), goodClaims()), "it has critical header parameters, and none is known here", noFetch},
		{"b64", sign(rsaKey, goodHeader().with(fields{"b64": false}), goodClaims()), "its content is not plain claims", noFetch},
		{"nested", sign(rsaKey, goodHeader().with(fields{"cty": "JWT"}), goodClaims()), "its content is not plain claims", noFetch},
		{"enc", sign(rsaKey, goodHeader().with(fields{"enc": "A128GCM"}), goodClaims()), "its content is not plain claims", noFetch},
		{"claims that are an array", signText(rsaKey, must(json.Marshal(goodHeader())), []byte(`[]`)), "its claims are not an object with unique names and the types of RFC 7519", noFetch},
		{"two subjects", signText(rsaKey, must(json.Marshal(goodHeader())), append([]byte(`{"sub":"root",`), must(json.Marshal(goodClaims()))[1:]...)), "its claims are not an object with unique names and the types of RFC 7519", noFetch},
		{"a subject that is no UTF-8", signText(rsaKey, must(json.Marshal(goodHeader())), []byte("{\"sub\":\"\xff\"}")), "its claims are not an object with unique names and the types of RFC 7519", noFetch},

		// Issuer and audience.
		{"wrong issuer", sign(rsaKey, goodHeader(), goodClaims().with(fields{"iss": "https://login.example.org"})), "it is of another issuer", noFetch},
		{"issuer with a slash", sign(rsaKey, goodHeader(), goodClaims().with(fields{"iss": issuerURL + "/"})), "it is of another issuer", noFetch},
		{"no issuer", sign(rsaKey, goodHeader(), goodClaims().with(fields{"iss": nil})), "it is of another issuer", noFetch},
		{"wrong audience", sign(rsaKey, goodHeader(), goodClaims().with(fields{"aud": "https://billing.example.com/mcp"})), "it is not for this audience", noFetch},
		{"wrong audiences", sign(rsaKey, goodHeader(), goodClaims().with(fields{"aud": []string{"c-31415", resource + "/admin"}})), "it is not for this audience", noFetch},
		{"audience of another case", sign(rsaKey, goodHeader(), goodClaims().with(fields{"aud": "https://tools.example.com/MCP"})), "it is not for this audience", noFetch},
		{"no audience", sign(rsaKey, goodHeader(), goodClaims().with(fields{"aud": nil})), "it is not for this audience", noFetch},
		{"an empty list of audiences", sign(rsaKey, goodHeader(), goodClaims().with(fields{"aud": []string{}})), "it is not for this audience", noFetch},
		{"audience is a number", sign(rsaKey, goodHeader(), goodClaims().with(fields{"aud": 7})), "its claims are not an object with unique names and the types of RFC 7519", noFetch},

		// Times, with the default skew of 30 s.
		{"expired", sign(rsaKey, goodHeader(), goodClaims().with(fields{"exp": now - 3600})), "it has expired", noFetch},
		{"expired just past the skew", sign(rsaKey, goodHeader(), goodClaims().with(fields{"exp": now - 31})), "it has expired", noFetch},
		{"no expiry", sign(rsaKey, goodHeader(), goodClaims().with(fields{"exp": nil})), "it never expires", noFetch},
		{"expiry is a string", sign(rsaKey, goodHeader(), goodClaims().with(fields{"exp": "4102444800"})), "its claims are not an object with unique names and the types of RFC 7519", noFetch},
		{"expiry before time began", sign(rsaKey, goodHeader(), goodClaims().with(fields{"exp": -1e300})), "it has expired", noFetch},
		{"not valid yet", sign(rsaKey, goodHeader(), goodClaims().with(fields{"nbf": now + 120})), "it is not valid yet", noFetch},
		{"not valid ever", sign(rsaKey, goodHeader(), goodClaims().with(fields{"nbf": 1e300})), "it is not valid yet", noFetch},
		{"issued in the future", sign(rsaKey, goodHeader(), goodClaims().with(fields{"iat": now + 120})), "it was issued in the future", noFetch},

		// Other kinds of token.
		{"typ of a logout token", sign(rsaKey, goodHeader().with(fields{"typ": "logout+jwt"}), goodClaims()), "its typ is that of something other than an access token", noFetch},
		{"typ of a DPoP proof", sign(rsaKey, goodHeader().with(fields{"typ": "dpop+jwt"}), goodClaims()), "its typ is that of something other than an access token", noFetch},
		{"ID token with nonce", sign(rsaKey, goodHeader().with(fields{"typ": "JWT"}), goodClaims().with(fields{"nonce": "n"})), "it is another kind of token than an access token", noFetch},
		{"ID token with at_hash", sign(rsaKey, goodHeader().with(fields{"typ": nil}), goodClaims().with(fields{"at_hash": "h"})), "it is another kind of token than an access token", noFetch},
		{"ID token of Cognito", sign(rsaKey, goodHeader().with(fields{"typ": nil}), goodClaims().with(fields{"token_use": "id"})), "it is another kind of token than an access token", noFetch},
		{"ID token of Keycloak", sign(rsaKey, goodHeader().with(fields{"typ": "JWT"}), goodClaims().with(fields{"typ": "ID"})), "it is another kind of token than an access token", noFetch},
		{"security event", sign(rsaKey, goodHeader().with(fields{"typ": "JWT"}), goodClaims().with(fields{"events": fields{}})), "it is another kind of token than an access token", noFetch},
		{"bound to a key", sign(rsaKey, goodHeader(), goodClaims().with(fields{"cnf": fields{"jkt": "x"}})), "it is bound to a key of its client, and no bearer token", noFetch},

		// Who.
		{"nobody", sign(rsaKey, goodHeader().with(fields{"typ": "JWT"}), goodClaims().with(fields{"sub": nil, "client_id": nil})), "it names neither a subject nor a client", noFetch},
		{"an empty subject", sign(rsaKey, goodHeader().with(fields{"typ": "JWT"}), goodClaims().with(fields{"sub": "", "client_id": nil})), "it names neither a subject nor a client", noFetch},
		{"at+jwt without a client", sign(rsaKey, goodHeader(), goodClaims().with(fields{"client_id": nil})), "it names no client, as an access token of RFC 9068 does", noFetch},
		{"client is a number", sign(rsaKey, goodHeader(), goodClaims().with(fields{"client_id": 7})), "the claim that names its client is not a string", noFetch},
		{"client is null", signText(rsaKey, must(json.Marshal(goodHeader())), []byte(strings.Replace(string(must(json.Marshal(goodClaims()))), `"c-31415"`, `null`, 1))),
			"the claim that names its client is not a string", noFetch},
		{"tenant is a list", sign(rsaKey, goodHeader(), goodClaims().with(fields{"tid": []string{"t"}})), "the claim that names its tenant is not a string", noFetch},
		{"scope is a number", sign(rsaKey, goodHeader(), goodClaims().with(fields{"scope": 7})), "the claim that holds its scopes is neither a string nor an array of strings", noFetch},
	} {
		t.Run(test.name, func(t *testing.T) {
			issuer := newStub(public("rsa", rsaKey), public("p256", p256Key), public("p384", p384Key))
			v := issuer.verifier(t, func(c *auth.OIDC) { c.Algorithms, c.TenantClaim = []string{"RS256", "ES256"}, "tid" })
			if err := v.Ready(t.Context()); err != nil {
				t.Fatal(err)
			}
			p, err := v.Verify(t.Context(), test.token)
			if !errors.Is(err, auth.ErrInvalidToken) {
				t.Fatalf("the answer is %v, %v", p, err)
			}
			if want := "auth: the token is refused: " + test.reason; err.Error() != want {
				t.Errorf("the error is %q, want %q", err, want)
			}
			if p.Identified() || len(p.Scopes) > 0 {
				t.Errorf("beside the error there is %v", p)
			}
			if _, fetches := issuer.counts(); fetches != 1+test.fetches {
				t.Errorf("the issuer was asked for its keys %d times, want %d", fetches, 1+test.fetches)
			}
		})
	}
}

// The oracle: the token that the others differ from is accepted.
func TestAccepted(t *testing.T) {
	issuer := newStub(public("rsa", rsaKey))
	got, err := issuer.verifier(t).Verify(t.Context(), sign(rsaKey, goodHeader(), goodClaims()))
	if err != nil {
		t.Fatal(err)
	}
	want := capabilities.Principal{
		Issuer: issuerURL, Subject: "u-271828", ClientID: "c-31415", Audience: resource, Scopes: []string{"albums:read", "albums:write"},
	}
	checkPrincipal(t, got, want)
	if left := time.Until(got.ExpiresAt); left < 290*time.Second || left > 300*time.Second {
		t.Errorf("it expires in %v", left)
	}
}

// What a key is for counts, and not only what it is.
func TestUnfitKeys(t *testing.T) {
	forEncryption, forPSS, secret := public("rsa", rsaKey), public("rsa", rsaKey), jose.JSONWebKey{Key: rsaKey.N.Bytes(), KeyID: "rsa"}
	forEncryption.Use, forPSS.Algorithm = "enc", "PS256"
	for name, key := range map[string]jose.JSONWebKey{
		"for encryption": forEncryption, "for another algorithm": forPSS, "a secret": secret,
		"private": {Key: rsaKey, KeyID: "rsa"}, "short": public("rsa", shortKey),
	} {
		signer := rsaKey
		if name == "short" {
			signer = shortKey
		}
		issuer := newStub(key, public("p256", p256Key))
		_, err := verify(issuer.verifier(t), sign(signer, goodHeader(), goodClaims()))
		if !errors.Is(err, auth.ErrInvalidToken) {
			t.Errorf("a key that is %s: %v", name, err)
		}
	}
}
