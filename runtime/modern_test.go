package runtime_test

import (
	"strings"
	"testing"

	"github.com/capgen/capgen/runtime"
)

// TestModernRefuses has the checks of a request of 2026-07-28 (GATE.md, rows 11 to 25). Every error is under the request's id.
func TestModernRefuses(t *testing.T) {
	url := server(t, newFixture())
	echo := modernCall("7", "echo", `{"text":"x"}`)
	replaced := func(old, new string) request {
		r := echo.with("", "")
		if r.body = strings.Replace(echo.body, old, new, 1); r.body == echo.body {
			t.Fatalf("%s has no %s", echo.body, old)
		}
		return r
	}
	twice := func(name string) request {
		r := echo.with("", "")
		r.header.Add(name, r.header.Get(name))
		return r
	}
	region := func(arguments, name, value string) request {
		return modernCall("7", "region", arguments).with(name, value)
	}
	const version = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`
	const clientCapabilities = `"io.modelcontextprotocol/clientCapabilities":{}`
	tests := []struct {
		name    string
		request request
		status  int
		code    int
	}{
		{"HD01 no version header", echo.with("MCP-Protocol-Version", ""), 400, -32020},
		{"HD19 version header twice", twice("Mcp-Protocol-Version"), 400, -32020},
		{"HD02 legacy header", echo.with("MCP-Protocol-Version", "2025-11-25"), 400, -32020},
		{"HD02 legacy meta", replaced("2026-07-28", "2025-11-25"), 400, -32020},
		{"ME01 no version in meta", replaced(version+",", ""), 400, -32602},
		{"ME03 version of another type", replaced(version, `"io.modelcontextprotocol/protocolVersion":5`), 400, -32602},
		{"VD03 unknown version", replaced("2026-07-28", "2099-01-01").with("MCP-Protocol-Version", "2099-01-01"), 400, -32022},
		{"VD03 old version", replaced("2026-07-28", "1900-01-01").with("MCP-Protocol-Version", "1900-01-01"), 400, -32022},
		{"VD03 no version at all", replaced("2026-07-28", "zzz").with("MCP-Protocol-Version", "zzz"), 400, -32022},
		{"VD15 unknown version, legacy body", replaced(envelopeMeta+",", "").with("MCP-Protocol-Version", "zzz"), 400, -32022},
		{"HT11 unknown method", modernRequest("7", "foo/bar", ""), 404, -32601},
		{"HT13 ping", modernRequest("7", "ping", ""), 404, -32601},
		{"HT13 initialize", modernRequest("7", "initialize", ""), 404, -32601},
		{"VD20 what is not advertised", modernRequest("7", "prompts/list", ""), 404, -32601},
		{"HD03 no method header", echo.with("Mcp-Method", ""), 400, -32020},
		{"HD04 other method header", echo.with("Mcp-Method", "tools/list"), 400, -32020},
		{"HT20 method header in another case", echo.with("Mcp-Method", "Tools/Call"), 400, -32020},
		{"HD04 encoded method header", echo.with("Mcp-Method", "=?base64?dG9vbHMvY2FsbA==?="), 400, -32020},
		{"HD19 method header twice", twice("Mcp-Method"), 400, -32020},
		{"ME01 no meta", replaced(envelopeMeta+",", ""), 400, -32602},
		{"ME01 no capabilities", replaced(","+clientCapabilities, ""), 400, -32602},
		{"ME03 capabilities null", replaced(clientCapabilities, `"io.modelcontextprotocol/clientCapabilities":null`), 400, -32602},
		{"ME03 client info of another type", replaced(clientCapabilities, clientCapabilities+`,"io.modelcontextprotocol/clientInfo":"x"`), 400, -32602},
		{"ME03 client info without version", replaced(clientCapabilities, clientCapabilities+`,"io.modelcontextprotocol/clientInfo":{"name":"x"}`), 400, -32602},
		{"LG03 log level", replaced(clientCapabilities, clientCapabilities+`,"io.modelcontextprotocol/logLevel":"loud"`), 400, -32602},
		{"PG04 token fraction", replaced(clientCapabilities, clientCapabilities+`,"progressToken":1.5`), 400, -32602},
		{"PG04 token object", replaced(clientCapabilities, clientCapabilities+`,"progressToken":{}`), 400, -32602},
		{"HD05 no name header", echo.with("Mcp-Name", ""), 400, -32020},
		{"HD07 other name header", echo.with("Mcp-Name", "evil"), 400, -32020},
		{"HD19 name header twice", twice("Mcp-Name"), 400, -32020},
		{"HD08 sentinel in another case", echo.with("Mcp-Name", "=?BASE64?ZWNobw==?="), 400, -32020},
		{"HD10 no padding", echo.with("Mcp-Name", "=?base64?ZWNobw?="), 400, -32020},
		{"HD10 other alphabet", echo.with("Mcp-Name", "=?base64?@@?="), 400, -32020},
		{"HD09 raw UTF-8", echo.with("Mcp-Name", "é"), 400, -32020},
		{"TC02 name of another type", replaced(`"name":"echo"`, `"name":5`), 400, -32602},
		{"TC02 arguments an array", replaced(`{"text":"x"}`, `[]`), 400, -32602},
		{"TC02 arguments null", replaced(`{"text":"x"}`, `null`), 400, -32602},
		{"MR08 input responses", replaced(`"name":"echo"`, `"name":"echo","inputResponses":[]`), 400, -32602},
		{"request state", replaced(`"name":"echo"`, `"name":"echo","requestState":{}`), 400, -32602},
		{"TC01 unknown tool", modernCall("7", "nope", `{}`), 400, -32602},
		{"HD11 no param header", region(`{"region":"eu"}`, "", ""), 400, -32020},
		{"HD12 other param", region(`{"region":"eu"}`, "Mcp-Param-Region", "us"), 400, -32020},
		{"HD12 param in another case", region(`{"region":"eu"}`, "Mcp-Param-Region", "EU"), 400, -32020},
		{"HD09 raw param", region(`{"region":"é"}`, "Mcp-Param-Region", "é"), 400, -32020},
		{"HD15 param without argument", region(`{}`, "Mcp-Param-N", "1"), 400, -32020},
		{"HD13 other number", region(`{"n":5}`, "Mcp-Param-N", "6"), 400, -32020},
		{"hexadecimal number", region(`{"n":5}`, "Mcp-Param-N", "0x5p0"), 400, -32020},
		{"number past 2^53-1", region(`{"n":9007199254740993}`, "Mcp-Param-N", "9007199254740993"), 400, -32020},
		{"HD12 other boolean", region(`{"flag":true}`, "Mcp-Param-Flag", "True"), 400, -32020},
		{"HD14 nested", region(`{"where":{"zone":"a"}}`, "", ""), 400, -32020},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := test.request.send(t, url)
			if got.status != test.status || got.code(t) != test.code || !strings.HasPrefix(got.body, `{"jsonrpc":"2.0","id":7,"error"`) {
				t.Errorf("%d %s, want %d and code %d", got.status, got.body, test.status, test.code)
			}
		})
	}
}

func TestModernAccepts(t *testing.T) {
	url := server(t, newFixture())
	echo := modernCall("7", "echo", `{"text":"x"}`)
	region := modernCall("7", "region", `{"region":"eu","n":5,"flag":true,"where":{"zone":"é"}}`).with("Mcp-Param-Region", "eu").
		with("Mcp-Param-N", "5.0").with("Mcp-Param-Flag", "true").with("Mcp-Param-Zone", "=?base64?w6k=?=")
	meta := echo.with("", "")
	meta.body = strings.Replace(meta.body, `"_meta":{`, `"_meta":{"progressToken":"t","vendor/key":[1],"io.modelcontextprotocol/logLevel":"error","traceparent":"bad",`, 1)
	for name, r := range map[string]request{
		"HD06 encoded name":          echo.with("Mcp-Name", "=?base64?ZWNobw==?="),
		"HD18 space around a name":   echo.with("Mcp-Name", " echo\t"),
		"HD13 HD14 mirrors":          region,
		"HD14 no mirrors":            modernCall("7", "region", `{}`),
		"HD14 null":                  modernCall("7", "region", `{"where":{}}`),
		"HD16 unknown param":         echo.with("Mcp-Param-Zz", "q"),
		"an empty text as it is":     modernCall("7", "region", `{"region":""}`).with("Mcp-Param-Region", "=?base64??="),
		"ME06 ME09 LG03 other metas": meta,
	} {
		t.Run(name, func(t *testing.T) {
			if got := r.send(t, url); got.status != 200 || got.code(t) != 0 || strings.Contains(got.body, "isError") {
				t.Errorf("%d %s", got.status, got.body)
			}
		})
	}
}

// A tool that the caller may not see answers as one that does not exist, byte for byte, also where its headers would be wrong.
func TestHiddenTool(t *testing.T) {
	url := server(t, newFixture())
	hidden := modernCall("7", "secret_tool", `{"region":"eu"}`).send(t, url)
	unknown := modernCall("7", "absent_tool", `{"region":"eu"}`).send(t, url)
	if want := strings.Replace(unknown.body, "absent_tool", "secret_tool", 1); hidden.body != want || hidden.status != unknown.status {
		t.Errorf("hidden  %d %s\nunknown %d %s", hidden.status, hidden.body, unknown.status, unknown.body)
	}
	if want := `{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"Unknown tool: absent_tool"}}`; unknown.body != want {
		t.Errorf("%s, want %s", unknown.body, want)
	}
	if list := modernRequest("1", "tools/list", "").send(t, url); strings.Contains(list.body, "secret_tool") {
		t.Errorf("listed: %s", list.body)
	}
}

func TestDiscover(t *testing.T) {
	url := server(t, newFixture(), runtime.WithInstructions("Begin with echo."))
	got := modernRequest("9007199254740993", "server/discover", "").send(t, url)
	// VD01, VD02, VD05, VD20, JR03: nothing is advertised but tools.
	want := `{"jsonrpc":"2.0","id":9007199254740993,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fixture","version":"v1"}},` +
		`"ttlMs":60000,"cacheScope":"public","supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],` +
		`"capabilities":{"tools":{}},"instructions":"Begin with echo."}}`
	if got.status != 200 || got.message() != want {
		t.Errorf("%d %s\nwant %s", got.status, got.message(), want)
	}
	// VD04, EC05: an error about versions names the same.
	refused := post(strings.ReplaceAll(modernRequest("1", "tools/list", "").body, "2026-07-28", "zzz")).with("MCP-Protocol-Version", "zzz").send(t, url)
	if !strings.Contains(refused.body, `"data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"zzz"}`) {
		t.Error(refused.body)
	}
}

func TestListen(t *testing.T) {
	url := server(t, newFixture())
	got := modernRequest(`"L"`, "subscriptions/listen", `,"notifications":{"toolsListChanged":true}`).with("Last-Event-ID", "x_1").send(t, url)
	// SU01, SU02, SU04, SU07, HT14: nothing can change, so nothing is subscribed to.
	if got.status != 200 || got.header.Get("Content-Type") != "text/event-stream" || got.header.Get("X-Accel-Buffering") != "no" {
		t.Errorf("%d %v", got.status, got.header)
	}
	if !strings.Contains(got.body, `"method":"notifications/subscriptions/acknowledged"`) || !strings.Contains(got.message(), `"id":"L","result":{"resultType":"complete"`) {
		t.Error(got.body)
	}
	// SU08
	if got := modernRequest("1", "subscriptions/listen", "").send(t, url); got.status != 400 || got.code(t) != -32602 {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := modernRequest("9007199254740993", "subscriptions/listen", `,"notifications":{}`).send(t, url); got.status != 400 || got.code(t) != -32600 {
		t.Errorf("%d %s", got.status, got.body)
	}
}
