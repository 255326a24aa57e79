package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// Look1 and Look2 are two majors of one capability, the first of which is deprecated.
type (
	Look1 struct {
		capabilities.Returns[string]

		Number int `json:"number"`
	}
	Look2 struct {
		capabilities.Returns[string]

		Name string `json:"name"`
	}
)

// lookContract is the contract of one of them; life is its deprecated member, or nothing.
func lookContract(major, description, life, property string) string {
	return fmt.Sprintf(`{"id": "test:look@%s", "tool": "look_v%[1]s", "description": "%s", %s"risk": "read", "access": "public",
		"input": {"type": "object", "properties": {%s}, "additionalProperties": false}, "output": {"type": "string"}}`, major, description, life, property)
}

var (
	look1Capability = capabilities.Declare[Look1, string](lookContract("1", "Looks up a number. Call look_v2.", `"deprecated": "Call look_v2.", `, `"number": {"type": "integer"}`))
	look2Capability = capabilities.Declare[Look2, string](lookContract("2", "Looks up a name.", "", `"name": {"type": "string"}`))
)

func (Look1) Capability() *capabilities.Capability[Look1, string] { return look1Capability }
func (Look2) Capability() *capabilities.Capability[Look2, string] { return look2Capability }

func newLooks(t *testing.T, options ...runtime.Option) *runtime.Handler {
	t.Helper()
	registry, err := capabilities.NewRegistry(
		capabilities.Handle(func(_ context.Context, in Look1) (string, error) { return fmt.Sprint("number ", in.Number), nil }),
		capabilities.Handle(func(_ context.Context, in Look2) (string, error) { return "name " + in.Name, nil }),
	)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := runtime.NewHandler(registry, options...)
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

// Whoever lists tools reads which is to go away, people and programs alike.
func TestDeprecatedEntry(t *testing.T) {
	a := modernRequest("1", "tools/list", "").record(newLooks(t))
	var lines []string
	for _, tool := range decodeList(t, a).Result.Tools {
		text, _ := json.Marshal([]any{tool["name"], tool["description"], tool["annotations"]})
		lines = append(lines, string(text))
	}
	const hints = `{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false`
	want := []string{
		`["look_v1","Looks up a number. Call look_v2.\n\nDeprecated: Call look_v2.",` + hints + `,"deprecated":true}]`,
		`["look_v2","Looks up a name.",` + hints + `}]`,
	}
	if !slices.Equal(lines, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

// Both majors are served, each by its own name, and every call of the deprecated one is counted, however it came in and ended. A name that
// nothing has is nobody's call.
func TestDeprecatedCalls(t *testing.T) {
	reader := metric.NewManualReader()
	var log callLog
	handler := newLooks(t, log.option(slog.LevelInfo), runtime.WithMeterProvider(metric.NewMeterProvider(metric.WithReader(reader))))
	url := serveHandler(t, handler)
	for _, test := range []struct{ name, arguments, want string }{
		{"look_v1", `{"number":7}`, `"structuredContent":{"result":"number 7"}`},
		{"look_v2", `{"name":"seven"}`, `"structuredContent":{"result":"name seven"}`},
		{"look_v1", `{"name":"seven"}`, `"isError":true`},
		{"look_v3", `{}`, `Unknown tool: look_v3`},
	} {
		if got := modernCall("1", test.name, test.arguments).send(t, url); !strings.Contains(got.body, test.want) {
			t.Errorf("%s %s: %s, want %s", test.name, test.arguments, got.body, test.want)
		}
	}
	session := open(t, url, "2025-03-26")
	session.call("1", "look_v1", `{"number":1}`).send(t, url)
	session.post(`[{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"look_v1"}},
		{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"look_v2"}}]`).send(t, url)

	if got, want := countDeprecated(t, reader), "4 capgen.capability=test:look@1 gen_ai.tool.name=look_v1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	lines := strings.Split(log.take(), "\n")
	marked := slices.DeleteFunc(lines, func(line string) bool { return !strings.Contains(line, "deprecated=true") })
	if len(marked) != 4 || !strings.HasSuffix(marked[0], "capability=test:look@1 tool=look_v1 deprecated=true kind=ok duration=D request=R") {
		t.Errorf("%s", strings.Join(marked, "\n"))
	}
}

// countDeprecated returns the points of the metric of deprecated calls, one a line.
func countDeprecated(t *testing.T, reader *metric.ManualReader) string {
	t.Helper()
	var found metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &found); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, m := range found.ScopeMetrics[0].Metrics {
		if m.Name != "capgen.deprecated.calls" {
			continue
		}
		for _, point := range m.Data.(metricdata.Sum[int64]).DataPoints {
			lines = append(lines, fmt.Sprint(point.Value, " ", attributeLine(point.Attributes.ToSlice())))
		}
	}
	return strings.Join(lines, "\n")
}
