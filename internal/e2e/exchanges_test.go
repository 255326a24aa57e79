package e2e

import (
	"maps"
	"strings"
)

// absent is the value of a header that is not to be sent.
const absent = "(absent)"

// header returns the base headers with some added or taken away.
func header(base map[string]string, pairs ...string) map[string]string {
	all := maps.Clone(base)
	for i := 0; i < len(pairs); i += 2 {
		if all[pairs[i]] = pairs[i+1]; pairs[i+1] == absent {
			delete(all, pairs[i])
		}
	}
	return all
}

var (
	jsonHeader    = map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
	sessionHeader = header(jsonHeader, "Mcp-Protocol-Version", "2025-11-25", "Mcp-Session-Id", "${session}")
)

// legacy returns a request on a 2025-11-25 session.
func legacy(name, body string, pairs ...string) exchange {
	return exchange{name: "legacy: " + name, header: header(sessionHeader, pairs...), body: body}
}

// modern returns a 2026-07-28 request: the method's header, the tool's if it names one, and _meta in the place of $META.
func modern(name, method, body string, pairs ...string) exchange {
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	base := header(jsonHeader, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method)
	return exchange{name: "modern: " + name, header: header(base, pairs...), body: strings.ReplaceAll(body, "$META", meta)}
}

// modernCall returns a 2026-07-28 call of a tool with arguments, a JSON text.
func modernCall(name, tool, arguments string, pairs ...string) exchange {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `,$META}}`
	return modern(name, "tools/call", body, append([]string{"Mcp-Name", tool}, pairs...)...)
}

// modernWithID returns a 2026-07-28 call whose ID is a JSON text.
func modernWithID(name, id string) exchange {
	body := `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a"},$META}}`
	return modern(name, "tools/call", body, "Mcp-Name", "echo")
}

// legacyCall returns a call of a tool with arguments, a JSON text, on a session.
func legacyCall(name, tool, arguments string, pairs ...string) exchange {
	return legacy(name, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`, pairs...)
}

// legacyWithID returns a call whose ID is a JSON text, on a session.
func legacyWithID(name, id string) exchange {
	return legacy(name, `{"jsonrpc":"2.0","id":`+id+`,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a"}}}`)
}

const initializeBody = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// exchanges are what both servers are asked, in this order.
var exchanges = []exchange{
	{name: "initialize", header: jsonHeader, body: initializeBody},
	legacy("initialized", `{"jsonrpc":"2.0","method":"notifications/initialized"}`),
	legacy("ping", `{"jsonrpc":"2.0","id":1,"method":"ping"}`),
	legacy("list", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`),
	legacy("list, bad cursor", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"nope"}}`),
	legacy("list prompts", `{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`),
	legacy("unknown method", `{"jsonrpc":"2.0","id":1,"method":"tools/lost"}`),
	legacy("unknown notification", `{"jsonrpc":"2.0","method":"notifications/lost"}`),
	legacyCall("echo", "echo", `{"text":"héllo <&> \u2028"}`),
	legacyCall("region", "region", `{"region":"eu","n":3}`),
	legacyCall("integral", "region", `{"region":"eu","n":3.0}`),
	legacyCall("wrong type", "echo", `{"text":5}`),
	legacyCall("missing", "echo", `{}`),
	legacyCall("unknown name", "echo", `{"text":"a","more":1}`),
	legacyCall("name in other case", "echo", `{"TEXT":"a"}`),
	legacyCall("arguments null", "echo", `null`),
	legacyCall("arguments array", "echo", `[]`),
	legacyCall("unknown tool", "nope", `{}`),
	legacyCall("boom", "boom", `{}`),
	legacyCall("deadline", "slow", `{"ms":700}`),
	legacyWithID("string id", `"a\u0062"`),
	legacyWithID("id past 2^53", `9007199254740993`),
	legacyWithID("fractional id", `1.5`),
	legacyWithID("null id", `null`),
	legacy("no jsonrpc", `{"id":1,"method":"ping"}`),
	legacy("not JSON", `{"jsonrpc":"2.0",`),
	legacy("trailing", `{"jsonrpc":"2.0","id":1,"method":"ping"} {}`),
	legacy("name twice", `{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"ping"}`),
	legacy("invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}"),
	legacy("batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`),
	legacy("empty body", ``),
	legacyCall("body too large", "echo", `{"text":"`+strings.Repeat("x", 40<<10)+`"}`),
	legacy("no session", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Mcp-Session-Id", absent),
	legacy("unknown session", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Mcp-Session-Id", "nope"),
	legacy("unknown revision", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Mcp-Protocol-Version", "1900-01-01"),
	legacy("content type", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Content-Type", "text/plain"),
	legacy("accept JSON alone", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Accept", "application/json"),
	legacy("accept anything", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Accept", "*/*"),
	legacy("foreign host", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Host", "evil.example"),
	legacy("foreign origin", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Origin", "https://evil.example"),
	{name: "PUT", method: "PUT", header: jsonHeader},
	{name: "GET without a session", method: "GET", header: header(jsonHeader, "Accept", "text/event-stream")},
	{name: "DELETE without a session", method: "DELETE", header: jsonHeader},
	{name: "OPTIONS", method: "OPTIONS", header: jsonHeader},

	modern("discover", "server/discover", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{$META}}`),
	modern("list", "tools/list", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{$META}}`),
	modern("list prompts", "prompts/list", `{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{$META}}`),
	modern("unknown method", "tools/lost", `{"jsonrpc":"2.0","id":1,"method":"tools/lost","params":{$META}}`),
	modernCall("echo", "echo", `{"text":"hello"}`),
	modernCall("region", "region", `{"region":"eu","n":3}`, "Mcp-Param-Region", "eu", "Mcp-Param-N", "3"),
	modernCall("region unmirrored", "region", `{"region":"eu"}`),
	modernCall("region otherwise mirrored", "region", `{"region":"eu"}`, "Mcp-Param-Region", "us"),
	modernCall("empty mirror", "region", `{"region":""}`, "Mcp-Param-Region", ""),
	modernCall("wrong type", "echo", `{"text":5}`),
	modernCall("arguments null", "echo", `null`),
	modernCall("arguments array", "echo", `[]`),
	modernCall("unknown tool", "nope", `{}`),
	modernCall("boom", "boom", `{}`),
	modernCall("deadline", "slow", `{"ms":700}`),
	modernCall("encoded name", "echo", `{"text":"a"}`, "Mcp-Name", "=?base64?ZWNobw==?="),
	modernCall("other name", "echo", `{"text":"a"}`, "Mcp-Name", "probe"),
	modernCall("no name", "echo", `{"text":"a"}`, "Mcp-Name", absent),
	modernCall("other method", "echo", `{"text":"a"}`, "Mcp-Method", "tools/list"),
	modernCall("last event", "echo", `{"text":"a"}`, "Last-Event-Id", "1"),
	modern("no params", "tools/call", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, "Mcp-Name", "echo"),
	modern("no _meta", "tools/call", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a"}}}`, "Mcp-Name", "echo"),
	modern("call without id", "tools/call", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{"text":"a"},$META}}`, "Mcp-Name", "echo"),
	modernWithID("string id", `"a\u0062"`),
	modernWithID("id past 2^53", `9007199254740993`),
	modernWithID("fractional id", `1.5`),
	modern("trailing", "tools/call", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a"},$META}} {}`, "Mcp-Name", "echo"),
	modern("not JSON", "tools/list", `{"jsonrpc":`),
	modernCall("body too large", "echo", `{"text":"`+strings.Repeat("x", 40<<10)+`"}`),
	modernCall("foreign origin", "echo", `{"text":"a"}`, "Origin", "https://evil.example"),

	{name: "DELETE the session", method: "DELETE", header: sessionHeader},
	legacy("after DELETE", `{"jsonrpc":"2.0","id":1,"method":"ping"}`),
}
