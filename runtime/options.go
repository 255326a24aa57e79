package runtime

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync/atomic"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/mcptool"
	"github.com/capgen/capgen/runtime/executor"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds and defaults of the options.
const (
	// DefaultMaxRequestBytes is the largest request body that is read, in bytes.
	DefaultMaxRequestBytes = 32 << 10
	// MaxRequestBytes is the largest that [WithMaxRequestBytes] may allow.
	MaxRequestBytes = 1 << 20
	// DefaultMaxSessions is how many sessions may be open at once.
	DefaultMaxSessions = 100
	// DefaultSessionTimeout is how long a session may lie idle.
	DefaultSessionTimeout = time.Hour
)

// Option configures [NewHandler] and [Run]. Of two options that set the same thing the later one counts. An option that is
// out of range is reported when the handler is built, by name, and all of them at once.
type Option func(*config)

type config struct {
	info            mcp.Implementation
	instructions    string
	maxRequestBytes int
	deadline        time.Duration
	maxCalls        int
	maxSessions     int
	maxStreams      int
	sessionTimeout  time.Duration
	toolName        func(capabilities.ID) string
	onToolFailure   []func(context.Context, ToolFailure)
	onListen        []func(net.Addr)
	logger          *slog.Logger
	hosts           []host                 // empty: loopback names on loopback connections
	acceptedHost    atomic.Pointer[string] // the Host header that was accepted last
	origins         *origins               // nil: none
	access          access
	server          []func(*mcp.Server)
	serverOptions   []func(*mcp.ServerOptions)
	interceptors    []executor.Interceptor
	observers       observers
	dialects        map[string]mcptool.Profile // by their paths
	timing
	errs []error
}

// timing is what nobody needs to configure and tests cannot wait for.
type timing struct {
	commitAfter time.Duration // how long a call may take before its answer becomes a stream
	keepAlive   time.Duration // how often a silent stream is written to; proxies cut after 30 to 60 s
	bodyWait    time.Duration // how long a body may take to arrive
	writeWait   time.Duration // how long one write to a stream may take
	drainWait   time.Duration // how long Run lets calls go on when its context ends
	cancelWait  time.Duration // how long it then waits for the cancelled ones to be answered
	policyWait  time.Duration // how long a token's verifier and a store of grants may take, each
	expirySkew  time.Duration // how much later than ours the clock of a token's issuer may be
}

func newConfig(options []Option) (*config, error) {
	c := &config{
		info:            buildInfo(),
		maxRequestBytes: DefaultMaxRequestBytes,
		deadline:        capabilities.DefaultDeadline,
		maxCalls:        executor.DefaultMaxCalls,
		maxSessions:     DefaultMaxSessions,
		maxStreams:      DefaultMaxStreams,
		sessionTimeout:  DefaultSessionTimeout,
		logger:          slog.Default(),
		timing: timing{
			commitAfter: time.Second,
			keepAlive:   15 * time.Second,
			bodyWait:    10 * time.Second,
			writeWait:   30 * time.Second,
			drainWait:   10 * time.Second,
			cancelWait:  time.Second,
			policyWait:  5 * time.Second,
			expirySkew:  30 * time.Second,
		},
	}
	for _, option := range options {
		if option == nil {
			c.refuse("runtime: an option is nil")
			continue
		}
		option(c)
	}
	if c.logger != nil {
		c.logger = slog.New(containedHandler{c.logger.Handler()})
	}
	if c.observers.logKey == nil {
		c.observers.logKey = []byte(rand.Text())
	}
	return c, errors.Join(c.errs...)
}

func (c *config) refuse(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

// WithInstructions sets the text about this server that clients may give to their model: what the tools are for as a whole,
// and in which order to use them. The default is none.
func WithInstructions(text string) Option {
	return func(c *config) { c.instructions = text }
}

// WithMaxRequestBytes sets the largest request body that is read, from 1 byte to [MaxRequestBytes]; a larger one is answered
// with 413. The default is [DefaultMaxRequestBytes].
func WithMaxRequestBytes(n int) Option {
	return func(c *config) {
		if n < 1 || n > MaxRequestBytes {
			c.refuse("runtime.WithMaxRequestBytes(%d): the limit must be from 1 to %d bytes", n, MaxRequestBytes)
		}
		c.maxRequestBytes = n
	}
}

// WithDeadline sets how long a handler may run: more than 0 and at most [capabilities.MaxDeadline]. A capability's own
// timeout takes its place. At the deadline the handler's context ends and the caller is answered, even if the handler goes
// on. The default is [capabilities.DefaultDeadline].
func WithDeadline(d time.Duration) Option {
	return func(c *config) {
		if d <= 0 || d > capabilities.MaxDeadline {
			c.refuse("runtime.WithDeadline(%v): the deadline must be more than 0 and at most %v", d, capabilities.MaxDeadline)
		}
		c.deadline = d
	}
}

// WithMaxCalls sets how many handlers may run at once, 1 or more; a call past it is answered with 503 and Retry-After. A
// handler that is deaf to its context counts until it returns. The default is [executor.DefaultMaxCalls].
func WithMaxCalls(n int) Option {
	return func(c *config) {
		if n < 1 {
			c.refuse("runtime.WithMaxCalls(%d): the limit must be 1 or more", n)
		}
		c.maxCalls = n
	}
}

// WithMaxSessions sets how many sessions (revisions up to 2025-11-25) may be open at once, 1 or more; opening another is
// answered with 503 and Retry-After. The default is [DefaultMaxSessions].
func WithMaxSessions(n int) Option {
	return func(c *config) {
		if n < 1 {
			c.refuse("runtime.WithMaxSessions(%d): the limit must be 1 or more", n)
		}
		c.maxSessions = n
	}
}

// WithSessionTimeout sets how long a session may lie idle, without a request and without an open stream, before it is closed;
// more than 0. The default is [DefaultSessionTimeout].
func WithSessionTimeout(d time.Duration) Option {
	return func(c *config) {
		if d <= 0 {
			c.refuse("runtime.WithSessionTimeout(%v): the timeout must be more than 0", d)
		}
		c.sessionTimeout = d
	}
}

// WithToolNames chooses the names that agents call capabilities by, in place of the declared ones. It is called once for each
// capability while the handler is built. Names have 1 to 128 of the characters A-Z a-z 0-9 _ . - and must differ in more
// than letter case and "-" for "_", else the handler is not built.
func WithToolNames(name func(capabilities.ID) string) Option {
	return func(c *config) {
		if name == nil {
			c.refuse("runtime.WithToolNames: the function is nil")
		}
		c.toolName = name
	}
}

// WithLogger sets where calls are logged, one line each; see "What operators see" in the package's documentation. Calls that went well, or failed
// for their caller's sake, are at INFO; a logger whose level is above that gets the rest, and the others cost nothing. The default is
// slog.Default() when the handler is built. What a caller sent and what it was answered are never logged; texts of the application's own errors
// are. A panic in the logger's handler is dropped.
func WithLogger(logger *slog.Logger) Option {
	return func(c *config) {
		if logger == nil {
			c.refuse("runtime.WithLogger: the logger is nil; slog.New(slog.DiscardHandler) logs nothing")
		}
		c.logger = logger
	}
}
