package runtime_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// traced is a server whose spans a test reads.
type traced struct {
	spans    *tracetest.InMemoryExporter
	provider *sdktrace.TracerProvider
	fixture  *fixture
	handler  *runtime.Handler
}

func newTraced(t *testing.T, options ...runtime.Option) *traced {
	t.Helper()
	spans := tracetest.NewInMemoryExporter()
	s := &traced{spans: spans, provider: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)), fixture: newFixture()}
	options = append(options, runtime.WithLogger(slog.New(slog.DiscardHandler)), runtime.WithTracerProvider(s.provider), runtime.WithLogKey([]byte("0123456789abcdef")))
	var err error
	if s.handler, err = runtime.NewHandler(registry(t, s.fixture), options...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		_ = s.handler.Shutdown(ended)
	})
	return s
}

// take returns the spans since the last time, one a line.
func (s *traced) take() string {
	var lines []string
	for _, span := range s.spans.GetSpans() {
		lines = append(lines, spanLine(span))
	}
	s.spans.Reset()
	return strings.Join(lines, "\n")
}

func spanLine(span tracetest.SpanStub) string {
	line := fmt.Sprintf("%s | %s | %s", span.Name, span.SpanKind, attributeLine(span.Attributes))
	if span.Parent.IsValid() {
		line += " | in " + span.Parent.TraceID().String()[:4] + "/" + span.Parent.SpanID().String()[:4]
	}
	for _, link := range span.Links {
		line += " | linked " + link.SpanContext.TraceID().String()[:4]
	}
	if span.Status.Description != "" {
		line += " | " + span.Status.Code.String() + ": " + span.Status.Description
	}
	return line
}

func attributeLine(attributes []attribute.KeyValue) string {
	var texts []string
	for _, a := range attributes {
		texts = append(texts, string(a.Key)+"="+a.Value.String())
	}
	slices.Sort(texts)
	return strings.Join(texts, " ")
}

func TestSpans(t *testing.T) {
	s := newTraced(t)
	const (
		call = "gen_ai.operation.name=execute_tool "
		echo = "gen_ai.tool.name=echo jsonrpc.request.id=7 mcp.method.name=tools/call mcp.protocol.version=2026-07-28"
		who  = "capgen.capability=test:echo@1 "
	)
	for _, test := range []struct {
		name    string
		request request
		want    string
	}{
		{"a call", modernCall("7", "echo", `{"text":"CANARY"}`), "tools/call echo | server | " + who + "capgen.kind=ok " + call + echo},
		{"a result with isError", modernCall("7", "echo", `{"CANARY":5}`),
			"tools/call echo | server | " + who + "capgen.kind=invalid-input error.type=tool_error " + call + echo + " | Error: The input does not match the schema."},
		{"a handler's words", modernCall("7", "echo", `{"text":"nobody"}`),
			"tools/call echo | server | " + who + "capgen.kind=declined error.type=tool_error " + call + echo + " | Error: The call was declined."},
		{"an error", modernCall(`"a.b"`, "panic", `{}`),
			"tools/call panic | server | capgen.capability=test:panic@1 capgen.kind=handler-panicked error.type=-32603 " + call +
				"gen_ai.tool.name=panic jsonrpc.request.id=a.b mcp.method.name=tools/call mcp.protocol.version=2026-07-28 rpc.response.status_code=-32603 | Error: The capability failed."},
		{"an unknown tool", modernCall("7", "CANARY", `{}`), "tools/call | server | capgen.kind=capability-missing error.type=-32602 " + call +
			"jsonrpc.request.id=7 mcp.method.name=tools/call mcp.protocol.version=2026-07-28 rpc.response.status_code=-32602 | Error: There is no such capability."},
		{"a hidden tool", modernCall("7", "secret_tool", `{}`), "tools/call | server | capgen.kind=not-exposed error.type=-32602 " + call +
			"jsonrpc.request.id=7 mcp.method.name=tools/call mcp.protocol.version=2026-07-28 rpc.response.status_code=-32602 | Error: There is no such capability."},
		{"a refused form", modernCall("7", "region", `{"region":"CANARY"}`), "tools/call region | server | capgen.capability=test:region@1 capgen.kind=refused error.type=-32020 " + call +
			"gen_ai.tool.name=region jsonrpc.request.id=7 mcp.method.name=tools/call mcp.protocol.version=2026-07-28 rpc.response.status_code=-32020 | " +
			"Error: Header mismatch: Mcp-Param-Region is missing"},
		{"an id of any form", modernCall(`"CANARY CANARY"`, "echo", `{"text":"x"}`), "tools/call echo | server | " + who + "capgen.kind=ok " + call + strings.Replace(echo, "jsonrpc.request.id=7 ", "", 1)},
		{"a list", modernRequest("7", "tools/list", ""), "tools/list | server | jsonrpc.request.id=7 mcp.method.name=tools/list mcp.protocol.version=2026-07-28"},
		{"discover", modernRequest("7", "server/discover", ""), "server/discover | server | jsonrpc.request.id=7 mcp.method.name=server/discover mcp.protocol.version=2026-07-28"},
		{"no method", modernRequest("7", "CANARY", ""), "_OTHER | server | error.type=-32601 jsonrpc.request.id=7 mcp.method.name=_OTHER mcp.protocol.version=2026-07-28 " +
			"rpc.response.status_code=-32601 | Error: Method not found"},
		{"a notification", post(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`).with("MCP-Protocol-Version", "2026-07-28"), ""},
		{"no message", post(`CANARY`), ""},
		{"the client's span", modernCall("7", "echo", `{"text":"x"}`).withTrace(traceOfClient), "tools/call echo | server | " + who + "capgen.kind=ok " + call + echo + " | in 4bf9/00f0"},
		{"the transport's span", modernCall("7", "echo", `{"text":"x"}`).with("Traceparent", traceOfHTTP), "tools/call echo | server | " + who + "capgen.kind=ok " + call + echo + " | in aaaa/bbbb"},
		{"both", modernCall("7", "echo", `{"text":"x"}`).withTrace(traceOfClient).with("Traceparent", traceOfHTTP),
			"tools/call echo | server | " + who + "capgen.kind=ok " + call + echo + " | in 4bf9/00f0 | linked aaaa"},
		{"the same", modernCall("7", "echo", `{"text":"x"}`).withTrace(traceOfClient).with("Traceparent", traceOfClient),
			"tools/call echo | server | " + who + "capgen.kind=ok " + call + echo + " | in 4bf9/00f0"},
		{"malformed in _meta", modernCall("7", "echo", `{"text":"x"}`).withTrace("CANARY").with("Traceparent", traceOfHTTP),
			"tools/call echo | server | " + who + "capgen.kind=ok " + call + echo + " | in aaaa/bbbb"},
		{"malformed everywhere", modernCall("7", "echo", `{"text":"x"}`).withTrace(strings.ToUpper(traceOfClient)).with("Traceparent", "00-0-0-00"),
			"tools/call echo | server | " + who + "capgen.kind=ok " + call + echo},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := test.request.record(s.handler)
			if line := s.take(); line != test.want {
				t.Errorf("%s\nwant %s\nfor %d %s", line, test.want, got.status, got.body)
			}
		})
	}
}

func TestSpansOfSessions(t *testing.T) {
	s := newTraced(t)
	url := serveHandler(t, s.handler)
	session := open(t, url, "2025-03-26")
	const network = "network.protocol.name=http network.protocol.version=1.1 network.transport=tcp"
	line := s.take()
	head, digest, _ := strings.Cut(line, "mcp.session.id=")
	if want := "initialize | server | jsonrpc.request.id=i mcp.method.name=initialize mcp.protocol.version=2025-03-26 "; head != want || strings.Contains(line, session.id) {
		t.Errorf("%s\nwant %s", line, want)
	}
	digest = digest[:16]
	session.call("1", "echo", `{"text":"x"}`).send(t, url)
	want := "tools/call echo | server | capgen.capability=test:echo@1 capgen.kind=ok gen_ai.operation.name=execute_tool gen_ai.tool.name=echo jsonrpc.request.id=1 " +
		"mcp.method.name=tools/call mcp.protocol.version=2025-03-26 mcp.session.id=" + digest + " " + network
	if got := s.take(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	// Each message of a batch has its own span in its own trace, and the one of the HTTP request is linked.
	session.post(`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"},"_meta":{"traceparent":"`+traceOfClient+`"}}},
		{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}},{"jsonrpc":"2.0","id":2,"method":"ping"}]`).
		with("Traceparent", traceOfHTTP).send(t, url)
	lines := strings.Split(s.take(), "\n")
	slices.Sort(lines)
	wants := []string{
		"ping | server | jsonrpc.request.id=2 mcp.method.name=ping mcp.protocol.version=2025-03-26 mcp.session.id=" + digest + " " + network + " | in aaaa/bbbb",
		want + " | in 4bf9/00f0 | linked aaaa",
	}
	if !slices.Equal(lines, wants) {
		t.Errorf("%s\nwant %s", strings.Join(lines, "\n"), strings.Join(wants, "\n"))
	}
	// A call that is cancelled and not answered.
	pending := session.call("7", "slow", `{"ms":60000}`).background(t, url)
	<-s.fixture.started
	session.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`).send(t, url)
	<-pending
	if got := s.take(); !strings.Contains(got, " error.type=cancelled ") || strings.Contains(got, "status_code") || !strings.HasSuffix(got, "Error: The call was cancelled.") {
		t.Errorf("%s", got)
	}
}

// An application that traces HTTP itself has the MCP span below its own, and its spans of the handler below that.
func TestSpansNest(t *testing.T) {
	s := newTraced(t)
	tracer := s.provider.Tracer("application")
	work := func(ctx context.Context, in Echo) (string, error) {
		_, span := tracer.Start(ctx, "query")
		span.End()
		return in.Text, nil
	}
	registry, err := capabilities.NewRegistry(capabilities.Handle(work))
	if err != nil {
		t.Fatal(err)
	}
	handler, err := runtime.NewHandler(registry, runtime.WithTracerProvider(s.provider), runtime.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	middleware := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, span := tracer.Start(r.Context(), "POST /mcp")
		defer span.End()
		handler.ServeHTTP(w, r.WithContext(ctx))
	})
	names := func() string {
		spans := s.spans.GetSpans()
		s.spans.Reset()
		of := map[trace.SpanID]string{}
		for _, span := range spans {
			of[span.SpanContext.SpanID()] = span.Name
		}
		var lines []string
		for _, span := range spans {
			line := span.Name + " in " + of[span.Parent.SpanID()]
			for _, link := range span.Links {
				line += " linked " + of[link.SpanContext.SpanID()]
			}
			lines = append(lines, line)
		}
		return strings.Join(lines, ", ")
	}
	modernCall("1", "echo", `{"text":"x"}`).record(middleware)
	if got, want := names(), "query in tools/call echo, tools/call echo in POST /mcp, POST /mcp in "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	modernCall("1", "echo", `{"text":"x"}`).withTrace(traceOfClient).record(middleware)
	if got, want := names(), "query in tools/call echo, tools/call echo in  linked POST /mcp, POST /mcp in "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestMetrics(t *testing.T) {
	reader := metric.NewManualReader()
	handler, err := runtime.NewHandler(registry(t, newFixture()), runtime.WithLogger(slog.New(slog.DiscardHandler)),
		runtime.WithMeterProvider(metric.NewMeterProvider(metric.WithReader(reader))))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []request{
		modernCall("1", "echo", `{"text":"CANARY"}`), modernCall(`"CANARY"`, "echo", `{"text":"y"}`), modernCall("3", "panic", `{}`), modernCall("4", "CANARY", `{}`),
		modernRequest("5", "tools/list", ""), modernRequest("6", "CANARY", ""),
	} {
		r.record(handler)
	}
	var found metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &found); err != nil {
		t.Fatal(err)
	}
	if len(found.ScopeMetrics) != 1 || len(found.ScopeMetrics[0].Metrics) != 1 {
		t.Fatalf("%+v", found)
	}
	m := found.ScopeMetrics[0].Metrics[0]
	if m.Name != "mcp.server.operation.duration" || m.Unit != "s" {
		t.Errorf("%s in %s", m.Name, m.Unit)
	}
	var lines []string
	for _, point := range m.Data.(metricdata.Histogram[float64]).DataPoints {
		if !slices.Equal(point.Bounds, []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}) || point.Sum <= 0 || point.Sum > 60 {
			t.Errorf("%+v", point)
		}
		lines = append(lines, fmt.Sprint(point.Count, " ", attributeLine(point.Attributes.ToSlice())))
	}
	slices.Sort(lines)
	want := []string{
		"1 error.type=-32601 mcp.method.name=_OTHER mcp.protocol.version=2026-07-28 rpc.response.status_code=-32601",
		"1 error.type=-32602 gen_ai.operation.name=execute_tool mcp.method.name=tools/call mcp.protocol.version=2026-07-28 rpc.response.status_code=-32602",
		"1 error.type=-32603 gen_ai.operation.name=execute_tool gen_ai.tool.name=panic mcp.method.name=tools/call mcp.protocol.version=2026-07-28 rpc.response.status_code=-32603",
		"1 mcp.method.name=tools/list mcp.protocol.version=2026-07-28",
		"2 gen_ai.operation.name=execute_tool gen_ai.tool.name=echo mcp.method.name=tools/call mcp.protocol.version=2026-07-28",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

// A stream is an operation too, which lasts as long.
func TestSpanOfStream(t *testing.T) {
	s := newTraced(t)
	modernRequest(`"s"`, "subscriptions/listen", `,"notifications":{}`).record(s.handler)
	want := "subscriptions/listen | server | jsonrpc.request.id=s mcp.method.name=subscriptions/listen mcp.protocol.version=2026-07-28"
	if got := s.take(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A tracestate comes along, unless it is longer than anybody has to carry.
func TestTraceState(t *testing.T) {
	s := newTraced(t)
	long := "a=" + strings.Repeat("x", 255)
	for state, want := range map[string]string{"rojo=00f067aa0ba902b7": "rojo=00f067aa0ba902b7", long + ",b" + long + ",c" + long: "", "CANARY": ""} {
		r := modernCall("1", "echo", `{"text":"x"}`).with("Traceparent", traceOfHTTP).with("Tracestate", state)
		r.record(s.handler)
		spans := s.spans.GetSpans()
		s.spans.Reset()
		if got := spans[0].SpanContext.TraceState().String(); got != want {
			t.Errorf("%q", got)
		}
	}
	out := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(modernCall("1", "echo", `{"text":"x"}`).body))
	out.Header = modernCall("1", "echo", "").with("Traceparent", traceOfHTTP).header
	out.Header.Add("Traceparent", traceOfClient)
	s.handler.ServeHTTP(httptest.NewRecorder(), out)
	if spans := s.spans.GetSpans(); len(spans) != 1 || spans[0].Parent.IsValid() {
		t.Errorf("of two headers one was chosen: %+v", spans)
	}
}

func TestObserversThatAreNil(t *testing.T) {
	_, err := runtime.NewHandler(registry(t, newFixture()), runtime.WithTracerProvider(nil), runtime.WithMeterProvider(nil), runtime.WithInterceptor(nil))
	const want = "runtime.WithTracerProvider: the provider is nil: leave the option out for no spans\n" +
		"runtime.WithMeterProvider: the provider is nil: leave the option out for no metrics\n" +
		"runtime.WithInterceptor: the interceptor is nil"
	if fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
}
