package runtime_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/mcptool"
	"github.com/capgen/capgen/runtime"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Order has inputs of which each is refused by one family of clients or another. Its handler answers the input that it was given.
type Order struct {
	capabilities.Returns[map[string]any]

	Note   *string        `json:"note"`
	Tags   map[string]int `json:"tags"`
	Level  int            `json:"level"`
	Filter string         `json:"filter[id]"`
	Limit  int            `json:"limit,omitempty"`
	Zone   string         `json:"zone,omitempty"`
}

var orderCapability = capabilities.Declare[Order, map[string]any](`{"id": "test:order@1", "tool": "order", "description": "Orders.", "risk": "read", "access": "public",
	"input": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {
		"note": {"type": ["string", "null"]}, "tags": {"type": "object", "additionalProperties": {"type": "integer"}},
		"level": {"type": "integer", "enum": [1, 2]}, "filter[id]": {"type": "string"}, "limit": {"type": "integer", "minimum": 1, "default": 3}, "zone": {"type": "string", "x-mcp-header": "Zone"}},
		"required": ["note", "tags", "level", "filter[id]"], "additionalProperties": false},
	"output": {"type": "object"}}`)

func (Order) Capability() *capabilities.Capability[Order, map[string]any] { return orderCapability }

func order(_ context.Context, in Order) (map[string]any, error) {
	return map[string]any{"note": in.Note, "tags": in.Tags, "level": in.Level, "filter": in.Filter, "limit": in.Limit}, nil
}

func orders(t *testing.T) *capabilities.Registry {
	t.Helper()
	registry, err := capabilities.NewRegistry(capabilities.Handle(order))
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

// Each family lists what it accepts and calls with that, in both eras; the handler is given the same.
func TestWithDialect(t *testing.T) {
	running := start(t, orders(t), runtime.Config{Port: runtime.FreePort},
		runtime.WithDialect("/mcp/gemini", mcptool.Gemini), runtime.WithDialect("/strict", mcptool.OpenAIStrict))
	origin := strings.TrimSuffix(running.url, "/mcp")
	const meant = `{"filter":"f","level":2,"limit":0,"note":null,"tags":{"a":1}}`
	for _, test := range []struct{ path, input, arguments string }{
		{"/mcp", `"note":{"type":["string","null"]}`, `{"note":null,"tags":{"a":1},"level":2,"filter[id]":"f"}`},
		{"/mcp/gemini", `"note":{"description":"Leave it out for null.","type":"string"}`, `{"tags":[{"name":"a","value":1}],"level":"2","filter_id_":"f"}`},
		{"/strict", `"limit":{"description":"Null stands for 3."`, `{"note":null,"tags":[{"name":"a","value":1}],"level":2,"filter[id]":"f","limit":null,"zone":null}`},
	} {
		for _, revision := range []string{"2026-07-28", "2025-11-25", "2025-03-26"} {
			s := connect(t, origin+test.path, revision)
			tools, err := s.ListTools(t.Context(), nil)
			if err != nil || len(tools.Tools) != 1 {
				t.Fatalf("%s: %v %v", test.path, tools, err)
			}
			// encoding/json sorts the members.
			if input, _ := json.Marshal(tools.Tools[0].InputSchema); !strings.Contains(string(input), test.input) {
				t.Errorf("%s %s: got %s, want %s", test.path, revision, input, test.input)
			}
			var arguments map[string]any
			if err := json.Unmarshal([]byte(test.arguments), &arguments); err != nil {
				t.Fatal(err)
			}
			result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "order", Arguments: arguments})
			if err != nil {
				t.Fatalf("%s %s: %v", test.path, revision, err)
			}
			if got := result.Content[0].(*mcp.TextContent).Text; result.IsError || got != `{"result":`+meant+`}` {
				t.Errorf("%s %s: got %v %s", test.path, revision, result.IsError, got)
			}
			// What a value stands for is checked as ever, and the problem is at the place that the tool itself has.
			result, err = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "order", Arguments: map[string]any{"level": 7}})
			if err != nil || !result.IsError || !strings.Contains(result.Content[0].(*mcp.TextContent).Text, "/level") {
				t.Errorf("%s %s: %+v %v", test.path, revision, result, err)
			}
		}
	}
}

// The requests of a batch are of one family, too.
func TestDialectOfBatch(t *testing.T) {
	handler, err := runtime.NewHandler(orders(t), runtime.WithDialect("/gemini", mcptool.Gemini))
	if err != nil {
		t.Fatal(err)
	}
	url := serveHandler(t, handler) + "/gemini"
	opened := post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`).send(t, url)
	session := opened.header.Get("Mcp-Session-Id")
	batch := post(`[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"order","arguments":{"tags":[],"level":"1","filter_id_":"g"}}}]`)
	batch.header.Set("Mcp-Session-Id", session)
	got := batch.send(t, url)
	if got.status != http.StatusOK || !strings.Contains(got.body, `"filter_id_":{"type":"string"}`) || !strings.Contains(got.body, `\"filter\":\"g\",\"level\":1`) {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// A header that repeats an input is asked of those alone who were told of it.
func TestDialectMirrors(t *testing.T) {
	handler, err := runtime.NewHandler(orders(t), runtime.WithDialect("/gemini", mcptool.Gemini), runtime.WithDialect("/cursor", mcptool.Cursor))
	if err != nil {
		t.Fatal(err)
	}
	url := serveHandler(t, handler)
	for path, test := range map[string]struct {
		arguments string
		status    int
	}{
		"/gemini": {`{"tags":[],"level":"1","filter_id_":"g","zone":"z"}`, http.StatusOK},
		"/cursor": {`{"tags":{},"level":1,"filter[id]":"g","zone":"z"}`, http.StatusBadRequest},
		"":        {`{"note":null,"tags":{},"level":1,"filter[id]":"g","zone":"z"}`, http.StatusBadRequest},
	} {
		if got := modernCall("1", "order", test.arguments).send(t, url+path); got.status != test.status {
			t.Errorf("%q: %d %s", path, got.status, got.body)
		}
	}
}

// Knot cannot be told to those who have no references.
type Knot struct {
	capabilities.Returns[capabilities.Nothing]

	Knot *Knot `json:"knot,omitempty"`
}

var knotCapability = capabilities.Declare[Knot, capabilities.Nothing](`{"id": "test:knot@1", "tool": "knot-it", "description": "Knots.", "risk": "read", "access": "public",
	"input": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {"knot": {"$ref": "#/$defs/Knot"}}, "additionalProperties": false,
		"$defs": {"Knot": {"type": "object", "properties": {"knot": {"$ref": "#/$defs/Knot"}}, "additionalProperties": false}}},
	"output": {"type": "object"}}`)

func (Knot) Capability() *capabilities.Capability[Knot, capabilities.Nothing] { return knotCapability }

func TestDialectErrors(t *testing.T) {
	knots, err := capabilities.NewRegistry(capabilities.Do(func(context.Context, Knot) error { return nil }))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		registry *capabilities.Registry
		options  []runtime.Option
		want     string
	}{
		{orders(t), []runtime.Option{runtime.WithDialect("gemini/", mcptool.Gemini)},
			`runtime.WithDialect("gemini/", "gemini"): write a plain path, such as /mcp/gemini`},
		{orders(t), []runtime.Option{runtime.WithDialect("/g", "gemeni")},
			`runtime.WithDialect("/g", "gemeni"): there is no profile "gemeni": did you mean gemini? the profiles are all, claude, openai, openai-strict, gemini, bedrock, cursor and vscode`},
		{orders(t), []runtime.Option{runtime.WithDialect("/g", mcptool.Gemini), runtime.WithDialect("/g", mcptool.Cursor)},
			`runtime.WithDialect("/g", "cursor"): the path is that of gemini already`},
		{knots, []runtime.Option{runtime.WithDialect("/g", mcptool.Gemini), runtime.WithDialect("/c", mcptool.Claude)},
			`runtime.WithDialect("/c", "claude"): test:knot@1: "knot" is of a type that refers to itself, which claude has no word for: nest types of their own as deep as is needed` + "\n" +
				`runtime.WithDialect("/g", "gemini"): test:knot@1: "knot" is of a type that refers to itself, which gemini has no word for: nest types of their own as deep as is needed`},
		{orders(t), []runtime.Option{runtime.WithToolNames(func(capabilities.ID) string { return "a-b" }), runtime.WithDialect("/c", mcptool.Cursor)},
			`runtime.WithDialect("/c", "cursor"): test:order@1: the name "a-b" has other characters than those of ^[A-Za-z0-9_]+$: not accepted by cursor; write _ for each other character with tool= (name-charset)`},
	} {
		if _, err := runtime.NewHandler(test.registry, test.options...); err == nil || err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
	for _, at := range []string{"/mcp", "/healthz"} {
		want := `runtime.WithDialect("` + at + `", "gemini"): Run serves something else there: write another path, such as /mcp/gemini`
		if err := runtime.Run(t.Context(), orders(t), runtime.Config{Port: runtime.FreePort}, runtime.WithDialect(at, mcptool.Gemini)); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}
