package runtime_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

// TestResults has the exact answers of a call in each era that differs.
func TestResults(t *testing.T) {
	url := server(t, newFixture())
	const head = `{"jsonrpc":"2.0","id":"a","result":{`
	const modernHead = head + `"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fixture","version":"v1"}`
	const problems = `"io.github.capgen/problems":[{"pointer":"/text","keyword":"type","message":"must be a string"}]`
	const invalid = `"content":[{"type":"text","text":"The input does not match the schema.\n/text: must be a string (type)"}],"isError":true}}`
	const echoed = `"content":[{"type":"text","text":"{\"result\":\"a\\nb\"}"}]`
	tests := []struct {
		name, revision, tool, arguments, want string
	}{
		{"TC05 TC06 TC07 ME04 ME05", "2026-07-28", "echo", `{"text":"a\nb"}`, modernHead + `},` + echoed + `,"structuredContent":{"result":"a\nb"}}}`},
		{"TC08 with sessions", "2025-11-25", "echo", `{"text":"a\nb"}`, head + echoed + `,"structuredContent":{"result":"a\nb"}}}`},
		{"first with structured content", "2025-06-18", "echo", `{"text":"a\nb"}`, head + echoed + `,"structuredContent":{"result":"a\nb"}}}`},
		{"TC06 without", "2025-03-26", "echo", `{"text":"a\nb"}`, head + echoed + `}}`},
		{"TC03", "2026-07-28", "echo", `{"text":5}`, modernHead + `,` + problems + `},` + invalid},
		{"TC03 with sessions", "2025-11-25", "echo", `{"text":5}`, head + `"_meta":{` + problems + `},` + invalid},
		{"TC04", "2026-07-28", "echo", `{"text":"nobody"}`,
			modernHead + `},"content":[{"type":"text","text":"nobody_home: there is nobody: try somebody"}],"isError":true}}`},
		{"TC14 EC09 panic", "2026-07-28", "panic", `{}`, `{"jsonrpc":"2.0","id":"a","error":{"code":-32603,"message":"The capability failed."}}`},
		{"TC14 EC09 panic with sessions", "2025-11-25", "panic", `{}`, `{"jsonrpc":"2.0","id":"a","error":{"code":-32603,"message":"The capability failed."}}`},
		{"TC14 error", "2026-07-28", "boom", `{}`, modernHead + `},"content":[{"type":"text","text":"The capability failed."}],"isError":true}}`},
		{"TC06 EC09 invalid output", "2026-07-28", "echo", `{"text":"` + strings.Repeat("x", 60) + `"}`,
			`{"jsonrpc":"2.0","id":"a","error":{"code":-32603,"message":"The capability's result does not match its schema."}}`},
		{"TC01 with sessions", "2025-11-25", "nope", `{}`, `{"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"Unknown tool: nope"}}`},
		{"TC02 with sessions", "2025-11-25", "echo", `[]`, `{"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"Invalid params: arguments must be an object"}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := modernCall(`"a"`, test.tool, test.arguments)
			if test.revision != "2026-07-28" {
				r = open(t, url, test.revision).call(`"a"`, test.tool, test.arguments)
			}
			got := r.send(t, url)
			if got.status != http.StatusOK || got.body != test.want || got.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%d %s\nwant %s", got.status, got.body, test.want)
			}
		})
	}
}

// IDs come back as they were spelt (JR03).
func TestIDs(t *testing.T) {
	url := server(t, newFixture())
	s := open(t, url, "2025-11-25")
	for _, id := range []string{"9007199254740993", "-1", "0", `""`, `"1"`, `"\u0041"`} {
		for _, r := range []request{modernCall(id, "echo", `{"text":"x"}`), s.call(id, "echo", `{"text":"x"}`),
			s.post(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`), s.post(`{"jsonrpc":"2.0","id":` + id + `,"method":"no/such"}`)} {
			if got := r.send(t, url); got.status != 200 || !strings.HasPrefix(got.body, `{"jsonrpc":"2.0","id":`+id+`,`) {
				t.Errorf("%s: %d %s", id, got.status, got.body)
			}
		}
	}
}

// The caller of a handler that is deaf to its context is answered at the deadline, and the handler keeps its place.
func TestDeafHandler(t *testing.T) {
	f := newFixture()
	defer close(f.release)
	url := server(t, f, runtime.WithDeadline(20*time.Millisecond), runtime.WithMaxCalls(1))
	got := modernCall("1", "deaf", `{"ms":60000}`).send(t, url)
	if got.status != 200 || !strings.Contains(got.body, "The call took too long and was stopped.") || !strings.Contains(got.body, `"isError":true`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	// TC13: the limit is told with a status, under the id.
	got = modernCall("2", "echo", `{"text":"x"}`).send(t, url)
	if got.status != 503 || got.header.Get("Retry-After") != "1" || got.code(t) != -32603 || !strings.Contains(got.body, `"id":2`) {
		t.Errorf("%d %v %s", got.status, got.header, got.body)
	}
}

// failures collects what a hook is told.
type failures struct {
	mu   sync.Mutex
	list []runtime.ToolFailure
}

func (f *failures) add(_ context.Context, failure runtime.ToolFailure) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, failure)
}

func TestOnToolFailure(t *testing.T) {
	var told failures
	var log bytes.Buffer
	url := server(t, newFixture(), runtime.WithLogger(slog.New(slog.NewTextHandler(&log, nil))),
		runtime.WithToolNames(func(id capabilities.ID) string { return "my." + id.Name }),
		runtime.OnToolFailure(func(context.Context, runtime.ToolFailure) { panic("a hook") }), runtime.OnToolFailure(told.add))
	for _, r := range []request{
		modernCall("1", "my.echo", `{"text":"fine"}`), modernCall("2", "my.echo", `{"text":5}`), modernCall("3", "my.echo", `{"text":"nobody"}`),
		modernCall("4", "my.panic", `{}`), modernCall("5", "echo", `{}`), modernCall("6", "my.secret.tool", `{}`),
	} {
		if got := r.send(t, url); got.header.Get("Content-Type") != "application/json" {
			t.Fatalf("%d %s", got.status, got.body)
		}
	}
	var got []string
	for _, f := range told.list {
		line := f.Tool + " " + string(f.Kind) + " " + f.Observation.Binding
		for _, p := range f.Observation.Problems {
			line += " " + p.Pointer + " " + p.Keyword
		}
		if f.ID != (capabilities.ID{}) {
			line = f.ID.String() + " " + line
		}
		got = append(got, line)
	}
	want := []string{
		"test:echo@1 my.echo invalid-input test:echo@1 /text type", "test:echo@1 my.echo declined test:echo@1",
		"test:panic@1 my.panic handler-panicked test:panic@1", " capability-missing ", "test:secret.tool@1 my.secret.tool not-exposed ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// The log has what nobody is told, and the callers' own mistakes are not news.
	if text := log.String(); !strings.Contains(text, "CANARY-SECRET") || strings.Count(text, "level=ERROR") != 1 {
		t.Errorf("log: %s", text)
	}
}
