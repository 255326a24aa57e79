package tools

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	server "github.com/capgen/capgen/runtime"
)

// nth is an order of which there are many: its Capability is the one that current holds when it is bound.
type nth struct{ capabilities.Returns[Quote] }

var current *capabilities.Capability[nth, Quote]

func (nth) Capability() *capabilities.Capability[nth, Quote] { return current }

// bindings returns those of n capabilities, each with the order's contract under a name of its own.
func bindings(n int) capabilities.Bindings {
	all := make(capabilities.Bindings, n)
	for i := range all {
		contract := strings.NewReplacer("order.quote@1", fmt.Sprintf("order.quote%d@1", i), `"order_quote"`, fmt.Sprintf(`"order_quote_%d"`, i)).Replace(contractOfOrderQuote)
		current = capabilities.Declare[nth](contract)
		all[i] = capabilities.Handle(func(context.Context, nth) (Quote, error) { return Quote{}, nil })
	}
	return all
}

// BenchmarkStartup builds the registry and the handler, contracts unread before. The metric heap-B/cap is what stays of it on the heap
// for each capability.
func BenchmarkStartup(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("capabilities=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			var kept int64
			for b.Loop() {
				b.StopTimer()
				parts := bindings(n)
				before := heap()
				b.StartTimer()
				handler := startUp(b, parts)
				b.StopTimer()
				kept = heap() - before
				runtime.KeepAlive(handler)
				if err := handler.Shutdown(b.Context()); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/cap")
			b.ReportMetric(float64(kept)/float64(n), "heap-B/cap")
		})
	}
}

func startUp(tb testing.TB, parts capabilities.Bindings) *server.Handler {
	registry, err := capabilities.NewRegistry(parts)
	if err != nil {
		tb.Fatal(err)
	}
	handler, err := server.NewHandler(registry, server.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		tb.Fatal(err)
	}
	return handler
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestStartup holds that the benchmark starts what it says.
func TestStartup(t *testing.T) {
	handler := startUp(t, bindings(3))
	if err := handler.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
}
