package runtime

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/executor"
)

// setting is a field of [Config] and what else it is called.
type setting struct {
	field  string
	flag   string // without the dash; "" for a secret
	env    string
	normal string // the default: a value, or words for it
	help   string // with back quotes around what -help calls the value
	kind
}

// settings is the table behind the environment, the flags, -help and the documents.
var settings = []setting{
	{"Host", "host", "CAPGEN_HOST", DefaultHost, "`address` to listen on: a name or an IP address",
		text(func(c *Config) *string { return &c.Host })},
	{"Port", "port", "CAPGEN_PORT", strconv.Itoa(DefaultPort), "TCP `port` to listen on; 0 takes a free one",
		port(func(c *Config) *int { return &c.Port })},
	{"Path", "path", "CAPGEN_PATH", EndpointPath, "`path` of the endpoint",
		text(func(c *Config) *string { return &c.Path })},
	{"PublicURL", "public-url", "CAPGEN_PUBLIC_URL", "", "`URL` by which clients reach the server, without the path",
		text(func(c *Config) *string { return &c.PublicURL })},
	{"AllowedHosts", "allowed-hosts", "CAPGEN_ALLOWED_HOSTS", "the loopback names on a loopback address, and the public URL's host", "`hosts` that the server is called by, with commas between them",
		list(func(c *Config) *[]string { return &c.AllowedHosts })},
	{"CORSOrigins", "cors-origins", "CAPGEN_CORS_ORIGINS", "", "`origins` whose pages may call the server, with commas between them; * is any but null",
		list(func(c *Config) *[]string { return &c.CORSOrigins })},
	{"Auth", "auth", "CAPGEN_AUTH", AuthNone, "`kind` of proof that callers give of who they are: none, bearer or oidc",
		text(func(c *Config) *string { return &c.Auth })},
	{"Token", "", "CAPGEN_TOKEN", "", "`token` of bearer authentication",
		text(func(c *Config) *string { return &c.Token })},
	{"TokenFile", "token-file", "CAPGEN_TOKEN_FILE", "", "`file` with the token of bearer authentication, unless it is in $CAPGEN_TOKEN",
		text(func(c *Config) *string { return &c.TokenFile })},
	{"TokenScopes", "token-scopes", "CAPGEN_TOKEN_SCOPES", "", "`scopes` that the token holds, with commas between them",
		list(func(c *Config) *[]string { return &c.TokenScopes })},
	{"Issuer", "issuer", "CAPGEN_ISSUER", "", "`URL` of the OpenID provider of oidc authentication",
		text(func(c *Config) *string { return &c.Issuer })},
	{"Audience", "audience", "CAPGEN_AUDIENCE", "the endpoint's public URL", "`URL` that tokens call this server by",
		text(func(c *Config) *string { return &c.Audience })},
	{"MaxSessions", "max-sessions", "CAPGEN_MAX_SESSIONS", strconv.Itoa(DefaultMaxSessions), "`number` of sessions that may be open at once",
		number(func(c *Config) *int { return &c.MaxSessions })},
	{"SessionTimeout", "session-timeout", "CAPGEN_SESSION_TIMEOUT", short(DefaultSessionTimeout), "`duration` that a session may lie idle",
		duration(func(c *Config) *time.Duration { return &c.SessionTimeout })},
	{"MaxRequestBytes", "max-request-bytes", "CAPGEN_MAX_REQUEST_BYTES", strconv.Itoa(DefaultMaxRequestBytes), "`bytes` that a request body may have",
		number(func(c *Config) *int { return &c.MaxRequestBytes })},
	{"Deadline", "deadline", "CAPGEN_DEADLINE", short(capabilities.DefaultDeadline), "`duration` that a call may run",
		duration(func(c *Config) *time.Duration { return &c.Deadline })},
	{"MaxCalls", "max-calls", "CAPGEN_MAX_CALLS", strconv.Itoa(executor.DefaultMaxCalls), "`number` of calls that may run at once",
		number(func(c *Config) *int { return &c.MaxCalls })},
	{"MaxStreams", "max-streams", "CAPGEN_MAX_STREAMS", strconv.Itoa(DefaultMaxStreams), "`number` of streams that may be open at once",
		number(func(c *Config) *int { return &c.MaxStreams })},
}

// nameOf writes what an operator sets a field with.
func nameOf(field string) string {
	for _, s := range settings {
		switch {
		case s.field != field:
		case s.flag == "":
			return s.env
		default:
			return s.env + " or -" + s.flag
		}
	}
	return field
}

// FromEnv sets the fields whose variables are set, such as CAPGEN_PORT for Port; lookup is [os.LookupEnv] in a program. An empty
// variable counts as none. Lists have commas between their elements. The error names every variable that is malformed and what it
// should be; those fields are left as they were.
func (c *Config) FromEnv(lookup func(name string) (string, bool)) error {
	var errs []error
	for _, s := range settings {
		value, ok := lookup(s.env)
		if !ok || value == "" {
			continue
		}
		if err := s.set(c, value); err != nil {
			errs = append(errs, fmt.Errorf("%s: %q is not %w", s.env, value, err))
		}
	}
	return errors.Join(errs...)
}

// Flags defines a flag for each field but Token, such as -port for Port. What the fields hold now is what -help shows as the default,
// and what the command line says takes its place: after FromEnv, flags count over the environment, and that over the code. The Config
// must not be copied before the flags are parsed.
func (c *Config) Flags(flags *flag.FlagSet) {
	for _, s := range settings {
		if s.flag != "" {
			flags.Var(&flagValue{to: c, setting: s}, s.flag, s.usage())
		}
	}
}

// usage is what -help says of a flag.
func (s setting) usage() string {
	usage := s.help
	if s.inWords() {
		usage += " (default: " + s.normal + ")"
	}
	return usage + " [$" + s.env + "]"
}

// inWords reports whether the default is no value.
func (s setting) inWords() bool { return strings.Contains(s.normal, " ") }

// flagValue is a setting as package flag wants it.
type flagValue struct {
	to      *Config
	setting setting
}

// String implements flag.Value. Package flag also asks a zero value, to find out which defaults it need not print.
func (v *flagValue) String() string {
	switch {
	case v.to == nil:
		return ""
	case v.setting.inWords():
		return v.setting.get(v.to)
	}
	return cmp.Or(v.setting.get(v.to), v.setting.normal)
}

// Set implements flag.Value.
func (v *flagValue) Set(value string) error {
	if err := v.setting.set(v.to, value); err != nil {
		return fmt.Errorf("it is not %w", err)
	}
	return nil
}
