package runtime

import (
	"context"
	"net/http"
	"strings"

	"github.com/capgen/capgen/runtime/internal/envelope"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// maxTraceState bounds a tracestate, in bytes (W3C Trace Context, section 3.3.1.5); a longer one is dropped.
const maxTraceState = 512

// traceCarrier is a trace context as it came.
type traceCarrier struct{ parent, state string }

// Get implements propagation.TextMapCarrier.
func (c traceCarrier) Get(key string) string {
	switch key {
	case "traceparent":
		return c.parent
	case "tracestate":
		return c.state
	}
	return ""
}

// Set implements propagation.TextMapCarrier.
func (traceCarrier) Set(string, string) {}

// Keys implements propagation.TextMapCarrier.
func (traceCarrier) Keys() []string { return []string{"traceparent", "tracestate"} }

// read returns the span that is named; it is not valid when none is, or not as W3C Trace Context has it.
func (c traceCarrier) read() trace.SpanContext {
	if c.parent == "" {
		return trace.SpanContext{}
	}
	if len(c.state) > maxTraceState {
		c.state = ""
	}
	return trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), c))
}

// spanInMeta returns the span that a message's _meta names (SEP-414: the keys are without prefix).
func spanInMeta(text []byte) trace.SpanContext {
	meta, _ := envelope.ReadObject(text)
	parent, _ := envelope.ReadString(meta.Get("traceparent"))
	state, _ := envelope.ReadString(meta.Get("tracestate"))
	return traceCarrier{parent, state}.read()
}

// spanOfTransport returns the span that the HTTP request is part of: the application's own, when it traces requests, or the one that the
// headers name.
func spanOfTransport(ctx context.Context, header http.Header) trace.SpanContext {
	if own := trace.SpanContextFromContext(ctx); own.IsValid() {
		return own
	}
	if lines := header["Traceparent"]; len(lines) == 1 {
		return traceCarrier{lines[0], strings.Join(header["Tracestate"], ",")}.read()
	}
	return trace.SpanContext{}
}

// traceID returns the trace that the operation is part of, if anybody named one.
func (o *operation) traceID() trace.TraceID {
	if o.span != nil {
		return trace.SpanContextFromContext(o.r.Context()).TraceID()
	}
	if span := spanInMeta(o.meta); span.IsValid() {
		return span.TraceID()
	}
	return spanOfTransport(o.r.Context(), o.r.Header).TraceID()
}
