package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

type listed struct {
	Result struct {
		Tools      []map[string]json.RawMessage
		NextCursor string
		TTLMs      *int
		CacheScope string
	}
}

func decodeList(t *testing.T, a answer) listed {
	t.Helper()
	var l listed
	if err := json.Unmarshal([]byte(a.body), &l); err != nil || a.status != 200 {
		t.Fatalf("%d %s: %v", a.status, a.body, err)
	}
	return l
}

func TestListEntry(t *testing.T) {
	url := server(t, newFixture())
	find := func(a answer, name string) string {
		for _, tool := range decodeList(t, a).Result.Tools {
			if string(tool["name"]) == `"`+name+`"` {
				text, _ := json.Marshal(tool)
				return string(text)
			}
		}
		return ""
	}
	// encoding/json sorts the members.
	const contract = `{"_meta":{"io.github.capgen/contract":{"id":"test:tree@1","digest":"0d54a9821f733a8134e8242038a2ae28d5207becf09dd28457a7a0970d9f8b64"}},`
	// The references of the output's schema mean what they meant.
	const tree = `"annotations":{"title":"The tree","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},` +
		`"description":"Does tree.",` +
		`"inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{},"additionalProperties":false},"name":"tree"`
	const full = `,"outputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"result":{"type":"object",` +
		`"required":["name","children"],"properties":{"name":{"$ref":"#/$defs/Name"},"children":{"$ref":"#/$defs/Forest"}}}},` +
		`"required":["result"],"$defs":{"Name":{"type":"string","enum":["root","leaf"]},` +
		`"Forest":{"type":"array","items":{"anyOf":[{"$ref":"#/properties/result"}]}}}},"title":"The tree"}`
	modern := modernRequest("1", "tools/list", "").send(t, url)
	if got := find(modern, "tree"); got != contract+tree+full {
		t.Errorf("%s\nwant %s", got, contract+tree+full)
	}
	// TL04
	if l := decodeList(t, modern).Result; l.TTLMs == nil || *l.TTLMs != 60000 || l.CacheScope != "public" {
		t.Errorf("%s", modern.body)
	}
	// TL11, VD13: what a revision does not know is not there.
	for revision, want := range map[string]string{"2025-11-25": contract + tree + full, "2025-03-26": "{" + tree + "}"} {
		got := open(t, url, revision).post(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).send(t, url)
		if entry := find(got, "tree"); entry != want || strings.Contains(got.body, "ttlMs") || strings.Contains(got.body, "resultType") {
			t.Errorf("%s: %s\nwant %s", revision, entry, want)
		}
	}
	// TL03
	if again := modernRequest("1", "tools/list", `,"cursor":""`).send(t, url); again.body != modern.body {
		t.Error("the second list differs")
	}
}

func TestEmptyList(t *testing.T) {
	registry, err := capabilities.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	handler, err := runtime.NewHandler(registry)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(handler)
	defer s.Close()
	// TL01
	if got := modernRequest("1", "tools/list", "").send(t, s.URL); !strings.Contains(got.body, `"tools":[]`) {
		t.Error(got.body)
	}
}

// many is one declaration under many IDs, which no generated code is.
type many struct {
	capabilities.Returns[string]
}

var manyCapability *capabilities.Capability[many, string]

func (many) Capability() *capabilities.Capability[many, string] { return manyCapability }

func TestPages(t *testing.T) {
	var parts []capabilities.Part
	for i := range 250 {
		manyCapability = capabilities.Declare[many, string](contract(fmt.Sprintf("n%03d", i), "", text))
		parts = append(parts, capabilities.Handle(func(context.Context, many) (string, error) { return "", nil }))
	}
	registry, err := capabilities.NewRegistry(parts...)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := runtime.NewHandler(registry, runtime.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(handler)
	defer s.Close()
	var sizes []int
	seen := map[string]bool{}
	cursor := ""
	for {
		params := ""
		if cursor != "" {
			params = `,"cursor":"` + cursor + `"`
		}
		page := decodeList(t, modernRequest("1", "tools/list", params).send(t, s.URL)).Result
		sizes = append(sizes, len(page.Tools))
		for _, tool := range page.Tools {
			seen[string(tool["name"])] = true
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
		if strings.Contains(cursor, "n0") || page.CacheScope != "public" { // TL05
			t.Errorf("cursor %q, scope %q", cursor, page.CacheScope)
		}
	}
	if fmt.Sprint(sizes) != "[100 100 50]" || len(seen) != 250 {
		t.Errorf("pages %v, %d tools", sizes, len(seen))
	}
	// TL07
	for _, bad := range []string{`"@@"`, `5`, `"bogus"`} {
		got := modernRequest("1", "tools/list", `,"cursor":`+bad).send(t, s.URL)
		if got.status != 400 || got.code(t) != -32602 {
			t.Errorf("%s: %d %s", bad, got.status, got.body)
		}
	}
}
