package runtime_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/executor"
	"go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// BenchmarkCall is one call of 2026-07-28 in process, without a socket. Nobody watches it.
func BenchmarkCall(b *testing.B) { benchmarkCall(b, runtime.WithLogger(slog.New(slog.DiscardHandler))) }

// BenchmarkLoggedCall writes a line for each.
func BenchmarkLoggedCall(b *testing.B) {
	benchmarkCall(b, runtime.WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil))))
}

// BenchmarkInterceptedCall has one interceptor.
func BenchmarkInterceptedCall(b *testing.B) {
	benchmarkCall(b, runtime.WithLogger(slog.New(slog.DiscardHandler)),
		runtime.WithInterceptor(func(ctx context.Context, _ executor.InterceptedCall, next executor.Next) error {
			_, err := next(ctx)
			return err
		}))
}

// BenchmarkTracedCall has a span and a metric for each, by OpenTelemetry's SDK.
func BenchmarkTracedCall(b *testing.B) {
	benchmarkCall(b, runtime.WithLogger(slog.New(slog.DiscardHandler)), runtime.WithTracerProvider(sdktrace.NewTracerProvider()),
		runtime.WithMeterProvider(metric.NewMeterProvider(metric.WithReader(metric.NewManualReader()))))
}

func benchmarkCall(b *testing.B, options ...runtime.Option) {
	registry, err := capabilities.NewRegistry(newFixture().bindings()...)
	if err != nil {
		b.Fatal(err)
	}
	handler, err := runtime.NewHandler(registry, options...)
	if err != nil {
		b.Fatal(err)
	}
	call := modernCall("7", "echo", `{"text":"hello"}`)
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(call.body))
		r.Header = call.header
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			b.Fatal(w.Code, w.Body)
		}
	}
}
