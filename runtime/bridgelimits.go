package runtime

import (
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Bounds and defaults of the options of [StartBridge].
const (
	// DefaultBridgeRequestBytes is the largest request body that a bridge reads, in bytes: as much as a [Handler] can be told to read.
	DefaultBridgeRequestBytes = MaxRequestBytes
	// MaxBridgeRequestBytes is the largest that [BridgeRequestBytes] may allow.
	MaxBridgeRequestBytes = 16 << 20
	// DefaultBridgeResponseBytes is the largest response body that a bridge passes on, in bytes.
	DefaultBridgeResponseBytes = 16 << 20
	// MaxBridgeResponseBytes is the largest that [BridgeResponseBytes] may allow.
	MaxBridgeResponseBytes = 1 << 30
	// DefaultBridgeRequestTimeout is how long a request may take with its response: twice the longest deadline of a call.
	DefaultBridgeRequestTimeout = 10 * time.Minute
	// MaxBridgeRequestTimeout is the longest that [BridgeRequestTimeout] may allow.
	MaxBridgeRequestTimeout = 24 * time.Hour
	// DefaultBridgeReadTimeout is how long a bridge waits for a request's headers, and then for its body.
	DefaultBridgeReadTimeout = 10 * time.Second
	// MaxBridgeReadTimeout is the longest that [BridgeReadTimeout] may allow.
	MaxBridgeReadTimeout = time.Minute
	// DefaultBridgeIdleTimeout is how long a bridge keeps a connection without a request.
	DefaultBridgeIdleTimeout = 2 * time.Minute
	// MaxBridgeIdleTimeout is the longest that [BridgeIdleTimeout] may allow.
	MaxBridgeIdleTimeout = time.Hour
	// DefaultBridgeConnections is how many connections a bridge serves at once.
	DefaultBridgeConnections = 64
	// MaxBridgeConnections is the most that [BridgeConnections] may allow.
	MaxBridgeConnections = 1024
)

const (
	// spareConnections are accepted past the limit, to be told 503. What comes past these too is closed without a word.
	spareConnections = 16
	// maxBridgeHeaderBytes bounds the header of a request, and that of a response.
	maxBridgeHeaderBytes = 64 << 10
)

// BridgeOption configures [StartBridge]. Of two options that set the same thing the later one counts. An option that is out of range
// is reported when the bridge is started, by name, and all of them at once.
type BridgeOption func(*bridgeConfig)

type bridgeConfig struct {
	requestBytes   int64
	responseBytes  int64
	requestTimeout time.Duration
	readTimeout    time.Duration
	idleTimeout    time.Duration
	connections    int
	logger         *slog.Logger

	// What nobody needs to configure and tests cannot wait for.
	writeWait time.Duration // how long one write may take
	closeWait time.Duration // how long Close waits, and how long an answer in place of a deaf handler's may take to be read

	errs []error
}

func newBridgeConfig(options []BridgeOption) (*bridgeConfig, error) {
	c := &bridgeConfig{
		requestBytes:   DefaultBridgeRequestBytes,
		responseBytes:  DefaultBridgeResponseBytes,
		requestTimeout: DefaultBridgeRequestTimeout,
		readTimeout:    DefaultBridgeReadTimeout,
		idleTimeout:    DefaultBridgeIdleTimeout,
		connections:    DefaultBridgeConnections,
		logger:         slog.Default(),
		writeWait:      30 * time.Second,
		closeWait:      time.Second,
	}
	for _, option := range options {
		if option == nil {
			c.refuse("runtime.StartBridge: an option is nil")
			continue
		}
		option(c)
	}
	return c, errors.Join(c.errs...)
}

func (c *bridgeConfig) refuse(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

// setTime is an option for a time of more than 0 and at most so long.
func (c *bridgeConfig) setTime(to *time.Duration, name string, d, most time.Duration) {
	if d <= 0 || d > most {
		c.refuse("runtime.%s(%v): the time must be more than 0 and at most %v", name, d, most)
	}
	*to = d
}

// setBytes is an option for a size of at least 1 byte and at most so many.
func (c *bridgeConfig) setBytes(to *int64, name string, n, most int) {
	if n < 1 || n > most {
		c.refuse("runtime.%s(%d): the limit must be from 1 to %d bytes", name, n, most)
	}
	*to = int64(n)
}

// BridgeRequestBytes sets the largest request body, from 1 byte to [MaxBridgeRequestBytes]; a larger one is answered with 413 and the
// handler does not see it. The handler may have a lower limit of its own. The default is [DefaultBridgeRequestBytes].
func BridgeRequestBytes(n int) BridgeOption {
	return func(c *bridgeConfig) { c.setBytes(&c.requestBytes, "BridgeRequestBytes", n, MaxBridgeRequestBytes) }
}

// BridgeResponseBytes sets the largest response body, all events of a stream together, from 1 byte to [MaxBridgeResponseBytes]. A larger one
// is answered with 500 while that is possible; once the client has a part of it the connection is cut, which the client reads as
// an error. The default is [DefaultBridgeResponseBytes].
func BridgeResponseBytes(n int) BridgeOption {
	return func(c *bridgeConfig) { c.setBytes(&c.responseBytes, "BridgeResponseBytes", n, MaxBridgeResponseBytes) }
}

// BridgeRequestTimeout sets how long a request may take, from the end of its header to the end of its response, a stream's too: more
// than 0 and at most [MaxBridgeRequestTimeout]. Then its context ends, and the client gets 504, or the connection is cut if it has a part of
// the response; a handler that goes on is not waited for. The default is [DefaultBridgeRequestTimeout].
func BridgeRequestTimeout(d time.Duration) BridgeOption {
	return func(c *bridgeConfig) {
		c.setTime(&c.requestTimeout, "BridgeRequestTimeout", d, MaxBridgeRequestTimeout)
	}
}

// BridgeReadTimeout sets how long the header of a request may take to arrive, and then its body: each more than 0 and at most
// [MaxBridgeReadTimeout]. A late header is a closed connection, a late body is answered with 408. The default is [DefaultBridgeReadTimeout].
func BridgeReadTimeout(d time.Duration) BridgeOption {
	return func(c *bridgeConfig) { c.setTime(&c.readTimeout, "BridgeReadTimeout", d, MaxBridgeReadTimeout) }
}

// BridgeIdleTimeout sets how long a connection may lie idle between two requests before it is closed: more than 0 and at most
// [MaxBridgeIdleTimeout]. The default is [DefaultBridgeIdleTimeout].
func BridgeIdleTimeout(d time.Duration) BridgeOption {
	return func(c *bridgeConfig) { c.setTime(&c.idleTimeout, "BridgeIdleTimeout", d, MaxBridgeIdleTimeout) }
}

// BridgeConnections sets how many connections may be open at once, from 1 to [MaxBridgeConnections]. A request on another is answered with
// 503 and Retry-After, and more than a few of these are closed at once. A connection counts until its handler has returned, also when it was
// cut before. The default is [DefaultBridgeConnections].
func BridgeConnections(n int) BridgeOption {
	return func(c *bridgeConfig) {
		if n < 1 || n > MaxBridgeConnections {
			c.refuse("runtime.BridgeConnections(%d): the limit must be from 1 to %d", n, MaxBridgeConnections)
		}
		c.connections = n
	}
}

// BridgeLogger sets where panics of the handler are logged, and a fault that ends the bridge. The default is slog.Default() when the bridge
// is started. What a client sent is never logged, and neither is the URL.
func BridgeLogger(logger *slog.Logger) BridgeOption {
	return func(c *bridgeConfig) {
		if logger == nil {
			c.refuse("runtime.BridgeLogger: the logger is nil; slog.New(slog.DiscardHandler) logs nothing")
		}
		c.logger = logger
	}
}
