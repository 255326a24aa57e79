package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var anyObject = map[string]any{"type": "object"}

// extras adds raw tools of each kind, a prompt and a resource. Started gets the name of each slow tool that begins.
func extras(started chan<- string, release <-chan struct{}) func(*mcp.Server) {
	return func(server *mcp.Server) {
		tool := func(name string, f func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error)) {
			server.AddTool(&mcp.Tool{Name: name, InputSchema: anyObject}, f)
		}
		say := func(text string) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
		}
		tool("raw_echo", func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return say(string(r.Params.Arguments) + r.Extra.Header.Get("Authorization"))
		})
		tool("raw_panic", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic("CANARY-SECRET") })
		tool("raw_error", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, errors.New("CANARY-SECRET")
		})
		tool("raw_refuse", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, &jsonrpc.Error{Code: -32021, Message: "needs sampling", Data: []byte(`{"requiredCapabilities":{"sampling":{}}}`)}
		})
		tool("raw_nil", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
		tool("raw_slow", func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			started <- "raw_slow"
			<-ctx.Done()
			started <- "raw_slow ended"
			return nil, ctx.Err()
		})
		tool("raw_deaf", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			started <- "raw_deaf"
			<-release
			return say("heard")
		})
		tool("raw_progress", func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 1})
			if err != nil {
				return nil, err
			}
			return say("done")
		})
		// The names of a capability and of a hidden one.
		tool("echo", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return say("SHADOW") })
		tool("secret_tool", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return say("SHADOW") })
		server.AddPrompt(&mcp.Prompt{Name: "plän"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "plan it"}}}}, nil
		})
		server.AddPrompt(&mcp.Prompt{Name: "broken"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) { panic("CANARY-SECRET") })
		server.AddResource(&mcp.Resource{Name: "r", URI: "test://r"}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: "a resource"}}}, nil
		})
	}
}

// both asks in both eras: as a request of its own, and on a session. What follows a # in params is a progress token.
func both(t *testing.T, url string, ask func(t *testing.T, send func(method, name, params string) answer)) {
	t.Run("2026-07-28", func(t *testing.T) {
		ask(t, func(method, name, params string) answer {
			params, token, asks := strings.Cut(params, "#")
			r := modernRequest("1", method, params)
			if asks {
				r.body = strings.Replace(r.body, metaMembers, metaMembers+`,"progressToken":`+token, 1)
			}
			if name != "" {
				r.header.Set("Mcp-Name", name)
			}
			return r.send(t, url)
		})
	})
	t.Run("2025-11-25", func(t *testing.T) {
		s := open(t, url, "2025-11-25")
		n := 10
		ask(t, func(method, _, params string) answer {
			n++
			params, token, asks := strings.Cut(params, "#")
			if asks {
				params += `,"_meta":{"progressToken":` + token + `}`
			}
			return s.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":{%s}}`, n, method, strings.TrimPrefix(params, ","))).send(t, url)
		})
	})
}

// What an application adds is served in both eras beside the capabilities, and contained.
func TestWithServer(t *testing.T) {
	started, release := make(chan string, 10), make(chan struct{})
	defer close(release)
	url := server(t, newFixture(), runtime.WithServer(extras(started, release)), runtime.WithDeadline(100*time.Millisecond))
	both(t, url, func(t *testing.T, send func(method, name, params string) answer) {
		call := func(name string) answer {
			return send("tools/call", name, `,"name":"`+name+`","arguments":{"text":"x"}`)
		}
		listed := send("tools/list", "", "").message()
		for _, name := range []string{`"echo"`, `"raw_echo"`, `"raw_panic"`} {
			if strings.Count(listed, `"name":`+name) != 1 {
				t.Errorf("%s is listed %d times: %s", name, strings.Count(listed, `"name":`+name), listed)
			}
		}
		if strings.Contains(listed, "secret_tool") {
			t.Errorf("a raw tool shows a hidden name: %s", listed)
		}
		for name, want := range map[string]string{
			"raw_echo": `{\"text\":\"x\"}`, "echo": `{\"result\":\"x\"}`, "secret_tool": "Unknown tool: secret_tool", "raw_none": "Unknown tool: raw_none",
			"raw_panic": `"code":-32603,"message":"Internal error"`, "raw_refuse": `"error":{"code":-32021,"message":"needs sampling","data":{"requiredCapabilities":{"sampling":{}}}}`,
			"raw_error": `"code":-32603,"message":"Internal error"`, "raw_nil": `"code":-32603,"message":"Internal error"`,
			"raw_deaf": "The call took too long and was stopped.", "raw_slow": "The call took too long and was stopped.",
		} {
			if got := call(name); !strings.Contains(got.message(), want) || strings.Contains(got.body, "CANARY") || strings.Contains(got.body, "SHADOW") {
				t.Errorf("%s: %d %s", name, got.status, got.body)
			}
		}
		for len(started) > 0 {
			<-started
		}
		if got := send("prompts/list", "", ""); !strings.Contains(got.message(), "plän") {
			t.Errorf("%s", got.body)
		}
		if got := send("prompts/get", "=?base64?cGzDpG4=?=", `,"name":"plän"`); !strings.Contains(got.message(), "plan it") {
			t.Errorf("%s", got.body)
		}
		if got := send("prompts/get", "broken", `,"name":"broken"`); !strings.Contains(got.message(), "-32603") || strings.Contains(got.body, "CANARY") {
			t.Errorf("%s", got.body)
		}
		if got := send("resources/read", "test://r", `,"uri":"test://r"`); !strings.Contains(got.message(), "a resource") {
			t.Errorf("%s", got.body)
		}
		if got := send("completion/complete", "", ""); !strings.Contains(got.message(), "-32601") {
			t.Errorf("a method without its capability: %s", got.body)
		}
		if got := send("tools/call", "raw_progress", `,"name":"raw_progress"#"p"`); !strings.Contains(got.body, `"progressToken":"p"`) || !strings.Contains(got.message(), `"done"`) {
			t.Errorf("%s", got.body)
		}
	})
	if got := modernRequest("1", "prompts/get", `,"name":"plän"`).with("Mcp-Name", "plan").send(t, url); got.code(t) != -32020 {
		t.Errorf("%s", got.body)
	}
	if got := modernCall("9007199254740993", "raw_echo", `{}`).send(t, url); got.code(t) != -32600 {
		t.Errorf("%s", got.body)
	}
}

// Without an application's additions nothing of this is a method.
func TestWithoutServer(t *testing.T) {
	both(t, server(t, newFixture()), func(t *testing.T, send func(method, name, params string) answer) {
		for _, method := range []string{"prompts/list", "resources/list", "logging/setLevel"} {
			if got := send(method, "", ""); !strings.Contains(got.message(), "-32601") {
				t.Errorf("%s: %s", method, got.body)
			}
		}
	})
}

// A raw call ends with its client in 2026-07-28; on a session with its cancellation, and with the session, which answers it.
func TestRawCallEnds(t *testing.T) {
	started, release := make(chan string, 10), make(chan struct{})
	defer close(release)
	url := server(t, newFixture(), runtime.WithServer(extras(started, release)))
	wait := func(want string) {
		t.Helper()
		select {
		case got := <-started:
			if got != want {
				t.Errorf("%s, want %s", got, want)
			}
		case <-time.After(5 * time.Second):
			t.Errorf("%s did not come", want)
		}
	}
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		if response, err := modernCall("1", "raw_slow", `{}`).start(ctx, url); err == nil {
			response.Body.Close()
		}
	}()
	wait("raw_slow")
	leave()
	wait("raw_slow ended")

	s := open(t, url, "2025-11-25")
	s.call("5", "raw_slow", `{}`).background(t, url)
	wait("raw_slow")
	s.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`).send(t, url)
	wait("raw_slow ended")
	pending := s.call("6", "raw_deaf", `{}`).background(t, url)
	wait("raw_deaf")
	if got := s.delete().send(t, url); got.status != 204 {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := <-pending; !strings.Contains(got.message(), `"id":6`) || !strings.Contains(got.body, "The call was cancelled.") {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// A list of more than a page goes on from capabilities to raw tools, and through them.
func TestRawPages(t *testing.T) {
	url := server(t, newFixture(), runtime.WithServer(func(server *mcp.Server) {
		for i := range 250 {
			server.AddTool(&mcp.Tool{Name: fmt.Sprintf("raw_%03d", i), InputSchema: anyObject}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{}, nil
			})
		}
	}))
	seen, cursor := map[string]bool{}, ""
	for pages := 0; ; pages++ {
		params := ""
		if cursor != "" {
			params = `,"cursor":"` + cursor + `"`
		}
		body := modernRequest("1", "tools/list", params).send(t, url).body
		for _, part := range strings.Split(body, `"name":"raw_`)[1:] {
			name, _, _ := strings.Cut(part, `"`)
			if seen[name] {
				t.Errorf("%s comes twice", name)
			}
			seen[name] = true
		}
		_, rest, more := strings.Cut(body, `"nextCursor":"`)
		if !more {
			if len(seen) != 250 || pages != 2 {
				t.Errorf("%d tools on %d pages", len(seen), pages+1)
			}
			return
		}
		cursor, _, _ = strings.Cut(rest, `"`)
	}
}

func TestWithServerPanics(t *testing.T) {
	_, err := runtime.NewHandler(registry(t, newFixture()), runtime.WithServer(func(*mcp.Server) { panic("boom") }))
	if err == nil || err.Error() != "runtime.WithServer: the function panicked: boom" {
		t.Errorf("%v", err)
	}
	_, err = runtime.NewHandler(registry(t, newFixture()), runtime.WithServer(nil), runtime.WithServerOptions(nil), runtime.WithMaxStreams(0))
	if want := "runtime.WithServer: the function is nil\nruntime.WithServerOptions: the function is nil\nruntime.WithMaxStreams(0): the limit must be 1 or more"; err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}

// Completions are an option of go-sdk's server.
func TestWithServerOptions(t *testing.T) {
	url := server(t, newFixture(), runtime.WithServerOptions(func(o *mcp.ServerOptions) {
		o.CompletionHandler = func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{"night-drive"}}}, nil
		}
	}))
	both(t, url, func(t *testing.T, send func(method, name, params string) answer) {
		got := send("completion/complete", "", `,"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"n"}`)
		if !strings.Contains(got.message(), "night-drive") {
			t.Errorf("%s", got.body)
		}
	})
}

// Reports of a handler reach the caller that asked for them: under its token, growing, ahead of the answer, and of no other
// call nor stream (PG01, PG02, PG03, PG04, PG05, PG01 to
// PG06, HT16).
func TestProgress(t *testing.T) {
	find := func(ctx context.Context, in NoteFind) (string, error) {
		for _, done := range []float64{1, 1, 0.5, 2.5} {
			capabilities.Progress(ctx, done, 4, "at "+in.ID)
		}
		capabilities.Progress(ctx, 1e300, 0, "")
		return "found", nil
	}
	handler := finder(t, find)
	url := serveHandler(t, handler)
	both(t, url, func(t *testing.T, send func(method, name, params string) answer) {
		for i, token := range []string{`"t\"1"`, "7", "-12345678901234567890"} {
			got := send("tools/call", "note_find", `,"name":"note_find","arguments":{"id":"x"}#`+token)
			// On a session the first event is without a message, and gives an ID to resume from.
			events := strings.Split(strings.TrimPrefix(strings.TrimSpace(got.body), "id: capgen-"+strconv.Itoa(i+1)+"_0\nretry: 1000\ndata: \n\n"), "\n\n")
			head := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + `,"progress":`
			if len(events) != 4 || !strings.Contains(events[0], head+`1,"total":4,"message":"at x"}}`) || !strings.Contains(events[1], head+`2.5,"total":4`) ||
				!strings.Contains(events[2], head+`1e+300}}`) || !strings.Contains(events[3], `"result"`) || got.header.Get("X-Accel-Buffering") != "no" {
				t.Errorf("%v\n%s", got.header, got.body)
			}
		}
		if got := send("tools/call", "note_find", `,"name":"note_find","arguments":{"id":"x"}`); got.header.Get("Content-Type") != "application/json" {
			t.Errorf("nobody asked: %s", got.body)
		}
	})
}

// What a handler attaches comes after the text, in order, and not at all when it fails.
func TestAttached(t *testing.T) {
	find := func(ctx context.Context, in NoteFind) (string, error) {
		err := capabilities.Attach(ctx,
			capabilities.Image{Data: []byte("\x00\xff"), MIMEType: "image/png"}, capabilities.Audio{Data: []byte("a"), MIMEType: "audio/wav"},
			capabilities.Resource{URI: "test://t", Text: "é\""}, capabilities.Resource{URI: "test://b", MIMEType: "x/y", Blob: []byte{}},
			capabilities.ResourceLink{URI: "test://l", Name: "l", Title: "L", Size: 5})
		if in.ID == "fail" {
			return "", capabilities.Errorf("no", "no")
		}
		return "found", err
	}
	handler := finder(t, find)
	url := serveHandler(t, handler)
	const text = `"content":[{"type":"text","text":"{\"result\":\"found\"}"},{"type":"image","data":"AP8=","mimeType":"image/png"},`
	const resources = `{"type":"resource","resource":{"uri":"test://t","text":"é\""}},{"type":"resource","resource":{"uri":"test://b","mimeType":"x/y","blob":""}},`
	const audio, link = `{"type":"audio","data":"YQ==","mimeType":"audio/wav"},`, `{"type":"resource_link","uri":"test://l","name":"l","title":"L","size":5}]`
	if got := modernCall("1", "note_find", `{"id":"x"}`).send(t, url); !strings.Contains(got.body, text+audio+resources+link) {
		t.Errorf("%s", got.body)
	}
	if got := modernCall("1", "note_find", `{"id":"fail"}`).send(t, url); strings.Contains(got.body, "image") {
		t.Errorf("%s", got.body)
	}
	for revision, want := range map[string]string{
		"2025-11-25": text + audio + resources + link,
		"2025-06-18": text + audio + resources + link,
		"2025-03-26": text + audio + resources + `{"type":"text","text":"l: test://l"}]`,
		"2024-11-05": text + `{"type":"text","text":"(audio of type audio/wav)"},` + resources + `{"type":"text","text":"l: test://l"}]`,
	} {
		s := open(t, url, revision)
		if got := s.call("1", "note_find", `{"id":"x"}`).send(t, url); !strings.Contains(got.body, want) {
			t.Errorf("%s: %s", revision, got.body)
		}
		if got := s.delete().send(t, url); got.status != 204 {
			t.Errorf("%d", got.status)
		}
	}
}

// Past the limit a stream is refused, and a call is answered without one.
func TestMaxStreams(t *testing.T) {
	f := newFixture()
	url := server(t, f, runtime.WithMaxStreams(1), runtime.Timing(20*time.Millisecond, 0, 0, 0))
	s := open(t, url, "2025-11-25")
	stream, err := request{method: "GET", header: map[string][]string{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {s.id}}}.start(t.Context(), url)
	if err != nil || stream.StatusCode != 200 {
		t.Fatal(err, stream)
	}
	for name, r := range map[string]request{
		"listen": modernRequest("1", "subscriptions/listen", `,"notifications":{}`),
		"GET":    {method: "GET", header: map[string][]string{"Accept": {"text/event-stream"}, "Mcp-Session-Id": {s.id}}},
	} {
		if got := r.send(t, url); got.status != 503 || got.header.Get("Retry-After") == "" || got.code(t) != -32603 {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	got := modernCall("2", "slow", `{"ms":80,"key":"k"}`).send(t, url)
	if got.header.Get("Content-Type") != "application/json" || !strings.Contains(got.body, "slept") {
		t.Errorf("%v %s", got.header, got.body)
	}
	_ = stream.Body.Close()
	eventually(t, func() bool {
		return modernCall("3", "slow", `{"ms":40,"key":"k"}`).send(t, url).header.Get("Content-Type") == "text/event-stream"
	})
}
