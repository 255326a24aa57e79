package runtime

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// checkHost refuses names that a page elsewhere could have made to mean this machine (DNS rebinding): on a connection to a
// loopback address the Host header must name the loopback too (2026-07-28, basic/transports/streamable-http, "Security").
func checkHost(r *http.Request) *refusal {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok || !isLoopbackAddr(local) || isLoopbackHost(r.Host) {
		return nil
	}
	return invalidRequest(http.StatusForbidden, "the Host header does not name this machine")
}

// checkOrigin refuses every request that a browser sends for a page: the header is theirs alone. "null" is an origin too.
func checkOrigin(r *http.Request) *refusal {
	if len(r.Header["Origin"]) == 0 {
		return nil
	}
	return invalidRequest(http.StatusForbidden, "requests with an Origin are not accepted")
}

func isLoopbackAddr(addr net.Addr) bool {
	at, err := netip.ParseAddrPort(addr.String())
	return err == nil && at.Addr().Unmap().IsLoopback()
}

func isLoopbackHost(host string) bool {
	if name, port, err := net.SplitHostPort(host); err == nil && port != "" {
		host = name
	} else if inner, bracketed := strings.CutPrefix(host, "["); bracketed {
		host = strings.TrimSuffix(inner, "]")
	}
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
