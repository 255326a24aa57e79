package auth_test

import (
	"testing"
	"time"

	"github.com/capgen/capgen/runtime/auth"
)

// A configuration that would accept too much, or nothing, is refused with what to write instead.
func TestConfiguration(t *testing.T) {
	const (
		noIssuer   = "auth.NewOIDC: there is no Issuer; give the URL of the OpenID provider, such as https://login.example.com"
		noAudience = "auth.NewOIDC: there is no Audience; give the identifier that the issuer knows this resource by, such as https://tools.example.com/mcp"
		choose     = "; choose from RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA"
		plain      = " is http, so that anybody on the way could replace the keys; use https, or http on the loopback for development"
	)
	for _, test := range []struct {
		config auth.OIDC
		want   string
	}{
		{auth.OIDC{}, noIssuer + "\n" + noAudience},
		{auth.OIDC{Issuer: issuerURL}, noAudience},
		{auth.OIDC{Issuer: "login.example.com", Audience: resource}, `auth.NewOIDC: the Issuer "login.example.com" is not an absolute https URL`},
		{auth.OIDC{Issuer: "ftp://login.example.com", Audience: resource}, `auth.NewOIDC: the Issuer "ftp://login.example.com" is not an absolute https URL`},
		{auth.OIDC{Issuer: "https://login.example.com/%zz", Audience: resource}, `auth.NewOIDC: the Issuer is not an absolute https URL`},
		{auth.OIDC{Issuer: "http://login.example.com", Audience: resource}, `auth.NewOIDC: the Issuer "http://login.example.com"` + plain},
		{auth.OIDC{Issuer: "http://localhost.example.com", Audience: resource}, `auth.NewOIDC: the Issuer "http://localhost.example.com"` + plain},
		{auth.OIDC{Issuer: issuerURL + "#x", Audience: resource}, `auth.NewOIDC: the Issuer "https://login.example.com#x" has a fragment; leave it out`},
		{auth.OIDC{Issuer: issuerURL + "?x=y", Audience: resource}, `auth.NewOIDC: the Issuer "https://login.example.com?x=y" has a query, which no issuer has (OpenID Connect Discovery 1.0, section 2)`},
		{auth.OIDC{Issuer: issuerURL, Audience: resource, JWKSURL: "http://login.example.com/keys"}, `auth.NewOIDC: the JWKSURL "http://login.example.com/keys"` + plain},
		{auth.OIDC{Issuer: issuerURL, Audience: resource, JWKSURL: "http://localhost/keys"}, `auth.NewOIDC: the JWKSURL "http://localhost/keys" is http and the Issuer is https; use https for both`},
		{auth.OIDC{Issuer: issuerURL, Audience: resource, Algorithms: []string{"RS256", "HS256"}}, `auth.NewOIDC: the algorithm "HS256" does not sign with a key that can be public` + choose},
		{auth.OIDC{Issuer: issuerURL, Audience: resource, Algorithms: []string{"none"}}, `auth.NewOIDC: the algorithm "none" does not sign with a key that can be public` + choose},
		{auth.OIDC{Issuer: issuerURL, Audience: resource, Algorithms: []string{"rs256"}}, `auth.NewOIDC: the algorithm "rs256" does not sign with a key that can be public` + choose},
		{auth.OIDC{Issuer: issuerURL, Audience: resource, Skew: time.Hour}, "auth.NewOIDC: the Skew is 1h0m0s, it must be between 0 and 5m0s"},
		{auth.OIDC{Issuer: issuerURL, Audience: resource, Skew: -1}, "auth.NewOIDC: the Skew is -1ns, it must be between 0 and 5m0s"},
		{auth.OIDC{Issuer: issuerURL, Audience: resource, TenantClaim: "iss"}, `auth.NewOIDC: the claim "iss" has its own meaning and can name neither tenant, client nor scopes`},

		{auth.OIDC{Issuer: issuerURL, Audience: "4f3a"}, ""},
		{auth.OIDC{Issuer: issuerURL + "/", Audience: resource, JWKSURL: "https://keys.example.com/login", Skew: auth.MaxSkew, Algorithms: []string{"EdDSA"}}, ""},
		{auth.OIDC{Issuer: "http://localhost:9000", Audience: resource}, ""},
		{auth.OIDC{Issuer: "http://127.1.2.3:9000/realms/x", Audience: resource}, ""},
		{auth.OIDC{Issuer: "http://[::1]:9000", Audience: resource}, ""},
	} {
		v, err := auth.NewOIDC(test.config)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != test.want || (v == nil) != (test.want != "") {
			t.Errorf("%+v:\n%s\nwant\n%s", test.config, got, test.want)
		}
	}

	const user = "https://ada:pa55@login.example.com"
	_, err := auth.NewOIDC(auth.OIDC{Issuer: user, Audience: resource})
	if want := `auth.NewOIDC: the Issuer holds a user name; leave it out`; err == nil || err.Error() != want {
		t.Errorf("an issuer with a password: %v", err)
	}
}
