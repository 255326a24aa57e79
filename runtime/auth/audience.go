package auth

import "strings"

// canonical writes an http or https URL in the one of its equivalent forms that audiences are compared in: scheme and host in lower
// case, no default port, and "/" for an empty path (RFC 3986, section 6.2.3). Clients write the resource that they ask a token for in
// either form, and what they write is what the issuer puts into the token. Other identifiers stay as they are.
func canonical(audience string) string {
	scheme, rest, found := strings.Cut(audience, "://")
	scheme = strings.ToLower(scheme)
	if !found || scheme != "http" && scheme != "https" {
		return audience
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host, path := rest[:end], rest[end:]
	for i := range len(host) {
		// A user name has case, and beyond ASCII lower case folds letters of different hosts into one.
		if host[i] == '@' || host[i] >= 0x80 {
			return audience
		}
	}
	host = strings.ToLower(host)
	if scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	} else {
		host = strings.TrimSuffix(host, ":80")
	}
	if path == "" {
		path = "/"
	}
	return scheme + "://" + host + path
}
