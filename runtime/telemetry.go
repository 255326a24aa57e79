package runtime

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/internal/envelope"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// What follows is OpenTelemetry's "Semantic conventions for Model Context Protocol", docs/gen-ai/mcp.md of semantic-conventions-genai at
// 0393513 (status Development; last part of a release in semantic-conventions v1.41.0). No package of otel has them as constants.
const (
	instrumentation = "github.com/capgen/capgen/runtime"
	durationMetric  = "mcp.server.operation.duration"
	// deprecatedMetric is ours: the conventions do not know that tools go away.
	deprecatedMetric = "capgen.deprecated.calls"

	methodKey          = attribute.Key("mcp.method.name")
	protocolVersionKey = attribute.Key("mcp.protocol.version")
	sessionKey         = attribute.Key("mcp.session.id")
	requestIDKey       = attribute.Key("jsonrpc.request.id")
	statusCodeKey      = attribute.Key("rpc.response.status_code")
	errorTypeKey       = attribute.Key("error.type")
	genOperationKey    = attribute.Key("gen_ai.operation.name")
	genToolKey         = attribute.Key("gen_ai.tool.name")
	transportKey       = attribute.Key("network.transport")
	protocolKey        = attribute.Key("network.protocol.name")
	protocolNumberKey  = attribute.Key("network.protocol.version")

	executeTool = "execute_tool"
	toolError   = "tool_error"

	// Ours: what the conventions have no word for.
	capabilityKey = attribute.Key("capgen.capability")
	kindKey       = attribute.Key("capgen.kind")
)

// durationBounds are the conventions' buckets, in seconds.
var durationBounds = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}

// telemetry is OpenTelemetry, as far as the application has given us some. The zero telemetry records nothing.
type telemetry struct {
	logger     *slog.Logger
	tracer     trace.Tracer            // nil for no spans
	duration   metric.Float64Histogram // nil for no metrics
	deprecated metric.Int64Counter     // nil for no metrics
	broken     sync.Once
}

// prepare makes the instruments.
func (t *telemetry) prepare(config *config) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("runtime: a provider of OpenTelemetry panicked: %v", value)
		}
	}()
	t.logger = config.logger
	if p := config.observers.tracers; p != nil {
		if t.tracer = p.Tracer(instrumentation); t.tracer == nil {
			return errors.New("runtime.WithTracerProvider: the provider has no tracer")
		}
	}
	if p := config.observers.meters; p != nil {
		meter := p.Meter(instrumentation)
		t.duration, err = meter.Float64Histogram(durationMetric, metric.WithUnit("s"),
			metric.WithDescription("MCP request duration as observed on the receiver from the time it was received until the result is sent."),
			metric.WithExplicitBucketBoundaries(durationBounds...))
		if err != nil {
			return fmt.Errorf("runtime.WithMeterProvider: %w", err)
		}
		t.deprecated, err = meter.Int64Counter(deprecatedMetric, metric.WithUnit("{call}"),
			metric.WithDescription("Calls of deprecated capabilities, however they ended."))
		if err != nil {
			return fmt.Errorf("runtime.WithMeterProvider: %w", err)
		}
	}
	return nil
}

func (t *telemetry) on() bool { return t.tracer != nil || t.duration != nil }

// contain drops a panic of the application's provider, and tells of the first: what watches a request must not change how it ends.
func (t *telemetry) contain() {
	if value := recover(); value != nil {
		t.broken.Do(func() {
			t.logger.LogAttrs(context.Background(), slog.LevelError, "a provider of OpenTelemetry panicked",
				slog.String("panic", fmt.Sprint(value)), slog.String("stack", string(debug.Stack())))
		})
	}
}

// startSpan begins the span of a request. Its parent is the client's, which _meta names; the span of the transport is linked then, since one HTTP
// request may carry several messages, and is the parent otherwise.
func (t *telemetry) startSpan(r *http.Request, o *operation) (ctx context.Context, span trace.Span) {
	ctx = r.Context()
	defer t.contain()
	options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(methodKey.String(o.method))}
	parent := ctx
	client, transport := spanInMeta(o.meta), spanOfTransport(ctx, r.Header)
	switch {
	case client.IsValid():
		parent = trace.ContextWithRemoteSpanContext(ctx, client)
		if transport.IsValid() && transport.SpanID() != client.SpanID() {
			options = append(options, trace.WithLinks(trace.Link{SpanContext: transport}))
		}
	case transport.IsRemote():
		parent = trace.ContextWithRemoteSpanContext(ctx, transport)
	}
	started, span := t.tracer.Start(parent, o.method, options...)
	return started, span
}

// record tells how a request ended.
func (t *telemetry) record(h *Handler, o *operation, took time.Duration, refused *refusal) {
	defer t.contain()
	failed := o.errorType(refused)
	shared := o.attributes(failed, refused)
	if t.duration != nil {
		t.duration.Record(o.r.Context(), took.Seconds(), metric.WithAttributes(shared...))
	}
	if t.deprecated != nil && o.deprecated() {
		t.deprecated.Add(o.r.Context(), 1, metric.WithAttributes(capabilityKey.String(o.tool.definition.ID.String()), genToolKey.String(o.tool.name)))
	}
	if o.span == nil {
		return
	}
	// Whatever becomes of the rest, so that children do not wait for their parent.
	defer o.span.End()
	if !o.span.IsRecording() {
		return
	}
	if o.known {
		o.span.SetName(o.method + " " + o.tool.name)
		o.span.SetAttributes(capabilityKey.String(o.tool.definition.ID.String()))
	}
	o.span.SetAttributes(shared...)
	if id := spelling(o.id); plainID.MatchString(id) {
		o.span.SetAttributes(requestIDKey.String(id))
	}
	if o.session != "" {
		// A digest: whoever reads traces must not be able to use the session.
		o.span.SetAttributes(sessionKey.String(h.config.observers.digest("session", o.session)))
	}
	if o.method == callMethod {
		o.span.SetAttributes(kindKey.String(o.kind(refused)))
	}
	if failed != "" {
		o.span.SetStatus(codes.Error, o.description(refused))
	}
}

// attributes are those that spans and metrics share. None of them holds a text of the caller's.
func (o *operation) attributes(failed string, refused *refusal) []attribute.KeyValue {
	list := make([]attribute.KeyValue, 0, 10)
	list = append(list, methodKey.String(o.method))
	if o.method == callMethod {
		list = append(list, genOperationKey.String(executeTool))
	}
	if o.known {
		list = append(list, genToolKey.String(o.tool.name))
	}
	if o.revision != "" {
		list = append(list, protocolVersionKey.String(string(o.revision)))
	}
	if failed != "" {
		list = append(list, errorTypeKey.String(failed))
	}
	if refused != nil && refused != unanswered {
		list = append(list, statusCodeKey.String(strconv.Itoa(refused.code)))
	}
	return appendNetwork(list, o.r)
}

// appendNetwork says how the request came. A request that came through no socket says nothing of one.
func appendNetwork(list []attribute.KeyValue, r *http.Request) []attribute.KeyValue {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok || local == nil {
		return list
	}
	version := strconv.Itoa(r.ProtoMajor)
	if r.ProtoMajor == 1 {
		version += "." + strconv.Itoa(r.ProtoMinor)
	}
	return append(list, transportKey.String(local.Network()), protocolKey.String("http"), protocolNumberKey.String(version))
}

// errorType is the conventions' error.type, or "" for a success.
func (o *operation) errorType(refused *refusal) string {
	switch {
	case refused == unanswered:
		return string(capabilities.Cancelled)
	case refused != nil:
		return strconv.Itoa(refused.code)
	case o.failure != nil:
		return toolError
	}
	return ""
}

// description is the fixed text of how a request failed, without the name that an error repeats to its caller, and without a handler's words.
func (o *operation) description(refused *refusal) string {
	if o.failure != nil {
		return o.failure.Kind.Sentence()
	}
	return refused.message
}

// spelling returns an ID of JSON-RPC without its quotes.
func spelling(id []byte) string {
	if text, ok := envelope.ReadString(id); ok {
		return text
	}
	return string(id)
}
