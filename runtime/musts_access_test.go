package runtime_test

import (
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/capgen/capgen/runtime"
)

// A token goes nowhere: not to what the application added to go-sdk's server, not into an answer, not into the log (AU15).
func TestTokenStaysAtTheGate(t *testing.T) {
	n := newNotes(t)
	n.grant(t, "alice", allScopes, nil)
	var log strings.Builder
	options := append(n.options(t, nil), runtime.WithServer(extras(make(chan string, 1), nil)),
		runtime.WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
	handler := n.handler(t, true, options...)
	token := n.token(t, "alice", allScopes...)
	for _, r := range []request{
		modernCall("1", "raw_echo", `{}`), modernCall("1", "note_read", `{"id":"acme-1"}`), modernCall("1", "note_none", `{}`),
		modernCall("1", "raw_panic", `{}`), post(initializeBody("2025-11-25")),
	} {
		if got := r.with("Authorization", "Bearer "+token).record(handler); strings.Contains(got.body, token) || strings.Contains(got.body, "Bearer") {
			t.Errorf("%s", got.body)
		}
	}
	modernCall("1", "note_read", `{}`).with("Authorization", "Bearer "+token+"x").record(handler)
	if strings.Contains(log.String(), token) || log.Len() == 0 {
		t.Errorf("%s", log.String())
	}
}

// By default a server is for this machine alone, and programs that send no Origin are welcome (SX02, SX03).
func TestLocalByDefault(t *testing.T) {
	server := runConfig(t, newFixture(), runtime.Config{Port: runtime.FreePort})
	host, _, err := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(server.url, "http://"), "/mcp"))
	if err != nil || !net.ParseIP(host).IsLoopback() {
		t.Errorf("it listens on %s: %v", server.url, err)
	}
	if got := modernCall("1", "echo", `{"text":"x"}`).send(t, server.url); got.status != 200 {
		t.Errorf("%d %s", got.status, got.body)
	}
	server.stop()
	server.ended(t)
}

// The ID of an anonymous session is all that it takes to use it, so no log holds one.
func TestLogHoldsNoSessionID(t *testing.T) {
	var log lockedBuffer
	url := server(t, newFixture(), runtime.WithServer(extras(make(chan string, 1), nil)),
		runtime.WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
	s := open(t, url, "2025-11-25")
	s.call("1", "raw_echo", `{}`).send(t, url)
	s.call("2", "echo", `{"text":"x"}`).send(t, url)
	s.delete().send(t, url)
	if text := log.String(); strings.Contains(text, s.id) || !strings.Contains(text, "tool=echo") {
		t.Errorf("%s", text)
	}
}
