package tools

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/capabilities/codec"
	server "github.com/capgen/capgen/runtime"
)

// nth is an order of which there are many, with the code that was generated for one: its Capability is the one that current holds when it
// is bound.
type nth OrderQuote

func readNth(d *codec.Decoder, v *nth)  { readOrderQuote(d, (*OrderQuote)(v)) }
func writeNth(e *codec.Encoder, v *nth) { writeOrderQuote(e, (*OrderQuote)(v)) }

var current *capabilities.Capability[nth, Quote]

func (nth) Capability() *capabilities.Capability[nth, Quote] { return current }

// contracts returns n contracts: the order's, each under a name of its own.
func contracts(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.NewReplacer("order.quote@1", fmt.Sprintf("order.quote%d@1", i), `"order_quote"`, fmt.Sprintf(`"order_quote_%d"`, i)).Replace(contractOfOrderQuote)
	}
	return all
}

// bindings returns those of the capabilities that contracts describe.
func bindings(contracts []string) capabilities.Bindings {
	all := make(capabilities.Bindings, len(contracts))
	for i, contract := range contracts {
		current = capabilities.DeclareCodec[nth](contract, codec.Of(readNth, writeNth, writeQuote))
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
			// They stay, as those of a program do that are part of it, and so do not count.
			contracts := contracts(n)
			var kept int64
			for b.Loop() {
				b.StopTimer()
				parts := bindings(contracts)
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
			runtime.KeepAlive(contracts)
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/cap")
			b.ReportMetric(float64(kept)/float64(n), "heap-B/cap")
		})
	}
}

func startUp(tb testing.TB, parts capabilities.Bindings, options ...server.Option) *server.Handler {
	registry, err := capabilities.NewRegistry(parts)
	if err != nil {
		tb.Fatal(err)
	}
	handler, err := server.NewHandler(registry, append(options, server.WithLogger(slog.New(slog.DiscardHandler)))...)
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
	handler := startUp(t, bindings(contracts(3)))
	if err := handler.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
}
