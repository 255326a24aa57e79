package runtime_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

// BenchmarkCall is one call of 2026-07-28 in process, without a socket.
func BenchmarkCall(b *testing.B) {
	registry, err := capabilities.NewRegistry(newFixture().bindings()...)
	if err != nil {
		b.Fatal(err)
	}
	handler, err := runtime.NewHandler(registry)
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
