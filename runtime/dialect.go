package runtime

import (
	"fmt"
	"strings"

	"github.com/capgen/capgen/mcptool"
	"github.com/capgen/capgen/runtime/internal/envelope"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// dialect is the JSON Schema that is supported, and what a schema without $schema is read as (2026-07-28, basic, "JSON Schema Usage").
const dialect = "https://json-schema.org/draft/2020-12/schema"

// checkDialect refuses a schema in another dialect, and one that refers to something outside: nothing is ever fetched, and what cannot be
// resolved would be taken for permission.
func checkDialect(schema []byte) error {
	if !beginsAs(schema, generatedRoot) {
		members, _ := envelope.ReadObject(schema)
		if value := members.Get("$schema"); value != nil {
			if text, _ := envelope.ReadString(value); strings.TrimSuffix(text, "#") != dialect {
				return fmt.Errorf("its $schema is %s: the one dialect that is supported is %s", value, dialect)
			}
		}
	}
	if staysInside(schema) {
		return nil
	}
	return checkReferences(schema)
}

func checkReferences(schema []byte) (err error) {
	eachSchema(schema, func(members envelope.Object) {
		for _, name := range []string{"$ref", "$dynamicRef"} {
			if text, ok := envelope.ReadString(members.Get(name)); ok && !strings.HasPrefix(text, "#") && err == nil {
				err = fmt.Errorf("it refers to %q, and nothing is fetched: put what it means into $defs", text)
			}
		}
	})
	return err
}

// eachSchema visits a schema and every schema in it, or those in an array of them. What is a value to it, as a default, is none.
func eachSchema(text []byte, visit func(members envelope.Object)) {
	members, ok := envelope.ReadObject(text)
	if !ok {
		var schemas []jsontext.Value
		_ = json.Unmarshal(text, &schemas) // anything but an array has none
		for _, each := range schemas {
			eachSchema(each, visit)
		}
		return
	}
	visit(members)
	for _, m := range members {
		one, named := mcptool.HoldsSchemas(string(m.Name))
		switch {
		case one:
			eachSchema(m.Value, visit)
		case named:
			below, _ := envelope.ReadObject(m.Value)
			for _, each := range below {
				eachSchema(each.Value, visit)
			}
		}
	}
}
