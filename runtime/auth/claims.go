package auth

import (
	"math"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/capgen/capgen/capabilities"
)

// claims are those that RFC 7519 and RFC 9068 define and that count here, and the rest by name.
type claims struct {
	Issuer    string       `json:"iss"`
	Subject   string       `json:"sub"`
	Audience  oneOrMany    `json:"aud"`
	Expires   *numericDate `json:"exp"`
	NotBefore *numericDate `json:"nbf"`
	IssuedAt  *numericDate `json:"iat"`

	Rest map[string]jsontext.Value `json:",embed"`
}

// oneOrMany is a string or an array of strings.
type oneOrMany []string

func (o *oneOrMany) UnmarshalJSON(text []byte) error {
	var one string
	if len(text) > 0 && text[0] == '"' {
		err := json.Unmarshal(text, &one)
		*o = oneOrMany{one}
		return err
	}
	return json.Unmarshal(text, (*[]string)(o))
}

// numericDate is a time in seconds since 1970, which may have a fraction (RFC 7519, section 2).
type numericDate time.Time

// lastSecond is the end of the year 9999. What is past it is no time, and may be none that the clock's arithmetic can hold.
const lastSecond = 253402300799

func (d *numericDate) UnmarshalJSON(text []byte) error {
	var seconds float64
	if err := json.Unmarshal(text, &seconds); err != nil {
		return err
	}
	whole, fraction := math.Modf(min(max(seconds, 0), lastSecond))
	*d = numericDate(time.Unix(int64(whole), int64(fraction*1e9)))
	return nil
}

// principal returns whom the claims name, if the claims allow this resource to believe them now.
func (v *OIDCVerifier) principal(t *token, now time.Time) (capabilities.Principal, error) {
	c := &t.claims
	if c.Issuer != v.config.Issuer {
		return capabilities.Principal{}, refuse("it is of another issuer")
	}
	for _, audience := range c.Audience {
		if canonical(audience) == v.audience {
			t.audience = audience
		}
	}
	if t.audience == "" {
		return capabilities.Principal{}, refuse("it is not for this audience")
	}
	if reason := c.timeFault(now, v.config.Skew); reason != "" {
		return capabilities.Principal{}, refuse(reason)
	}
	if !t.header.accessToken() && c.otherKind() {
		return capabilities.Principal{}, refuse("it is another kind of token than an access token")
	}
	if _, bound := c.Rest["cnf"]; bound {
		// Whoever sends it must prove that he has the key (RFC 9449, section 7.1; RFC 8705, section 3). Without the proof it may be stolen.
		return capabilities.Principal{}, refuse("it is bound to a key of its client, and no bearer token")
	}
	return v.identity(t)
}

func (c *claims) timeFault(now time.Time, skew time.Duration) string {
	switch {
	case c.Expires == nil:
		return "it never expires"
	case !now.Before(time.Time(*c.Expires).Add(skew)):
		return "it has expired"
	case c.NotBefore != nil && now.Add(skew).Before(time.Time(*c.NotBefore)):
		return "it is not valid yet"
	case c.IssuedAt != nil && now.Add(skew).Before(time.Time(*c.IssuedAt)):
		return "it was issued in the future"
	}
	return ""
}

// otherKind reports whether the claims are those of an ID token, which tells a client who the user is and gives nobody access (OpenID
// Connect Core 1.0, sections 2 and 3.3.2.11), or of a security event, such as a logout (RFC 8417, section 2.2).
func (c *claims) otherKind() bool {
	for _, name := range []string{"nonce", "at_hash", "c_hash", "events"} {
		if _, found := c.Rest[name]; found {
			return true
		}
	}
	return string(c.Rest["token_use"]) == `"id"` || string(c.Rest["typ"]) == `"ID"`
}

func (v *OIDCVerifier) identity(t *token) (capabilities.Principal, error) {
	c := &t.claims
	client, clientOK := c.text(v.config.ClientClaim, "client_id", "azp")
	tenant, tenantOK := c.text(v.config.TenantClaim)
	scopes, scopesOK := c.scopes(v.config.ScopeClaim)
	subject := c.Subject
	if subject == client {
		subject = ""
	}
	switch {
	case !clientOK:
		return capabilities.Principal{}, refuse("the claim that names its client is not a string")
	case !tenantOK:
		return capabilities.Principal{}, refuse("the claim that names its tenant is not a string")
	case !scopesOK:
		return capabilities.Principal{}, refuse("the claim that holds its scopes is neither a string nor an array of strings")
	case client == "" && t.header.accessToken():
		// RFC 9068 demands sub, iat and jti too, but widely used issuers leave one or the other out, and nothing here rests on them.
		return capabilities.Principal{}, refuse("it names no client, as an access token of RFC 9068 does")
	case client == "" && subject == "":
		return capabilities.Principal{}, refuse("it names neither a subject nor a client")
	}
	return capabilities.Principal{
		Issuer:    v.config.Issuer,
		Subject:   subject,
		TenantID:  tenant,
		ClientID:  client,
		Audience:  v.config.Audience,
		Scopes:    scopes,
		ExpiresAt: time.Time(*c.Expires),
	}, nil
}

// text returns a claim that is a string: the one of the given name, or else the first of the others that is there.
func (c *claims) text(name string, others ...string) (text string, ok bool) {
	value := c.pick(name, others)
	return text, value == nil || json.Unmarshal(value, &text) == nil && value.Kind() == '"'
}

// scopes returns the scopes of a token. RFC 9068 has the string scope; Okta has an array scp, Entra a string scp, Duende an array scope.
func (c *claims) scopes(name string) ([]string, bool) {
	value := c.pick(name, []string{"scope", "scp"})
	if value == nil {
		return nil, true
	}
	var parts oneOrMany
	if json.Unmarshal(value, &parts) != nil {
		return nil, false
	}
	var scopes []string
	for _, part := range parts {
		scopes = append(scopes, strings.Fields(part)...)
	}
	return scopes, true
}

func (c *claims) pick(name string, others []string) jsontext.Value {
	if name != "" {
		others = []string{name}
	}
	for _, other := range others {
		if value, found := c.Rest[other]; found {
			return value
		}
	}
	return nil
}
