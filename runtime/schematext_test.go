package runtime_test

import (
	"strings"
	"testing"
)

// TestSchemasByTheirText: what makes a schema pass without being walked, the generator's way to begin one and the lack of a keyword in its text,
// hides nothing that a walk would find.
func TestSchemasByTheirText(t *testing.T) {
	hasCodec = true
	t.Cleanup(func() { hasCodec = false })
	const root = `{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"`
	deep := strings.Repeat(`{"not": `, 1001) + `{}` + strings.Repeat(`}`, 1001)
	for schema, want := range map[string]string{
		root + `, "properties": {"a": {"$ref": "http://example.com/"}}}`:                                           `it refers to "http://example.com/"`,
		root + `, "properties": {"a": {"\u0024ref": "http://example.com/"}}}`:                                      `it refers to "http://example.com/"`,
		root + `, "properties": {"a": {"$dynamicRef": "other.json#a"}}}`:                                           `it refers to "other.json#a"`,
		root + `, "properties": {"a": {"$ref": "#/$defs/a"}, "b": {"not": {"$ref": "b"}}}}`:                        `it refers to "b"`,
		root + `, "properties": {"a": {"$ref": "\u0023"}}}`:                                                        "",
		root + `, "properties": {"$ref": {"type": "string"}}}`:                                                     "",
		root + `, "description": "neither $ref nor x-mcp-header"}`:                                                 "",
		root + `, "properties": {"a": {"type": "array", "x-mcp-header": "A"}}}`:                                    "a has an x-mcp-header and is neither",
		root + `, "properties": {"a": {"items": {"type": "string", "x-mcp-h\u0065ader": "A"}}}}`:                   "an x-mcp-header is somewhere other than",
		root + `, "properties": {"a": {"description": "an x-mcp-header", "type": "string", "x-mcp-header": "A"}}}`: "",
		strings.Replace(root, "2020-12", "2019-09", 1) + `}`:                                                       `its $schema is "https://json-schema.org/draft/2019-09/schema"`,
		strings.Replace(root, `"object"`, `"array"`, 1) + `}`:                                                      `the input schema's root has no "type": "object"`,
		root + `, "not": ` + deep + `}`:                                                                            `the input schema's root has no "type": "object"`,
		root + `, "allOf": [` + strings.Repeat(`{}, `, 2000) + `{}]}`:                                              "",
		`5`: "the input schema is not a JSON object",
	} {
		_, err := dialectHandler(t, schema)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.200s\n got %v\nwant %s", schema, err, want)
		}
	}
}
