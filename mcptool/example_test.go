package mcptool_test

import (
	"fmt"

	"github.com/capgen/capgen/mcptool"
)

func ExampleCheck() {
	tool := mcptool.Tool{
		Name:        "note_add",
		Description: "Adds a note.",
		Input:       []byte(`{"type": "object", "properties": {"text": {"type": ["string", "null"]}}, "required": ["text"], "additionalProperties": false}`),
	}
	for _, finding := range mcptool.Check(tool, mcptool.Cursor, mcptool.Options{}) {
		fmt.Println(finding.What)
		fmt.Println("at", finding.Path, "by", finding.Rule.Source)
	}
	// Output:
	// "text" has the types string and null
	// at [properties text] by https://github.com/aoci-spec/aoci-code/issues/61
}

func ExampleRewrite() {
	tool := mcptool.Tool{
		Name:        "note_tag",
		Description: "Tags a note.",
		Input:       []byte(`{"type": "object", "properties": {"tags": {"type": "object", "additionalProperties": {"type": "integer", "enum": [1, 2]}}}}`),
	}
	dialect, err := mcptool.Rewrite(tool, mcptool.Gemini)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(dialect.Restore([]byte(`{"tags": [{"name": "urgent", "value": "2"}]}`))))
	// Output: {"tags":{"urgent":2}}
}
