package runtime

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/auth"
)

// The principal of a static token, whom the configuration has no name for.
const (
	tokenIssuer  = "capgen"
	tokenSubject = "operator"
)

// endpointPath keeps clear of what is a pattern to http.ServeMux.
var endpointPath = regexp.MustCompile(`^/[A-Za-z0-9._~/-]*$`)

// checkListen checks where the server is and what it is called.
func (c Config) checkListen() (errs []error) {
	if _, ok := readHost(bracket(c.Host)); !ok {
		errs = append(errs, fmt.Errorf("the Host %q is neither a name nor an IP address: write one without a port, such as %s", c.Host, DefaultHost))
	}
	if c.Port != FreePort && (c.Port < 1 || c.Port > 65535) {
		errs = append(errs, fmt.Errorf("the Port %d is not from 1 to 65535: FreePort takes one that is free", c.Port))
	}
	if !endpointPath.MatchString(c.Path) || path.Clean(c.Path) != c.Path {
		errs = append(errs, fmt.Errorf("the Path %q is not a plain path: write one such as %s, without a slash at the end", c.Path, EndpointPath))
	}
	if isTaken(c.Path) {
		errs = append(errs, fmt.Errorf("the Path %q is taken: Run serves something else there", c.Path))
	}
	if c.PublicURL != "" && publicHost(c.PublicURL) == "" {
		errs = append(errs, errors.New("the PublicURL is not how a server is reached: write an http or https URL without query, fragment and user, such as https://tools.example.com"))
	}
	if !c.isLocal() && len(c.AllowedHosts) == 0 && c.PublicURL == "" {
		errs = append(errs, fmt.Errorf("the Host %q can be reached from other machines, and nothing says by which name: set PublicURL (%s) to how clients reach it, or AllowedHosts (%s)",
			c.Host, nameOf("PublicURL"), nameOf("AllowedHosts")))
	}
	return errs
}

// isTaken reports whether Run serves something of its own at a path.
func isTaken(path string) bool {
	return path == healthPath || path == readyPath || path == MetadataPath || strings.HasPrefix(path, MetadataPath+"/")
}

// publicHost returns the host of a PublicURL without its port, or "" when that is none.
func publicHost(text string) string {
	u, err := url.Parse(text)
	if err != nil || checkURL(text) != nil || u.RawQuery != "" || u.ForceQuery {
		return ""
	}
	if _, ok := readHost(u.Host); !ok {
		return ""
	}
	return bracket(u.Hostname())
}

// bearer returns how callers prove who they are, nil if they need not. Every request is asked: an operator who turns authentication
// on expects no exception.
func (c Config) bearer() (*Bearer, []error) {
	errs := c.checkAuth()
	if len(errs) > 0 || c.Auth == AuthNone {
		return nil, errs
	}
	always := true
	b := &Bearer{Resource: c.Audience, Required: &always}
	if b.Resource == "" {
		b.Resource = strings.TrimSuffix(c.base()+c.Path, "/")
	}
	var err error
	if c.Auth == AuthOIDC {
		b.AuthorizationServers = []string{c.Issuer}
		b.Verifier, err = auth.NewOIDC(auth.OIDC{Issuer: c.Issuer, Audience: b.Resource})
	} else {
		b.Verifier, err = c.tokenVerifier(b.Resource)
	}
	if err != nil {
		return nil, []error{err}
	}
	return b, nil
}

// checkAuth names what is missing for the kind of authentication, and what is there for another: that would look as if it protected
// something.
func (c Config) checkAuth() (errs []error) {
	refuse := func(wrong bool, format string, args ...any) {
		if wrong {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	isNone, isBearer, isOIDC := c.Auth == AuthNone, c.Auth == AuthBearer, c.Auth == AuthOIDC
	refuse(!isNone && !isBearer && !isOIDC, "the Auth %q is not known: write %s, %s or %s", c.Auth, AuthNone, AuthBearer, AuthOIDC)
	refuse(c.Token != "" && c.TokenFile != "", "Token and TokenFile are both set: leave one out (%s, %s)", nameOf("Token"), nameOf("TokenFile"))
	refuse(isBearer && c.Token == "" && c.TokenFile == "", "the Auth is bearer and there is no token: set TokenFile (%s) or Token (%s)", nameOf("TokenFile"), nameOf("Token"))
	refuse(!isBearer && (c.Token != "" || c.TokenFile != "" || len(c.TokenScopes) > 0),
		"a token is set and the Auth is %s, so that it is not asked for: set Auth (%s) to bearer, or leave Token, TokenFile and TokenScopes out", c.Auth, nameOf("Auth"))
	refuse(isOIDC && c.Issuer == "", "the Auth is oidc and there is no Issuer: set it (%s) to the URL of the OpenID provider", nameOf("Issuer"))
	refuse(!isOIDC && c.Issuer != "", "an Issuer is set and the Auth is %s, so that its tokens are not asked for: set Auth (%s) to oidc, or leave Issuer out", c.Auth, nameOf("Auth"))
	refuse(isOIDC && !c.isLocal() && c.PublicURL == "" && c.Audience == "",
		"tokens are for one server, and nothing says what they call it: set PublicURL (%s) or Audience (%s)", nameOf("PublicURL"), nameOf("Audience"))
	refuse(!isNone && c.Port == FreePort && c.PublicURL == "" && c.Audience == "",
		"tokens are for one server, and its port is not known beforehand: set Audience (%s), or a Port", nameOf("Audience"))
	return errs
}

func (c Config) tokenVerifier(audience string) (auth.Verifier, error) {
	token := c.Token
	if c.TokenFile != "" {
		text, err := os.ReadFile(c.TokenFile)
		if err != nil {
			return nil, fmt.Errorf("the TokenFile: %w", err)
		}
		token = strings.TrimSpace(string(text))
	}
	for _, scope := range c.TokenScopes {
		if err := capabilities.CheckScope(scope); err != nil {
			return nil, fmt.Errorf("the TokenScopes: %w", err)
		}
	}
	return auth.NewStatic(auth.StaticToken{Token: token, Principal: capabilities.Principal{
		Issuer: tokenIssuer, Subject: tokenSubject, Audience: audience, Scopes: c.TokenScopes,
	}})
}
