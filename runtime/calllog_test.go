package runtime_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

// callLog is a logger whose lines a test compares: without time, and with what differs from run to run replaced.
type callLog struct{ bytes.Buffer }

func (l *callLog) option(level slog.Level) runtime.Option {
	return runtime.WithLogger(slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		switch {
		case a.Key == slog.TimeKey:
			return slog.Attr{}
		case a.Key == "duration" && a.Value.Kind() == slog.KindDuration && a.Value.Duration() > 0:
			return slog.String(a.Key, "D")
		case a.Key == "cause":
			text, _, _ := strings.Cut(a.Value.String(), "\n")
			return slog.String(a.Key, text)
		}
		return a
	}})))
}

var generated = regexp.MustCompile(`request=[A-Z2-7]{26}`)

// take returns the lines since the last time.
func (l *callLog) take() string {
	text := generated.ReplaceAllString(strings.TrimSpace(l.String()), "request=R")
	l.Reset()
	return text
}

const (
	traceOfClient = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	traceOfHTTP   = "00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-01"
)

// withTrace names a span in _meta.
func (r request) withTrace(parent string) request {
	r.body = strings.Replace(r.body, `"_meta":{`, `"_meta":{"traceparent":"`+parent+`",`, 1)
	return r
}

func TestCallLog(t *testing.T) {
	var log callLog
	handler, err := runtime.NewHandler(registry(t, newFixture()), log.option(slog.LevelInfo), runtime.WithDeadline(20*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name    string
		request request
		want    string
	}{
		{"ok", modernCall("1", "echo", `{"text":"CANARY"}`), "INFO msg=call capability=test:echo@1 tool=echo kind=ok duration=D request=R"},
		{"invalid", modernCall("1", "echo", `{"CANARY":5}`), "INFO msg=call capability=test:echo@1 tool=echo kind=invalid-input duration=D request=R"},
		{"declined", modernCall("1", "echo", `{"text":"nobody"}`), "INFO msg=call capability=test:echo@1 tool=echo kind=declined duration=D request=R"},
		{"unknown", modernCall("1", "CANARY", `{}`), "INFO msg=call kind=capability-missing duration=D code=-32602 request=R"},
		{"hidden", modernCall("1", "secret_tool", `{}`), "INFO msg=call capability=test:secret.tool@1 tool=secret_tool kind=not-exposed duration=D code=-32602 request=R"},
		{"slow", modernCall("1", "slow", `{"ms":60000}`), "WARN msg=call capability=test:slow@1 tool=slow kind=deadline-exceeded duration=D request=R"},
		{"failed", modernCall("1", "boom", `{}`), `ERROR msg=call capability=test:boom@1 tool=boom kind=handler-failed duration=D request=R cause=CANARY-SECRET`},
		{"panicked", modernCall("1", "panic", `{}`), `ERROR msg=call capability=test:panic@1 tool=panic kind=handler-panicked duration=D code=-32603 request=R cause="panic: CANARY-SECRET"`},
		{"output", modernCall("1", "echo", `{"text":"`+strings.Repeat("CANARY", 10)+`"}`),
			`ERROR msg=call capability=test:echo@1 tool=echo kind=invalid-output duration=D code=-32603 request=R problem=": must have at most 50 characters"`},
		{"headers", modernCall("1", "echo", `{}`).with("Mcp-Name", "CANARY"), "INFO msg=call kind=refused duration=D code=-32020 request=R"},
		{"mirrors", modernCall("1", "region", `{"region":"CANARY"}`), "INFO msg=call capability=test:region@1 tool=region kind=refused duration=D code=-32020 request=R"},
		{"era", modernCall("1", "echo", `{}`).with("MCP-Protocol-Version", "CANARY"), "INFO msg=call kind=refused duration=D code=-32020 request=R"},
		{"its own name", modernCall("1", "echo", `{"text":"x"}`).with("X-Request-Id", "job-7.a_B"), "INFO msg=call capability=test:echo@1 tool=echo kind=ok duration=D request=job-7.a_B"},
		{"a name of any form", modernCall("1", "echo", `{"text":"x"}`).with("X-Request-Id", "CANARY kind=ok"), "INFO msg=call capability=test:echo@1 tool=echo kind=ok duration=D request=R"},
		{"a name of any length", modernCall("1", "echo", `{"text":"x"}`).with("X-Request-Id", strings.Repeat("a", 65)), "INFO msg=call capability=test:echo@1 tool=echo kind=ok duration=D request=R"},
		{"trace", modernCall("1", "echo", `{"text":"x"}`).with("Traceparent", traceOfHTTP),
			"INFO msg=call capability=test:echo@1 tool=echo kind=ok duration=D request=R trace=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
		{"trace of the message", modernCall("1", "echo", `{"text":"x"}`).withTrace(traceOfClient).with("Traceparent", traceOfHTTP),
			"INFO msg=call capability=test:echo@1 tool=echo kind=ok duration=D request=R trace=4bf92f3577b34da6a3ce929d0e0e4736"},
		{"malformed trace", modernCall("1", "echo", `{"text":"x"}`).withTrace("CANARY"), "INFO msg=call capability=test:echo@1 tool=echo kind=ok duration=D request=R"},
		{"no call", modernRequest("1", "tools/list", ""), ""},
		{"no call", modernRequest("1", "CANARY", ""), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := test.request.record(handler)
			want := test.want
			if want != "" {
				want = "level=" + want
			}
			if line := log.take(); line != want {
				t.Errorf("%s\nwant %s\nfor %d %s", line, want, got.status, got.body)
			}
		})
	}
}

func TestCallLogOfSessions(t *testing.T) {
	var log callLog
	url := server(t, newFixture(), log.option(slog.LevelInfo))
	s := open(t, url, "2025-03-26")
	if got := log.take(); got != "" {
		t.Errorf("%s", got)
	}
	s.call(`"CANARY"`, "echo", `{"text":"CANARY"}`).send(t, url)
	if got, want := log.take(), "level=INFO msg=call capability=test:echo@1 tool=echo kind=ok duration=D request=R"; got != want {
		t.Errorf("%s", got)
	}
	s.post(`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}},{"jsonrpc":"2.0","id":2,"method":"ping"},
		{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"boom"}},{"jsonrpc":"2.0","id":4,"method":"tools/call","params":[]}]`).send(t, url)
	lines := strings.Split(log.take(), "\n")
	if len(lines) != 3 || strings.Count(strings.Join(lines, " "), "kind=ok") != 1 || strings.Count(strings.Join(lines, " "), "kind=refused") != 1 {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
	// A call whose session is gone.
	session{url: url, id: "gone", revision: "2025-03-26"}.call("1", "echo", `{}`).send(t, url)
	if got, want := log.take(), "level=INFO msg=call kind=refused duration=D code=-32600 request=R"; got != want {
		t.Errorf("%s", got)
	}
}

// A call that its client cancelled is told when it ends.
func TestCallLogOfCancelled(t *testing.T) {
	var log callLog
	f := newFixture()
	url := server(t, f, log.option(slog.LevelInfo))
	s := open(t, url, "2025-11-25")
	pending := s.call("7", "slow", `{"ms":60000}`).background(t, url)
	<-f.started
	s.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`).send(t, url)
	<-pending
	if got, want := log.take(), "level=INFO msg=call capability=test:slow@1 tool=slow kind=cancelled duration=D request=R"; got != want {
		t.Errorf("%s", got)
	}
}

func TestCallLogLevels(t *testing.T) {
	for level, want := range map[slog.Level]string{
		slog.LevelInfo: "ok deadline-exceeded handler-failed", slog.LevelWarn: "deadline-exceeded handler-failed", slog.LevelError: "handler-failed", slog.LevelError + 1: "",
	} {
		var log callLog
		handler, err := runtime.NewHandler(registry(t, newFixture()), log.option(level), runtime.WithDeadline(5*time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []request{modernCall("1", "echo", `{"text":"x"}`), modernCall("1", "slow", `{"ms":60000}`), modernCall("1", "boom", `{}`)} {
			r.record(handler)
		}
		var kinds []string
		for _, found := range regexp.MustCompile(`kind=(\S+)`).FindAllStringSubmatch(log.take(), -1) {
			kinds = append(kinds, found[1])
		}
		if got := strings.Join(kinds, " "); got != want {
			t.Errorf("%v: %q, want %q", level, got, want)
		}
	}
}

// Subjects are digests: alike for one subject, under one key, and none for nobody.
func TestCallLogSubjects(t *testing.T) {
	subjects := func(t *testing.T) {
		t.Helper()
		n := newNotes(t)
		var log callLog
		handler := n.handler(t, true, append(n.options(t, nil), log.option(slog.LevelInfo))...)
		seen := map[string]string{}
		for _, subject := range []string{"alice@example.com", "bob@example.com", "alice@example.com", ""} {
			r := modernCall("1", "note_find", `{"id":"x"}`)
			if subject != "" {
				r = r.with("Authorization", "Bearer "+n.token(t, subject))
			}
			r.record(handler)
			line := log.take()
			digest := ""
			if found := regexp.MustCompile(`subject=([0-9a-f]{16}) `).FindStringSubmatch(line); found != nil {
				digest = found[1]
			}
			if earlier, ok := seen[subject]; ok && earlier != digest || strings.Contains(line, "example.com") || (digest == "") != (subject == "") {
				t.Errorf("%q: %s", subject, line)
			}
			seen[subject] = digest
		}
		if seen["alice@example.com"] == seen["bob@example.com"] {
			t.Error("two subjects have one digest")
		}
	}
	subjects(t)
	// Two handlers agree exactly if they have one key.
	of := func(p capabilities.Principal, options ...runtime.Option) string {
		var log callLog
		options = append(options, log.option(slog.LevelInfo), runtime.ResolveContext(fixedPrincipal(&p)))
		handler, err := runtime.NewHandler(registry(t, newFixture()), options...)
		if err != nil {
			t.Fatal(err)
		}
		modernCall("1", "echo", `{"text":"x"}`).record(handler)
		return log.take()
	}
	alice, key := capabilities.Principal{Issuer: "https://idp.example", Subject: "alice"}, runtime.WithLogKey([]byte("0123456789abcdef"))
	first, second := of(alice, key), of(alice, key)
	if first != second || !strings.Contains(first, "subject=") {
		t.Errorf("%s\n%s", first, second)
	}
	for name, other := range map[string]string{
		"a random key":   of(alice),
		"another key":    of(alice, runtime.WithLogKey([]byte("fedcba9876543210"))),
		"another issuer": of(capabilities.Principal{Issuer: "https://idp2.example", Subject: "alice"}, key),
		"a client":       of(capabilities.Principal{Issuer: "https://idp.example", ClientID: "alice"}, key),
	} {
		if other == first || !strings.Contains(other, "subject=") {
			t.Errorf("%s: %s", name, other)
		}
	}
}

func TestCallLogBoundsCauses(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"long":     {errors.New(strings.Repeat("é", 8<<10)), strings.Repeat("é", 4<<10) + "…"},
		"panics":   {panickingText{}, "an error whose text cannot be read: it panics"},
		"newlines": {errors.New("a\nb"), `cause="a\nb"`},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			handler, err := runtime.NewHandler(failing(t, test.err), runtime.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
			if err != nil {
				t.Fatal(err)
			}
			got := modernCall("1", "boom", `{}`).record(handler)
			if !strings.Contains(got.body, "The capability failed.") || !strings.Contains(log.String(), test.want) || log.Len() > 9<<10 {
				t.Errorf("%s\n%s", got.body, log.String())
			}
		})
	}
}

type panickingText struct{}

func (panickingText) Error() string { panic("CANARY-SECRET") }

// failing is a registry of the one tool boom, which fails with that error.
func failing(t *testing.T, failure error) *capabilities.Registry {
	t.Helper()
	registry, err := capabilities.NewRegistry(capabilities.Handle(func(context.Context, Boom) (string, error) { return "", failure }))
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

func TestLogKeyIsLongEnough(t *testing.T) {
	_, err := runtime.NewHandler(registry(t, newFixture()), runtime.WithLogKey([]byte("short")))
	if want := "runtime.WithLogKey: the key has 5 bytes, it must have 16 or more"; fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// fixedPrincipal resolves everybody to one principal, who may do everything.
func fixedPrincipal(p *capabilities.Principal) func(*http.Request, *capabilities.Principal) (*capabilities.Principal, runtime.Authorizer, error) {
	return func(*http.Request, *capabilities.Principal) (*capabilities.Principal, runtime.Authorizer, error) {
		return p, func(context.Context, *capabilities.Definition) (bool, error) { return true, nil }, nil
	}
}
