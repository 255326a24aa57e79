package runtime

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/capgen/capgen/runtime/internal/envelope"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// dialect is the JSON Schema that is supported, and what a schema without $schema is read as (2026-07-28, basic, "JSON Schema Usage").
const dialect = "https://json-schema.org/draft/2020-12/schema"

// checkDialect refuses a schema in another dialect, and one that refers to something outside: nothing is ever fetched, and what cannot be
// resolved would be taken for permission.
func checkDialect(schema []byte) error {
	members, _ := envelope.ReadObject(schema)
	if value := members.Get("$schema"); value != nil {
		if text, _ := envelope.ReadString(value); strings.TrimSuffix(text, "#") != dialect {
			return fmt.Errorf("its $schema is %s: the one dialect that is supported is %s", value, dialect)
		}
	}
	if !bytes.Contains(schema, []byte(`"$ref"`)) && !bytes.Contains(schema, []byte(`"$dynamicRef"`)) {
		return nil
	}
	return checkReferences(schema)
}

func checkReferences(schema []byte) error {
	members, isObject := envelope.ReadObject(schema)
	if !isObject {
		var items []jsontext.Value
		_ = json.Unmarshal(schema, &items) // what is no array has none
		for _, item := range items {
			if err := checkReferences(item); err != nil {
				return err
			}
		}
		return nil
	}
	for _, m := range members {
		name := string(m.Name)
		if text, isText := envelope.ReadString(m.Value); isText && (name == "$ref" || name == "$dynamicRef") && !strings.HasPrefix(text, "#") {
			return fmt.Errorf("it refers to %s, and nothing is fetched: put what it means into $defs", m.Value)
		}
		if err := checkReferences(m.Value); err != nil {
			return err
		}
	}
	return nil
}
