package runtime

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Defaults of [Config].
const (
	// DefaultHost is where [Run] listens: on this machine alone.
	DefaultHost = "127.0.0.1"
	// DefaultPort is the port that [Run] listens on.
	DefaultPort = 8053
	// EndpointPath is the path under which [Run] serves MCP.
	EndpointPath = "/mcp"
	// FreePort as a [Config.Port] takes a port that is free, as for a test.
	FreePort = -1
)

// What [Config.Auth] can be.
const (
	// AuthNone asks nobody who they are.
	AuthNone = "none"
	// AuthBearer asks every request for the one token in [Config.Token].
	AuthBearer = "bearer"
	// AuthOIDC asks every request for a token of the OpenID provider in [Config.Issuer].
	AuthOIDC = "oidc"
)

// Config is what an operator says about a server, in code, in the environment ([Config.FromEnv]) and on the command line
// ([Config.Flags]). The zero value is a server at http://127.0.0.1:8053/mcp for this machine alone. What a Config says becomes
// options ([Config.Options]); what it leaves at zero keeps the option's default. It is plain data: copies are independent but for
// their slices.
type Config struct {
	// Host is the name or IP address to listen on, an IPv6 address without brackets; "" means [DefaultHost]. On an address that
	// other machines reach, [Run] demands authentication, and a PublicURL or AllowedHosts.
	Host string
	// Port is the TCP port to listen on, 1 to 65535; 0 means [DefaultPort] and [FreePort] one that is free.
	Port int
	// Path is where MCP is served, such as /tools/mcp; "" means [EndpointPath].
	Path string
	// PublicURL is how clients reach the server when they do not by Host and Port, without Path, such as
	// https://tools.example.com; "" means that they do.
	PublicURL string
	// AllowedHosts are the names that the server is called by; see [WithAllowedHosts]. None means the loopback names when Host is one,
	// and that of PublicURL.
	AllowedHosts []string
	// CORSOrigins are the origins whose pages may call the server; see [WithCORSOrigins]. None means that no page may.
	CORSOrigins []string

	// Auth says how callers prove who they are: [AuthNone], [AuthBearer] or [AuthOIDC]; "" means AuthNone. It admits nobody to
	// anything but public reads: that is for [WithGrants] or [ResolveContext]. A program with a verifier of its own has AuthNone and
	// gives [WithBearer].
	Auth string
	// Token is the token of AuthBearer; see [auth.StaticToken] for its form. Whoever has it is the principal with the issuer "capgen" and the
	// subject "operator". It has no flag, since all of a machine can read command lines.
	Token string
	// TokenFile is a file that holds the token, in place of Token. White space around it is dropped.
	TokenFile string
	// TokenScopes are the scopes that Token holds.
	TokenScopes []string
	// Issuer is the URL of AuthOIDC's provider; see [auth.OIDC].
	Issuer string
	// Audience identifies this server in tokens, as an http or https URL; "" means PublicURL and Path, or else Host, Port and Path.
	Audience string

	// MaxSessions is how many sessions may be open at once; 0 means [DefaultMaxSessions].
	MaxSessions int
	// SessionTimeout is how long a session may lie idle; 0 means [DefaultSessionTimeout].
	SessionTimeout time.Duration
	// MaxRequestBytes is the largest request body, up to [MaxRequestBytes]; 0 means [DefaultMaxRequestBytes].
	MaxRequestBytes int
	// Deadline is how long a handler may run, up to [capabilities.MaxDeadline]; 0 means [capabilities.DefaultDeadline].
	Deadline time.Duration
	// MaxCalls is how many handlers may run at once; 0 means [executor.DefaultMaxCalls].
	MaxCalls int
	// MaxStreams is how many streams may be open at once; 0 means [DefaultMaxStreams].
	MaxStreams int
}

// SetAddress sets Host and Port from an address of the form HOST:PORT, as a command with one flag for both takes it; port 0 is [FreePort]. The
// error says that it has another form. Without HOST it is [DefaultHost], and not every address.
func (c *Config) SetAddress(address string) error {
	host, text, err := net.SplitHostPort(address)
	port, portErr := strconv.ParseUint(text, 10, 16)
	if err != nil || portErr != nil {
		return fmt.Errorf("the address %q is not of the form HOST:PORT, such as %s", address, net.JoinHostPort(DefaultHost, strconv.Itoa(DefaultPort)))
	}
	c.Host, c.Port = host, int(port)
	if port == 0 {
		c.Port = FreePort
	}
	return nil
}

// complete puts the defaults of where to listen in the place of zeros.
func (c Config) complete() Config {
	if c.Host == "" {
		c.Host = DefaultHost
	}
	if c.Port == 0 {
		c.Port = DefaultPort
	}
	if c.Path == "" {
		c.Path = EndpointPath
	}
	if c.Auth == "" {
		c.Auth = AuthNone
	}
	return c
}

// URL returns the endpoint's URL on this machine, for a server that listens on addr; see [OnListen].
func (c Config) URL(addr net.Addr) string {
	return "http://" + addr.String() + c.complete().Path
}

// Options returns what the Config says as options, for [NewHandler] in a server of the application's own. [Run] adds them by itself.
// Mistakes are reported when the handler is built, all at once, by the name of the field. The file of TokenFile is read here.
func (c Config) Options() []Option {
	c = c.complete()
	var options []Option
	add := func(wanted bool, option func() Option) {
		if wanted {
			options = append(options, option())
		}
	}
	for _, err := range c.checkListen() {
		options = append(options, func(to *config) { to.refuse("runtime.Config: %w", err) })
	}
	add(len(c.allowedHosts()) > 0, func() Option { return WithAllowedHosts(c.allowedHosts()...) })
	add(len(c.CORSOrigins) > 0, func() Option { return WithCORSOrigins(c.CORSOrigins...) })
	bearer, errs := c.bearer()
	for _, err := range errs {
		options = append(options, func(to *config) { to.refuse("runtime.Config: %w", err) })
	}
	add(bearer != nil, func() Option { return WithBearer(*bearer) })
	add(c.MaxSessions != 0, func() Option { return WithMaxSessions(c.MaxSessions) })
	add(c.SessionTimeout != 0, func() Option { return WithSessionTimeout(c.SessionTimeout) })
	add(c.MaxRequestBytes != 0, func() Option { return WithMaxRequestBytes(c.MaxRequestBytes) })
	add(c.Deadline != 0, func() Option { return WithDeadline(c.Deadline) })
	add(c.MaxCalls != 0, func() Option { return WithMaxCalls(c.MaxCalls) })
	add(c.MaxStreams != 0, func() Option { return WithMaxStreams(c.MaxStreams) })
	return options
}

// address is what to listen on.
func (c Config) address() string {
	port := c.Port
	if port == FreePort {
		port = 0
	}
	return net.JoinHostPort(c.Host, strconv.Itoa(port))
}

// isLocal reports whether only this machine can connect.
func (c Config) isLocal() bool {
	h, ok := readHost(bracket(c.Host))
	return ok && h.isLoopback()
}

// allowedHosts are the names of AllowedHosts, or those that follow from the other fields. None leaves it to the connection.
func (c Config) allowedHosts() []string {
	if len(c.AllowedHosts) > 0 {
		return slices.Clone(c.AllowedHosts)
	}
	public := publicHost(c.PublicURL)
	if public == "" {
		return nil
	}
	if c.isLocal() {
		return []string{public, "localhost", "127.0.0.1", "[::1]", bracket(c.Host)}
	}
	return []string{public}
}

// base is the URL that the endpoint's path follows.
func (c Config) base() string {
	if c.PublicURL != "" {
		return strings.TrimSuffix(c.PublicURL, "/")
	}
	return "http://" + net.JoinHostPort(c.Host, strconv.Itoa(c.Port))
}
