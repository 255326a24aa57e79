package runtime_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime"
)

// TestGateRefuses has what is refused before the message is looked at, in the order of GATE.md, and its error's id.
func TestGateRefuses(t *testing.T) {
	url := server(t, newFixture())
	echo := modernCall("7", "echo", `{"text":"x"}`)
	body := func(text string) request {
		r := echo.with("", "")
		r.body = text
		return r
	}
	tests := []struct {
		name    string // with the ids of MUSTS.md
		request request
		status  int
		code    int
		id      string // in the answer; "" is none
	}{
		{"SX04 foreign host", echo.with("Host", "evil.example"), 403, -32600, ""},
		{"SX04 host that only begins like ours", echo.with("Host", "127.0.0.1.evil.example"), 403, -32600, ""},
		{"SX01 foreign origin", echo.with("Origin", "http://evil.example"), 403, -32600, ""},
		{"SX01 null origin", echo.with("Origin", "null"), 403, -32600, ""},
		{"SX01 origin comes before the method", request{method: "OPTIONS", header: http.Header{"Origin": {"http://evil.example"}}}, 403, -32600, ""},
		{"content type", echo.with("Content-Type", "text/plain"), 415, -32600, ""},
		{"no content type", echo.with("Content-Type", ""), 415, -32600, ""},
		{"other charset", echo.with("Content-Type", "application/json; charset=utf-16"), 415, -32600, ""},
		{"compressed", echo.with("Content-Encoding", "gzip"), 415, -32600, ""},
		{"accept JSON alone", echo.with("Accept", "application/json"), 406, -32600, ""},
		{"accept with q=0", echo.with("Accept", "application/json, text/event-stream;q=0"), 406, -32600, ""},
		{"a specific range beats a wildcard", echo.with("Accept", "*/*, text/event-stream;q=0"), 406, -32600, ""},
		{"SX06 too large", body(strings.Repeat(" ", runtime.DefaultMaxRequestBytes+1)), 413, -32600, ""},
		{"empty", body(""), 400, -32700, ""},
		{"JR07 no JSON", body("{nope"), 400, -32700, ""},
		{"JR07 trailing value", body(echo.body + "{}"), 400, -32700, ""},
		{"HT19 no UTF-8", body(strings.Replace(echo.body, `"x"`, "\"\xff\"", 1)), 400, -32700, ""},
		{"deep", body(strings.Repeat("[", 10_000)), 400, -32600, ""}, // an array first of all
		{"deep arguments", body(strings.Replace(echo.body, `"x"`, strings.Repeat("[", 10_000)+strings.Repeat("]", 10_000), 1)), 400, -32700, ""},
		{"HT09 batch", body("[" + echo.body + "]"), 400, -32600, ""},
		{"no object", body("42"), 400, -32600, ""},
		{"JR01 other version", body(strings.Replace(echo.body, `"2.0"`, `"1.0"`, 1)), 400, -32600, "7"},
		{"JR02 id null", body(strings.Replace(echo.body, `"id":7`, `"id":null`, 1)), 400, -32600, ""},
		{"JR02 id fraction", body(strings.Replace(echo.body, `"id":7`, `"id":1.5`, 1)), 400, -32600, ""},
		{"duplicate member", body(strings.Replace(echo.body, `"id":7`, `"id":7,"method":"ping"`, 1)), 400, -32600, "7"},
		{"duplicate argument", body(strings.Replace(echo.body, `{"text":"x"}`, `{"text":"x","text":"y"}`, 1)), 400, -32600, "7"},
		{"case variant", body(strings.Replace(echo.body, `"id":7`, `"id":7,"Method":"ping"`, 1)), 400, -32600, "7"},
		{"JR08 call without id", body(strings.Replace(echo.body, `"id":7,`, ``, 1)), 400, -32600, ""},
		{"JR09 response", body(`{"jsonrpc":"2.0","id":7,"result":{}}`), 400, -32600, ""},
		{"HT07 unknown notification", body(`{"jsonrpc":"2.0","method":"notifications/zzz"}`), 400, -32600, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := test.request.send(t, url)
			if got.status != test.status || got.code(t) != test.code {
				t.Errorf("%d %s, want %d and code %d", got.status, got.body, test.status, test.code)
			}
			if has := strings.Contains(got.body, `"id":`); has != (test.id != "") || !strings.Contains(got.body, test.id) {
				t.Errorf("id of %s, want %q", got.body, test.id)
			}
			if got.header.Get("Mcp-Session-Id") != "" || got.header.Get("Content-Type") != "application/json" {
				t.Errorf("header %v", got.header)
			}
		})
	}
}

func TestGateAccepts(t *testing.T) {
	url := server(t, newFixture())
	echo := modernCall("7", "echo", `{"text":"x"}`)
	for name, r := range map[string]request{
		"content type with parameter": echo.with("Content-Type", "Application/JSON; charset=UTF-8"),
		"any answer":                  echo.with("Accept", "*/*"),
		"no accept":                   echo.with("Accept", ""),
		"identity":                    echo.with("Content-Encoding", "identity"),
		"localhost":                   echo.with("Host", "LOCALHOST:80"),
		"loopback, version 6":         echo.with("Host", "[::1]:80"),
		"HT04 a session's id":         echo.with("Mcp-Session-Id", "left over"),
		"HT05 an event's id":          echo.with("Last-Event-ID", "x_1"),
		"ME02 no client info":         echo,
	} {
		t.Run(name, func(t *testing.T) {
			if got := r.send(t, url); got.status != 200 || got.code(t) != 0 || got.header.Get("Mcp-Session-Id") != "" {
				t.Errorf("%d %s", got.status, got.body)
			}
		})
	}
}

func TestHTTPMethods(t *testing.T) {
	url := server(t, newFixture())
	tests := []struct {
		method, revision string
		status           int
		allow            string
	}{
		{"HEAD", "", 405, "POST, GET, DELETE"},
		{"PUT", "", 405, "POST, GET, DELETE"},
		{"OPTIONS", "", 204, "POST, GET, DELETE, OPTIONS"},
		{"GET", "2026-07-28", 405, "POST"},    // HT03
		{"DELETE", "2026-07-28", 405, "POST"}, // HT03
		{"GET", "2025-11-25", 400, ""},        // SE03
		{"DELETE", "2025-11-25", 400, ""},     // SE03
		{"GET", "1999-01-01", 400, ""},        // VD15
	}
	for _, test := range tests {
		t.Run(test.method+test.revision, func(t *testing.T) {
			r := request{method: test.method, header: http.Header{"Accept": {"text/event-stream"}}}.with("MCP-Protocol-Version", test.revision)
			if got := r.send(t, url); got.status != test.status || got.header.Get("Allow") != test.allow {
				t.Errorf("%d, Allow %q, want %d and %q", got.status, got.header.Get("Allow"), test.status, test.allow)
			}
		})
	}
}

// A body that never comes is not waited for (SX06).
func TestSlowBody(t *testing.T) {
	url := server(t, newFixture(), runtime.Timing(0, 0, 30*time.Millisecond, 0))
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 408 ") {
		t.Errorf("%v %s", err, got)
	}
}
