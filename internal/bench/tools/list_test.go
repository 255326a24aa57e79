package tools

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	server "github.com/capgen/capgen/runtime"
)

// BenchmarkList asks for the first page of the list, in process and without a socket: of one that everybody sees whole, and of one of which
// the application hides every third capability, so that it is asked each time. The metric body-B is how long the answer is.
func BenchmarkList(b *testing.B) {
	hideSome := server.CanDiscover(func(_ context.Context, def *capabilities.Definition) bool {
		return def.ID.Name[len(def.ID.Name)-1]%3 != 0
	})
	for _, n := range []int{10, 1000} {
		b.Run(fmt.Sprintf("whole/capabilities=%d", n), func(b *testing.B) { benchmarkList(b, n) })
		b.Run(fmt.Sprintf("narrowed/capabilities=%d", n), func(b *testing.B) { benchmarkList(b, n, hideSome) })
	}
}

func benchmarkList(b *testing.B, n int, options ...server.Option) {
	handler := startUp(b, bindings(contracts(n)), options...)
	b.Cleanup(func() { _ = handler.Shutdown(context.Background()) })
	const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	header := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/list"},
	}
	w := new(discard)
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(body))
		r.Header = header
		*w = discard{header: http.Header{}}
		handler.ServeHTTP(w, r)
		if w.status != http.StatusOK {
			b.Fatal(w.status)
		}
	}
	b.ReportMetric(float64(w.written), "body-B")
}

// discard keeps nothing of an answer but its status and its length.
type discard struct {
	header          http.Header
	status, written int
}

func (d *discard) Header() http.Header    { return d.header }
func (d *discard) WriteHeader(status int) { d.status = status }

func (d *discard) Write(text []byte) (int, error) {
	d.written += len(text)
	return len(text), nil
}
