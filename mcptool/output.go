package mcptool

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// wrapOutput turns the schema of a result into that of {"result": …}, the one shape that every result has. Revisions up to
// 2025-11-25 demand an object at the root, and results may be anything. The definitions move to the new root and references to
// the old one are rewritten, so that the schema means what it meant.
func wrapOutput(output []byte) (jsontext.Value, error) {
	text := jsontext.Value(output).Clone()
	if err := text.Compact(); err != nil {
		return nil, err
	}
	members, ok := readObject(text)
	if !ok && text.Kind() != 't' && text.Kind() != 'f' {
		return nil, fmt.Errorf("it is neither an object nor a boolean")
	}
	root, result := object{}, text
	if ok {
		if dialect := members.get("$schema"); dialect != nil {
			root = root.set("$schema", dialect)
		}
		result = withMoved(members.without("$schema", "$defs").text())
	}
	root = root.set("type", quote("object")).
		set("properties", object{{"result", result}}.text()).
		set("required", jsontext.Value(`["result"]`))
	if definitions, ok := readObject(members.get("$defs")); ok {
		for i := range definitions {
			definitions[i].value = withMoved(definitions[i].value)
		}
		root = root.set("$defs", definitions.text())
	}
	return root.text(), nil
}

// withMoved moves the references of a schema. One without any is not walked, which is what makes a server's first list quick.
func withMoved(schema jsontext.Value) jsontext.Value {
	if !bytes.Contains(schema, []byte("$ref")) && !bytes.Contains(schema, []byte(`\u`)) {
		return schema
	}
	return mapSchemas(schema, moveReference)
}

// moveReference moves a reference to the schema's own root, or below it, to where that now is. Definitions keep theirs.
func moveReference(schema object) object {
	reference, ok := readString(schema.get("$ref"))
	if ok && !strings.HasPrefix(reference, "#/$defs/") && (reference == "#" || strings.HasPrefix(reference, "#/")) {
		return schema.set("$ref", quote("#/properties/result"+reference[1:]))
	}
	return schema
}

// Where the keywords of draft 2020-12 hold schemas. Below every other keyword, such as const and enum, a "$ref" is data. See [HoldsSchemas].
var (
	schemaKeywords = map[string]bool{
		"additionalProperties": true, "propertyNames": true, "unevaluatedProperties": true, "items": true, "contains": true,
		"unevaluatedItems": true, "not": true, "if": true, "then": true, "else": true, "contentSchema": true,
		"allOf": true, "anyOf": true, "oneOf": true, "prefixItems": true,
	}
	schemaMapKeywords = map[string]bool{"properties": true, "patternProperties": true, "dependentSchemas": true, "$defs": true}
)

// HoldsSchemas reports whether a keyword of draft 2020-12 holds a schema or several, and whether it holds them by names of their own, as properties
// does. What other keywords hold is data, whatever it looks like.
func HoldsSchemas(keyword string) (plain, named bool) {
	return schemaKeywords[keyword], schemaMapKeywords[keyword]
}

// mapSchemas changes a schema and every schema in it, the inner ones first.
func mapSchemas(schema jsontext.Value, change func(object) object) jsontext.Value {
	members, ok := readObject(schema)
	if !ok {
		return schema
	}
	for i, m := range members {
		named, isObject := readObject(m.value)
		switch {
		case schemaMapKeywords[m.name] && isObject:
			for j := range named {
				named[j].value = mapSchemas(named[j].value, change)
			}
			members[i].value = named.text()
		case schemaKeywords[m.name] && m.value.Kind() == '[':
			all := readArray(m.value)
			for j := range all {
				all[j] = mapSchemas(all[j], change)
			}
			members[i].value = arrayOf(all)
		case schemaKeywords[m.name]:
			members[i].value = mapSchemas(m.value, change)
		}
	}
	return change(members).text()
}
