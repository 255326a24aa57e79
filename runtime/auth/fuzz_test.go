package auth_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/capgen/capgen/runtime/auth"
)

// FuzzVerify gives the verifiers texts that nobody signed: none may be accepted, none may end in a panic, and all are refused for good,
// but for those that name a key that the issuer was asked about too often.
func FuzzVerify(f *testing.F) {
	good := sign(rsaKey, goodHeader(), goodClaims())
	head, _, _ := strings.Cut(good, ".")
	for _, seed := range []string{
		"", ".", "..", "....", good[:len(good)-8], head + "..", "eyJhbGciOiJub25lIn0.e30.", good + ".", strings.Repeat("=", 40), oldToken,
		sign(otherRSA, goodHeader(), goodClaims().with(fields{"exp": 1e300, "nbf": -1e300})),
		sign(p256Key, goodHeader().with(fields{"alg": "ES256", "kid": nil, "jwk": public("", p256Key)}), goodClaims()),
		sign(otherRSA, goodHeader().with(fields{"x5c": []string{"MA=="}}), goodClaims().with(fields{"aud": []string{resource, ""}, "scope": []string{"a b", ""}})),
		sign(otherRSA, goodHeader().with(fields{"crit": []string{}}), goodClaims()),
	} {
		f.Add(seed, "", "")
	}
	f.Add("", `{"alg":"RS256"}`, `{"iss":"https://login.example.com","aud":"https://tools.example.com/mcp","exp":4102444800,"sub":"u"}`)
	f.Add("", `{"alg":"RS256","kid":"rsa","typ":"at+jwt","jwk":{}}`, `{"_claim_names":{"a":""},"iss":"https://login.example.com"}`)
	v := newStub(public("rsa", rsaKey), public("p384", p384Key)).verifier(f, func(c *auth.OIDC) { c.TenantClaim = "tid" })
	static := must(auth.NewStatic(auth.StaticToken{Token: newToken, Principal: operator()}))

	// The texts are a token, or a header and claims that are put into the form of one, which random bytes never have.
	f.Fuzz(func(t *testing.T, token, header, claims string) {
		if token == "" {
			encode := base64.RawURLEncoding.EncodeToString
			token = encode([]byte(header)) + "." + encode([]byte(claims)) + "." + encode(make([]byte, 256))
		}
		if p, err := verify(v, token); err == nil || p.Identified() {
			t.Fatalf("%q is accepted: %v", token, p)
		} else if text := err.Error(); !errors.Is(err, auth.ErrInvalidToken) && !strings.Contains(text, "asked too often") {
			t.Fatalf("%q is not decided: %v", token, err)
		}
		if p, err := verify(static, token); !errors.Is(err, auth.ErrInvalidToken) || p.Identified() {
			t.Fatalf("%q is a static token: %v, %v", token, p, err)
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	v := newStub(public("rsa", rsaKey), public("p256", p256Key), public("ed", edKey)).verifier(b)
	for name, token := range map[string]string{
		"RS256": sign(rsaKey, goodHeader(), goodClaims()),
		"ES256": sign(p256Key, goodHeader().with(fields{"alg": "ES256", "kid": "p256"}), goodClaims()),
		"EdDSA": sign(edKey, goodHeader().with(fields{"alg": "EdDSA", "kid": "ed"}), goodClaims()),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := verify(v, token); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("refused without a key", func(b *testing.B) {
		token := sign(rsaKey, goodHeader(), goodClaims().with(fields{"aud": "x"}))
		for b.Loop() {
			_, _ = verify(v, token)
		}
	})
	static := must(auth.NewStatic(auth.StaticToken{Token: oldToken, Principal: operator()}, auth.StaticToken{Token: newToken, Principal: operator()}))
	b.Run("static", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := verify(static, oldToken); err != nil {
				b.Fatal(err)
			}
		}
	})
}
