package runtime

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

// WithAllowedHosts sets the names that this server is called by: a request whose Host header has another one is refused with
// 403. It keeps a page elsewhere from making its own name mean this machine (DNS rebinding), and is what a server behind a
// reverse proxy needs, which mostly passes the public name on. X-Forwarded-Host is not read.
//
// An entry is a name or an IP address, an IPv6 address in brackets, as in tools.example.com, 10.0.0.7:8053 or [::1]; one
// without a port is for every port. Letter case and a dot at the end do not count, and there are no wildcards. The list is the
// whole of it: also the loopback names count only if they are in it.
//
// Without the option a connection to a loopback address needs a loopback name, and no other connection is asked: a handler
// does not know what it is mounted in. [Run] and [Config.Options] do, and demand a name.
func WithAllowedHosts(hosts ...string) Option {
	return func(c *config) {
		if len(hosts) == 0 {
			c.refuse("runtime.WithAllowedHosts: there is no host, so that nobody could call; give one or more")
		}
		c.hosts = make([]host, len(hosts))
		for i, entry := range hosts {
			var ok bool
			if c.hosts[i], ok = readHost(entry); !ok {
				c.refuse("runtime.WithAllowedHosts: %q is not a host: write a name or an IP address, as in tools.example.com, tools.example.com:8053 or [::1]", entry)
			}
		}
	}
}

// host is what a Host header says, in the one form that hosts are compared in.
type host struct {
	name string // a name in lower case, or an IP address without brackets
	port string // "" when it is not said
}

// hostName is what DNS and container networks use. Names beyond ASCII travel in their xn-- form.
var hostName = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$`)

func readHost(text string) (host, bool) {
	h := host{name: text}
	if name, port, err := net.SplitHostPort(text); err == nil {
		h.name = name
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return host{}, false
		}
		h.port = port
		if strings.Contains(name, ":") != strings.HasPrefix(text, "[") {
			return host{}, false
		}
	} else if inner, bracketed := strings.CutPrefix(text, "["); bracketed {
		inner, closed := strings.CutSuffix(inner, "]")
		if !closed || !strings.Contains(inner, ":") {
			return host{}, false
		}
		h.name = inner
	}
	if ip, err := netip.ParseAddr(h.name); err == nil {
		h.name = ip.Unmap().String()
		return h, strings.HasPrefix(text, "[") == ip.Is6()
	}
	h.name = strings.ToLower(strings.TrimSuffix(h.name, "."))
	return h, hostName.MatchString(h.name)
}

func (h host) isLoopback() bool {
	if h.name == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(h.name)
	return err == nil && ip.IsLoopback()
}

// covers reports whether an entry of a list stands for what a request says. A client leaves the port out when it is its
// scheme's own.
func (h host) covers(said host) bool {
	return h.name == said.name && (h.port == "" || h.port == said.port || said.port == "" && (h.port == "443" || h.port == "80"))
}

// checkHost refuses names that are not this server's (2026-07-28, basic/transports/streamable-http, "Security").
func (c *config) checkHost(r *http.Request) *refusal {
	if last := c.acceptedHost.Load(); last != nil && *last == r.Host {
		return nil
	}
	refused, accepted := c.readAndCheckHost(r)
	if accepted {
		host := strings.Clone(r.Host)
		c.acceptedHost.Store(&host)
	}
	return refused
}

// readAndCheckHost also reports whether the name itself was accepted, so that it need not be read again when the next request has it, as mostly.
func (c *config) readAndCheckHost(r *http.Request) (refused *refusal, accepted bool) {
	said, ok := readHost(r.Host)
	if len(c.hosts) > 0 {
		for _, allowed := range c.hosts {
			if ok && allowed.covers(said) {
				return nil, true
			}
		}
		return invalidRequest(http.StatusForbidden, "the Host header is none of the allowed hosts"), false
	}
	if ok && said.isLoopback() {
		return nil, true
	}
	local, known := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !known || !isLoopbackAddr(local) {
		return nil, false
	}
	return invalidRequest(http.StatusForbidden, "the Host header does not name this machine"), false
}

func isLoopbackAddr(addr net.Addr) bool {
	at, err := netip.ParseAddrPort(addr.String())
	return err == nil && at.Addr().Unmap().IsLoopback()
}

// bracket writes a name or an address as it stands in a URL.
func bracket(name string) string {
	if strings.Contains(name, ":") {
		return fmt.Sprintf("[%s]", name)
	}
	return name
}
