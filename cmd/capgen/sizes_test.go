package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/quickstart/zones"
	"github.com/capgen/capgen/gen"
	"github.com/capgen/capgen/internal/codectest/shapes"
	"github.com/capgen/capgen/mcptool"
	"github.com/capgen/capgen/runtime"
)

// What a user copies from must be accepted everywhere: as it is declared by all, and as runtime.WithDialect rewrites it by each.
func TestExamplesAreAccepted(t *testing.T) {
	for _, example := range []string{"quickstart", "playlist", "orchestrator"} {
		config := gen.LintConfig{Config: gen.Config{Dir: "../../examples/" + example, Patterns: []string{"./..."}}}
		lint := func() {
			findings, _, err := gen.Lint(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range findings {
				t.Errorf("%s: examples/%s/%s", config.Profile, example, f)
			}
		}
		lint()
		config.Dialect = true
		for _, config.Profile = range mcptool.Profiles() {
			lint()
		}
		sizes, _, err := gen.Sizes(t.Context(), config.Config)
		if err != nil || len(sizes) == 0 {
			t.Errorf("examples/%s: %d tools, %v: there was nothing to hold against anything", example, len(sizes), err)
		}
	}
}

// A size is that of what a server sends, to the byte.
func TestSizes(t *testing.T) {
	for folder, bindings := range map[string]capabilities.Bindings{
		"../../examples/quickstart":       zones.Bind(new(zones.Service)),
		"../../internal/codectest/shapes": shapes.Bind(struct{ shapes.Handlers }{}),
	} {
		entries := sent(t, bindings)
		sizes, _, err := gen.Sizes(t.Context(), gen.Config{Dir: folder, Patterns: []string{"./..."}})
		if err != nil {
			t.Fatal(err)
		}
		matched := 0
		for _, s := range sizes {
			entry, served := entries[s.Declaration.Tool]
			if !served {
				continue // of a package below, which is not bound
			}
			matched++
			if s.Bytes != len(entry) || s.Tokens != mcptool.Tokens(mcptool.PromptBytes(entry)) {
				t.Errorf("%s: got %d bytes and %d tokens, the server sends %d bytes: %s", s.Declaration.Tool, s.Bytes, s.Tokens, len(entry), entry)
			}
		}
		if matched == 0 || matched != len(entries) {
			t.Errorf("%s: %d of %d tools were compared", folder, matched, len(entries))
		}
	}
}

// sent returns the entries that a server of these capabilities sends, by the tools' names.
func sent(t *testing.T, bindings capabilities.Bindings) map[string]json.RawMessage {
	t.Helper()
	registry, err := capabilities.NewRegistry(bindings)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := runtime.NewHandler(registry)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},`+
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list",
	} {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	var message struct {
		Result struct{ Tools []json.RawMessage }
	}
	if err := json.Unmarshal(body, &message); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	entries := map[string]json.RawMessage{}
	for _, entry := range message.Result.Tools {
		var named struct{ Name string }
		if err := json.Unmarshal(entry, &named); err != nil {
			t.Fatal(err)
		}
		entries[named.Name] = entry
	}
	return entries
}
