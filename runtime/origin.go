package runtime

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/rs/cors"
)

const (
	anyOrigin = "*"
	// nullOrigin is what a browser sends for a sandboxed frame or a file. Every page can make itself one.
	nullOrigin = "null"
	// preflightAge is how long a browser may go on with a preflight's answer, in seconds. The origin is checked on every request.
	preflightAge = 600
)

// WithCORSOrigins sets the origins whose pages may call this server, as browsers send them in the Origin header: scheme://host
// or scheme://host:port. A request with another origin is refused with 403, whatever its method; one without an origin comes
// from no page and is not asked. The default is none.
//
// "*" stands for every origin but "null", which has to be named. Origins are compared exactly: there are no other wildcards, and
// a default port is left out, as browsers do. What is allowed follows CORS: preflights are answered before authentication;
// the headers Authorization, Content-Type, Last-Event-ID and all that begin with Mcp- may be sent; Mcp-Session-Id, WWW-Authenticate
// and Retry-After may be read on every answer. Cookies are never allowed. A page of an origin that is listed by name may also
// reach this server on a private network.
func WithCORSOrigins(origins ...string) Option {
	return func(c *config) {
		c.origins = nil
		if len(origins) == 0 {
			return
		}
		for _, origin := range origins {
			if !isOrigin(origin) {
				c.refuse("runtime.WithCORSOrigins: %q is not an origin: write scheme://host[:port] without a path, %q or %q", origin, anyOrigin, nullOrigin)
			}
		}
		c.origins = newOrigins(origins)
	}
}

// isOrigin reports whether a browser could send the text for an origin, or whether it is "*" (RFC 6454, section 6.2).
func isOrigin(text string) bool {
	if text == anyOrigin || text == nullOrigin {
		return true
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != text || text != strings.ToLower(text) {
		return false
	}
	if port := u.Port(); port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || strconv.FormatUint(n, 10) != port || u.Scheme == "http" && n == 80 || u.Scheme == "https" && n == 443 {
			return false
		}
	}
	_, ok := readHost(u.Host)
	return ok && !strings.HasSuffix(u.Host, ":")
}

// origins are whose pages may call.
type origins struct {
	list []string
	any  bool
	cors *cors.Cors
}

func newOrigins(list []string) *origins {
	o := &origins{list: slices.Clone(list), any: slices.Contains(list, anyOrigin)}
	options := cors.Options{
		AllowedMethods: []string{http.MethodGet, http.MethodPost, http.MethodDelete},
		// Which headers may be sent is checked before: the library knows lists and not families.
		AllowedHeaders: []string{"*"},
		ExposedHeaders: []string{sessionHeader, "WWW-Authenticate", "Retry-After"},
		MaxAge:         preflightAge,
		// That any page of the web reaches into private networks is what this was made against.
		AllowPrivateNetwork: !o.any,
	}
	if o.any {
		options.AllowedOrigins = []string{anyOrigin}
	} else {
		options.AllowOriginFunc = o.allow
	}
	o.cors = cors.New(options)
	return o
}

func (o *origins) allow(origin string) bool {
	return slices.Contains(o.list, origin) && origin != anyOrigin || o.any && origin != nullOrigin && isOrigin(origin)
}

// crossOrigin refuses pages of origins that are not allowed, writes the CORS headers for the others, and answers OPTIONS. It reports
// whether the request is answered.
func (x *exchange) crossOrigin() (answered bool, refused *refusal) {
	lines, origins := x.r.Header["Origin"], x.h.config.origins
	switch {
	case origins == nil && len(lines) > 0:
		return false, invalidRequest(http.StatusForbidden, "requests with an Origin are not accepted")
	case origins == nil:
	case len(lines) > 0 && (len(lines) > 1 || !origins.allow(lines[0])):
		x.w.Header().Add("Vary", "Origin")
		return false, invalidRequest(http.StatusForbidden, "requests of this Origin are not accepted")
	case !isPreflight(x.r):
		origins.cors.HandlerFunc(x.w, x.r)
	case len(lines) > 0:
		return x.preflight(origins)
	}
	if x.r.Method != http.MethodOptions {
		return false, nil
	}
	// What the endpoint can do is no secret (RFC 9110, section 9.3.7).
	x.answered = true
	x.w.Header().Set("Allow", allowedMethods+", OPTIONS")
	x.w.WriteHeader(http.StatusNoContent)
	return true, nil
}

// preflight answers what a browser asks before it lets a page send a request. It has no credentials with it.
func (x *exchange) preflight(origins *origins) (answered bool, refused *refusal) {
	if !mayBeSent(x.r.Header["Access-Control-Request-Headers"]) {
		x.w.Header().Add("Vary", "Origin, Access-Control-Request-Headers")
		return false, invalidRequest(http.StatusForbidden, "the preflight names a header that is not accepted")
	}
	x.answered = true
	origins.cors.HandlerFunc(x.w, x.r)
	return true, nil
}

func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

// mayBeSent reports whether a page may send the headers that its browser asks for.
func mayBeSent(lines []string) bool {
	for _, line := range lines {
		for name := range strings.SplitSeq(line, ",") {
			switch name = strings.ToLower(strings.TrimSpace(name)); name {
			case "", "authorization", "content-type", "last-event-id", "accept", "accept-language", "content-language":
			default:
				if !strings.HasPrefix(name, "mcp-") {
					return false
				}
			}
		}
	}
	return true
}
