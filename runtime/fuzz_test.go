package runtime_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

// FuzzGate sends any body, version and name: the answer is always JSON-RPC that a JSON reader takes, and never a fault of ours.
func FuzzGate(f *testing.F) {
	call := modernCall("7", "echo", `{"text":"x"}`)
	for _, body := range []string{call.body, modernRequest("1", "tools/list", `,"cursor":"x"`).body, initializeBody("2025-11-25"), "[]", `{"jsonrpc":"2.0"}`} {
		f.Add(body, "2026-07-28", "tools/call", "echo")
		f.Add(body, "", "tools/list", "=?base64?ZWNobw==?=")
	}
	registry, err := capabilities.NewRegistry(newFixture().bindings()...)
	if err != nil {
		f.Fatal(err)
	}
	handler, err := runtime.NewHandler(registry, runtime.WithDeadline(20*time.Millisecond), runtime.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		f.Fatal(err)
	}
	// Sessions that are opened by chance end with the test.
	f.Cleanup(func() { _ = handler.Shutdown(f.Context()) })
	f.Fuzz(func(t *testing.T, body, version, method, name string) {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Header = http.Header{"Content-Type": {"application/json"}, "Mcp-Method": {method}, "Mcp-Name": {name}}
		if version != "" {
			r.Header.Set("MCP-Protocol-Version", version)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code == http.StatusAccepted && w.Body.Len() == 0 {
			return
		}
		if w.Code == http.StatusInternalServerError || !json.Valid(w.Body.Bytes()) || !bytes.HasPrefix(w.Body.Bytes(), []byte(`{"jsonrpc":"2.0"`)) {
			t.Errorf("%d %q", w.Code, w.Body)
		}
	})
}
