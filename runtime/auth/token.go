package auth

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// token is an access token in parts. Until a key has verified the signature, nothing in it is true.
type token struct {
	text     string
	header   header
	claims   claims
	audience string // the one of the claim aud that names this resource, as the token spells it
}

// header is what counts of a JWS header (RFC 7515, section 4.1). Keys that a token brings along or points to, in jwk, jku, x5c or
// x5u, are not read: a key counts because the issuer publishes it. Some issuers send jku with every token, so it is no fault.
type header struct {
	Algorithm   string         `json:"alg"`
	KeyID       string         `json:"kid"`
	Type        string         `json:"typ"`
	ContentType string         `json:"cty"`
	Critical    jsontext.Value `json:"crit"`
	Base64      jsontext.Value `json:"b64"`
	Encryption  jsontext.Value `json:"enc"`
}

// parse reads a token and refuses what its form and its header decide.
func (v *OIDCVerifier) parse(text string) (*token, error) {
	if len(text) > MaxTokenBytes {
		return nil, refuse("it is too long")
	}
	// The decoders below skip line ends, and go-oidc skips any space.
	if !isBearer(text) {
		return nil, refuse("it holds a character that a bearer token cannot have")
	}
	segments := strings.Split(text, ".")
	switch len(segments) {
	case 3:
	case 5:
		return nil, refuse("it is encrypted, and this server has no key of its own")
	default:
		return nil, refuse("it is not a JWT")
	}
	t := &token{text: text}
	if !decodePart(segments[0], &t.header) {
		return nil, refuse("its header is not as of RFC 7515")
	}
	if reason := v.headerFault(t.header); reason != "" {
		return nil, refuse(reason)
	}
	if !decodePart(segments[1], &t.claims) {
		return nil, refuse("its claims are not an object with unique names and the types of RFC 7519")
	}
	return t, nil
}

// decodePart reads a part of a JWT. Names that are there twice and broken UTF-8 are faults: two readers could see different things.
func decodePart(segment string, into any) bool {
	text, err := base64.RawURLEncoding.DecodeString(segment)
	return err == nil && len(text) > 0 && text[0] == '{' && json.Unmarshal(text, into) == nil
}

func (v *OIDCVerifier) headerFault(h header) string {
	kind := strings.ToLower(h.Type)
	switch {
	case !slices.Contains(v.config.Algorithms, h.Algorithm):
		return "its algorithm is not one of those allowed"
	case h.Critical != nil:
		return "it has critical header parameters, and none is known here"
	case h.Base64 != nil || h.Encryption != nil || h.ContentType != "":
		return "its content is not plain claims"
	case h.accessToken():
		return ""
	case v.config.RequireTyped:
		return "its typ is not at+jwt"
	case kind != "" && kind != "jwt" && kind != "application/jwt":
		return "its typ is that of something other than an access token"
	}
	return ""
}

// accessToken reports whether the token says that it is one (RFC 9068, section 2.1). Media types are compared without case, and
// "application/" may be left out (RFC 7515, section 4.1.9).
func (h header) accessToken() bool {
	kind := strings.ToLower(h.Type)
	return kind == "at+jwt" || kind == "application/at+jwt"
}
