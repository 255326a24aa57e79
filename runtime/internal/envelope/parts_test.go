package envelope_test

import (
	"fmt"
	"testing"

	"github.com/capgen/capgen/runtime/internal/envelope"
)

func TestParam(t *testing.T) {
	m, err := envelope.Parse([]byte(`{"params": {"name" : "x", "\u005fmeta": {"a": 1} , "arguments":{}}, "jsonrpc":"2.0","id":1,"method":"m",
		"x": {"params": {"cursor": 1}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"name": `"x"`, "_meta": `{"a": 1}`, "arguments": `{}`, "cursor": "", "Name": ""} {
		if got := m.Param(name); string(got) != want || (got == nil) != (want == "") {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	m, err = envelope.Parse([]byte(`{"jsonrpc":"2.0","id":1,"method":"m","params":[{"name":"x"}]}`))
	if err != nil || m.Param("name") != nil {
		t.Errorf("params is an array, yet has a name: %s, %v", m.Param("name"), err)
	}
}

func TestReadString(t *testing.T) {
	for text, want := range map[string]string{
		`""`: "", `"plain"`: "plain", `"é😀"`: "é😀", `"\"\\\/\b\f\n\r\t"`: "\"\\/\b\f\n\r\t", `"\u00e9\uD83D\uDE00"`: "é😀", `"\u0000"`: "\x00",
	} {
		if got, ok := envelope.ReadString([]byte(text)); !ok || got != want {
			t.Errorf("%s: %q, %v", text, got, ok)
		}
	}
	for _, text := range []string{``, `1`, `null`, `"a`, `"a" `, ` "a"`, `"a"b`, `"\ud800"`, "\"\xff\""} {
		if got, ok := envelope.ReadString([]byte(text)); ok || got != "" {
			t.Errorf("%s is read as %q", text, got)
		}
	}
	if _, ok := envelope.ReadString(nil); ok {
		t.Error("nil is read as a string")
	}
}

func TestReadObject(t *testing.T) {
	object, ok := envelope.ReadObject([]byte(` {"a": 1, "b": {"c": [2]}} `))
	if got := fmt.Sprintf("%s", object); !ok || got != "[{a 1} {b {\"c\": [2]}}]" {
		t.Errorf("%s, %v", got, ok)
	}
	for _, text := range []string{``, `[]`, `null`, `{"a":1,"a":2}`, `{"a":1}{`, `{`, "{\"\xff\":1}"} {
		if object, ok := envelope.ReadObject([]byte(text)); ok || object != nil {
			t.Errorf("%s is read as %s", text, object)
		}
	}
}

func TestParseBatch(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1}}`
	entries, err := envelope.ParseBatch([]byte(` [ ` + ping + ` , 1, {"id":2,"a":0,"a":0}, ` + ping + ` ] `))
	if err != nil || len(entries) != 4 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	for i, want := range []string{"", "Invalid Request: a message is an object", "Invalid Request: an object has the same name twice", ""} {
		e := entries[i]
		if (e.Err == nil) != (want == "") || (e.Err != nil && e.Err.Message != want) {
			t.Errorf("entry %d: %v, want %q", i, e.Err, want)
		}
		if want == "" && (string(e.Raw) != ping || e.Message.Method != "ping" || string(e.Message.Param("a")) != "1") {
			t.Errorf("entry %d: %s %+v", i, e.Raw, e.Message)
		}
	}
	if id := entries[2].Err.ID; string(id) != "2" {
		t.Errorf("entry 2 answers under %s", id)
	}
	for body, want := range map[string]string{
		`[]`:                      "Invalid Request: the batch is empty",
		ping:                      "Invalid Request: a batch is an array",
		`[` + ping:                "Parse error: a comma or a closing bracket must follow, at byte 58",
		`[` + ping + `] x`:        "Parse error: something follows the value, at byte 60",
		`[` + nested(1000) + `]`:  "Parse error: the text is nested more than 1000 levels deep, at byte 1000",
		`[] ` + "\xff":            "Parse error: something follows the value, at byte 3",
		`[` + ping + ",\"\xff\"]": "Parse error: the text is not UTF-8",
	} {
		if _, err := envelope.ParseBatch([]byte(body)); err == nil || err.Message != want {
			t.Errorf("%.100s: %v, want %s", body, err, want)
		}
	}
	for body, want := range map[string]bool{" \n[": true, `{}`: false, ``: false, `x[`: false} {
		if envelope.IsBatch([]byte(body)) != want {
			t.Errorf("%q is a batch: %v", body, !want)
		}
	}
}

func TestReadingDoesNotCopy(t *testing.T) {
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":"\n","b":[1.5],"c":{},"d":true},"_meta":{}}}`)
	var p envelope.Parser
	read := func() {
		if m, err := p.Parse(body); err != nil || string(m.Param("name")) != `"x"` {
			t.Fatal(m, err)
		}
	}
	// The method's name.
	const most = 1
	if n := testing.AllocsPerRun(100, read); n > most {
		t.Errorf("%v allocations, want at most %d", n, most)
	}
}

func BenchmarkParse(b *testing.B) {
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"album_lookup","arguments":{"slug":"night-drive"},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	var p envelope.Parser
	for b.Loop() {
		if _, err := p.Parse(body); err != nil {
			b.Fatal(err)
		}
	}
}
