package runtimetest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

// Caller is one of those that a [Matrix] tells of.
type Caller struct {
	// Name heads the caller's column.
	Name string
	// Token is its bearer token; empty for an anonymous caller.
	Token string
	// Header holds more headers of its requests, for an application that resolves callers itself; may be nil.
	Header http.Header
}

// Matrix asks a handler, as each of the callers, which tools it lists and what becomes of a call of each of its tools, and returns that as
// a table: a row a tool, a column a caller. An application compares it with a file, so that a change of who may do what is read in a pull
// request. A cell is
//
//	list call                  the tool is listed, and a call of it is admitted
//	list unauthorized          it is listed, and the resource check refuses the call
//	list declined CODE         it is listed, and the application declines with that code
//	list needs SCOPE SCOPE     it is listed, and a call is answered with 403 and these scopes
//	-                          it is hidden: not listed, and unknown to a call
//	401                        the caller is refused before anything is asked
//
// Inputs holds arguments by tool name, a JSON text or a value that has one. A tool with arguments is really called, one without is
// called with arguments that its schema refuses, so that its handler does not run: that shows who is admitted, and nothing of resource
// checks. A tool that takes any arguments needs some. The callers come one after another, and of each the reads before the writes before what
// destroys; so an input must not change what another caller sees, such as deleting a record that is read. Every other answer ends the test.
func Matrix(t testing.TB, handler *runtime.Handler, callers []Caller, inputs map[string]any) string {
	t.Helper()
	tools := handler.Tools()
	names := slices.SortedFunc(maps.Keys(tools), func(a, b string) int {
		return strings.Compare(tools[a].ID.String(), tools[b].ID.String())
	})
	for name := range inputs {
		if tools[name] == nil {
			t.Fatalf("runtimetest: there is an input for %q, which is no tool of this server", name)
		}
	}
	columns := make([]map[string]string, len(callers))
	for i, caller := range callers {
		columns[i] = ask(t, handler, caller, tools, inputs)
	}

	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "TOOL")
	for _, caller := range callers {
		fmt.Fprint(table, "\t", strings.ToUpper(caller.Name))
	}
	fmt.Fprintln(table)
	for _, name := range names {
		fmt.Fprint(table, name)
		for i := range callers {
			fmt.Fprint(table, "\t", columns[i][name])
		}
		fmt.Fprintln(table)
	}
	_ = table.Flush() // a strings.Builder takes everything
	return b.String()
}

// inOrder returns the names of tools in the order in which they are called: what reads first and what destroys last, so that a call changes
// as little as can be of what the next one finds.
func inOrder(tools map[string]*capabilities.Definition) []string {
	rank := map[capabilities.Risk]int{capabilities.Write: 1, capabilities.Destructive: 2}
	return slices.SortedFunc(maps.Keys(tools), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank[tools[a].Risk], rank[tools[b].Risk]), strings.Compare(a, b))
	})
}

// ask fills one caller's column.
func ask(t testing.TB, handler http.Handler, caller Caller, tools map[string]*capabilities.Definition, inputs map[string]any) map[string]string {
	t.Helper()
	d := &dialogue{t: t, handler: handler, caller: caller}
	cells := map[string]string{}
	if status := d.open(); status != http.StatusOK {
		for name := range tools {
			cells[name] = fmt.Sprint(status)
		}
		return cells
	}
	defer d.close()
	listed := d.list()
	for _, name := range inOrder(tools) {
		def := tools[name]
		outcome := d.outcome(name, arguments(t, name, def, inputs))
		if listed[name] {
			outcome = strings.TrimSpace("list " + outcome)
		}
		if outcome == "" {
			outcome = "-"
		}
		cells[name] = outcome
	}
	return cells
}

// arguments returns what a tool is called with, and whether its handler shall run.
func arguments(t testing.TB, name string, def *capabilities.Definition, inputs map[string]any) json.RawMessage {
	t.Helper()
	switch in := inputs[name].(type) {
	case nil:
	case string:
		return json.RawMessage(in)
	default:
		text, err := json.Marshal(in)
		if err != nil {
			t.Fatalf("runtimetest: the input of %s: %v", name, err)
		}
		return text
	}
	var schema struct {
		AdditionalProperties json.RawMessage `json:"additionalProperties"`
	}
	if err := json.Unmarshal(def.Input, &schema); err != nil || string(schema.AdditionalProperties) != "false" {
		t.Fatalf("runtimetest: %s takes any arguments, so a call to see whether it is admitted would run it: give it an input", name)
	}
	return json.RawMessage(`{"` + strings.Repeat("no such property ", 2) + `":0}`)
}

// dialogue is a caller's conversation in revision 2025-11-25, in which no header repeats an argument.
type dialogue struct {
	t       testing.TB
	handler http.Handler
	caller  Caller
	session string
}

// open returns the status that the session was opened with.
func (d *dialogue) open() int {
	d.t.Helper()
	answer, _ := d.send("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": struct{}{}, "clientInfo": map[string]string{"name": "runtimetest", "version": "v1"},
	})
	d.session = answer.Header.Get("Mcp-Session-Id")
	return answer.StatusCode
}

func (d *dialogue) close() {
	d.handler.ServeHTTP(httptest.NewRecorder(), d.request(http.MethodDelete, nil))
}

func (d *dialogue) list() map[string]bool {
	d.t.Helper()
	listed := map[string]bool{}
	params := map[string]string{}
	for {
		_, reply := d.send("tools/list", params)
		for _, tool := range reply.Result.Tools {
			listed[tool.Name] = true
		}
		if reply.Result.NextCursor == "" {
			return listed
		}
		params["cursor"] = reply.Result.NextCursor
	}
}

// outcome calls a tool; "" means that it is unknown.
func (d *dialogue) outcome(name string, arguments json.RawMessage) string {
	d.t.Helper()
	answer, reply := d.send("tools/call", map[string]any{"name": name, "arguments": arguments})
	text := ""
	if len(reply.Result.Content) > 0 {
		text = reply.Result.Content[0].Text
	}
	code, _, isCoded := strings.Cut(text, ": ")
	switch {
	case answer.StatusCode == http.StatusForbidden:
		_, scopes, _ := strings.Cut(answer.Header.Get("WWW-Authenticate"), `scope="`)
		scopes, _, _ = strings.Cut(scopes, `"`)
		return "needs " + scopes
	case reply.Error.Code == -32602:
		return ""
	case reply.Error.Code != 0:
		d.t.Fatalf("runtimetest: %s calls %s: %d %s", d.caller.Name, name, reply.Error.Code, reply.Error.Message)
	case !reply.Result.IsError:
		return "call"
	case strings.HasPrefix(text, capabilities.InvalidInput.Sentence()):
		if strings.Contains(string(arguments), "no such property") {
			return "call"
		}
		d.t.Fatalf("runtimetest: the input of %s: %s", name, text)
	case text == capabilities.Unauthorized.Sentence():
		return "unauthorized"
	case isCoded && !strings.Contains(code, " "):
		return "declined " + code
	}
	d.t.Fatalf("runtimetest: %s calls %s: %s", d.caller.Name, name, text)
	return ""
}

// reply is what a matrix reads of a JSON-RPC response.
type reply struct {
	Result struct {
		Tools      []struct{ Name string }
		NextCursor string
		Content    []struct{ Text string }
		IsError    bool
	}
	Error struct {
		Code    int
		Message string
	}
}

func (d *dialogue) send(method string, params any) (*http.Response, reply) {
	d.t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		d.t.Fatalf("runtimetest: %v", err)
	}
	recorder := httptest.NewRecorder()
	d.handler.ServeHTTP(recorder, d.request(http.MethodPost, body))
	answer := recorder.Result()
	text := recorder.Body.Bytes()
	if _, data, isStream := bytes.Cut(text, []byte("data: ")); isStream {
		text = data
	}
	var read reply
	if err := json.Unmarshal(bytes.TrimSpace(text), &read); err != nil {
		d.t.Fatalf("runtimetest: %s: the answer to %s cannot be read: %v: %s", d.caller.Name, method, err, text)
	}
	return answer, read
}

func (d *dialogue) request(method string, body []byte) *http.Request {
	r := httptest.NewRequestWithContext(d.t.Context(), method, "http://localhost/", bytes.NewReader(body))
	maps.Copy(r.Header, d.caller.Header)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if d.caller.Token != "" {
		r.Header.Set("Authorization", "Bearer "+d.caller.Token)
	}
	if d.session != "" {
		r.Header.Set("Mcp-Session-Id", d.session)
	}
	return r
}
