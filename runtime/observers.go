package runtime

import (
	"bytes"

	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// minLogKey is the shortest key that digests in the log are made with, in bytes.
const minLogKey = 16

// observers are who is told of requests, beside the logger and the hooks.
type observers struct {
	tracers trace.TracerProvider
	meters  metric.MeterProvider
	logKey  []byte
}

// WithTracerProvider records a span of each MCP request by OpenTelemetry's conventions for MCP; see "What operators see" in the
// package's documentation. The handler's context carries the span, so that spans of the application's are its children. The default is none,
// also if the process has a global provider: pass otel.GetTracerProvider() to use that. The provider remains the application's, which
// shuts it down after the handler. A panic in it is logged once and dropped.
func WithTracerProvider(p trace.TracerProvider) Option {
	return func(c *config) {
		if p == nil {
			c.refuse("runtime.WithTracerProvider: the provider is nil: leave the option out for no spans")
		}
		c.observers.tracers = p
	}
}

// WithMeterProvider records the duration of each MCP request, in seconds, in the histogram mcp.server.operation.duration of
// OpenTelemetry's conventions for MCP. The default is none, also if the process has a global provider: pass otel.GetMeterProvider() to use
// that. The provider remains the application's. A panic in it is logged once and dropped.
func WithMeterProvider(p metric.MeterProvider) Option {
	return func(c *config) {
		if p == nil {
			c.refuse("runtime.WithMeterProvider: the provider is nil: leave the option out for no metrics")
		}
		c.observers.meters = p
	}
}

// WithLogKey sets the key of the digests by which the log and the spans name who calls and in which session, 16 bytes or more. They are keyed
// because a plain hash of an e-mail address is found by guessing. Keep the key like any secret, and give all replicas the same. The
// default is a random key for each handler: then digests of two handlers, or before and after a restart, do not compare.
func WithLogKey(key []byte) Option {
	return func(c *config) {
		if len(key) < minLogKey {
			c.refuse("runtime.WithLogKey: the key has %d bytes, it must have %d or more", len(key), minLogKey)
		}
		c.observers.logKey = bytes.Clone(key)
	}
}
