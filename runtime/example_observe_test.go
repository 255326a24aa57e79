package runtime_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/executor"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// An interceptor that tells how long calls take, and one inside it that closes a capability for a while.
func ExampleWithInterceptor() {
	registry, err := capabilities.NewRegistry(capabilities.Handle(sum))
	if err != nil {
		fmt.Println(err)
		return
	}
	measure := func(ctx context.Context, call executor.InterceptedCall, next executor.Next) error {
		start := time.Now()
		_, err := next(ctx)
		fmt.Println(call.Definition.ID, "took less than a second:", time.Since(start) < time.Second, "and ended with:", err)
		return err
	}
	open := true
	inOfficeHours := func(ctx context.Context, _ executor.InterceptedCall, next executor.Next) error {
		if !open {
			return capabilities.Errorf("closed", "the office is closed: try again tomorrow")
		}
		_, err := next(ctx)
		return err
	}
	handler, err := runtime.NewHandler(registry, runtime.WithInterceptor(measure), runtime.WithInterceptor(inOfficeHours))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = handler.Shutdown(context.Background()) }()
	server := httptest.NewServer(handler)
	defer server.Close()

	callSum(server.URL, "math_sum", map[string]any{"a": 1, "b": 2})
	open = false
	callSum(server.URL, "math_sum", map[string]any{"a": 1, "b": 2})
	// Output:
	// example.math:sum@1 took less than a second: true and ended with: <nil>
	// {"result":3}
	// example.math:sum@1 took less than a second: true and ended with: closed: the office is closed: try again tomorrow
	// closed: the office is closed: try again tomorrow
}

// A program chooses the exporter; this one keeps its spans in memory.
func ExampleWithTracerProvider() {
	registry, err := capabilities.NewRegistry(capabilities.Handle(sum))
	if err != nil {
		fmt.Println(err)
		return
	}
	exporter := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(exporter))
	defer func() { _ = provider.Shutdown(context.Background()) }()
	handler, err := runtime.NewHandler(registry, runtime.WithTracerProvider(provider))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = handler.Shutdown(context.Background()) }()
	server := httptest.NewServer(handler)
	defer server.Close()

	callSum(server.URL, "math_sum", map[string]any{"a": 1, "b": 2})
	callSum(server.URL, "math_sum", map[string]any{"a": 1, "b": "CANARY"})
	for _, span := range exporter.GetSpans() {
		if span.Name == "tools/call math_sum" {
			fmt.Printf("%s %s %q\n", span.Name, span.SpanKind, span.Status.Description)
		}
	}
	// Output:
	// {"result":3}
	// The input does not match the schema.
	// /b: must be an integer (type)
	// tools/call math_sum server ""
	// tools/call math_sum server "The input does not match the schema."
}

func ExampleWithLogger() {
	registry, err := capabilities.NewRegistry(capabilities.Handle(sum))
	if err != nil {
		fmt.Println(err)
		return
	}
	// Without what differs from run to run.
	options := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "duration" || a.Key == "request" {
			return slog.Attr{}
		}
		return a
	}}
	handler, err := runtime.NewHandler(registry, runtime.WithLogger(slog.New(slog.NewTextHandler(os.Stdout, options))))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = handler.Shutdown(context.Background()) }()
	server := httptest.NewServer(handler)
	defer server.Close()

	callSum(server.URL, "math_sum", map[string]any{"a": 1, "b": 2})
	callSum(server.URL, "math_sum", map[string]any{"a": 1001, "b": 2})
	// Output:
	// level=INFO msg=call capability=example.math:sum@1 tool=math_sum kind=ok
	// {"result":3}
	// level=ERROR msg=call capability=example.math:sum@1 tool=math_sum kind=handler-failed cause="the abacus is full"
	// The capability failed.
}
