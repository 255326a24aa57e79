package runtime

import (
	"bytes"
	"errors"
	"strings"

	"github.com/capgen/capgen/runtime/internal/envelope"
	"github.com/go-json-experiment/json/jsontext"
)

// wrapOutputSchema turns the schema of a result into that of {"result": …}, the one shape that every result has. Revisions up to
// 2025-11-25 demand an object at the root, and results may be anything. The definitions move to the new root and references to
// the old one are rewritten, so that the schema means what it meant.
func wrapOutputSchema(output []byte) jsontext.Value {
	members, ok := envelope.ReadObject(output)
	if !ok { // a boolean
		return append(append([]byte(`{"type":"object","properties":{"result":`), output...), `},"required":["result"]}`...)
	}

	var dialect, definitions []byte
	var inner envelope.Object
	for _, m := range members {
		switch string(m.Name) {
		case "$schema":
			dialect = m.Value
		case "$defs":
			definitions = rewriteEach(m.Value)
		default:
			inner = append(inner, m)
		}
	}
	wrapped := []byte(`{`)
	if dialect != nil {
		wrapped = append(append(append(wrapped, `"$schema":`...), dialect...), ',')
	}
	wrapped = append(wrapped, `"type":"object","properties":{"result":`...)
	wrapped = append(wrapped, rewriteMembers(inner)...)
	wrapped = append(wrapped, `},"required":["result"]`...)
	if definitions != nil {
		wrapped = append(append(wrapped, `,"$defs":`...), definitions...)
	}
	return append(wrapped, '}')
}

// checkOutputRoot refuses what is no schema.
func checkOutputRoot(output []byte) error {
	if _, ok := envelope.ReadObject(output); ok || string(output) == "true" || string(output) == "false" {
		return nil
	}
	return errors.New("the output schema: it is neither an object nor a boolean")
}

// Where the keywords of draft 2020-12 hold schemas. Below every other keyword, such as const and enum, a "$ref" is data.
var (
	schemaKeywords = map[string]bool{
		"additionalProperties": true, "propertyNames": true, "unevaluatedProperties": true, "items": true, "contains": true,
		"unevaluatedItems": true, "not": true, "if": true, "then": true, "else": true, "contentSchema": true,
		"allOf": true, "anyOf": true, "oneOf": true, "prefixItems": true,
	}
	schemaMapKeywords = map[string]bool{"properties": true, "patternProperties": true, "dependentSchemas": true, "$defs": true}
)

// rewriteSchema rewrites the references in a schema, or in each of an array of them.
func rewriteSchema(text []byte) []byte {
	if !mentions(text, "$ref") {
		return text
	}
	if members, ok := envelope.ReadObject(text); ok {
		return rewriteMembers(members)
	}
	if text[0] != '[' {
		return text
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	_, _ = decoder.ReadToken()
	out := []byte{'['}
	for decoder.PeekKind() != ']' {
		element, err := decoder.ReadValue()
		if err != nil {
			return text
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, rewriteSchema(element)...)
	}
	return append(out, ']')
}

func rewriteMembers(members envelope.Object) []byte {
	return writeObject(members, func(name string, value []byte) []byte {
		switch {
		case name == "$ref":
			return rewriteReference(value)
		case schemaKeywords[name]:
			return rewriteSchema(value)
		case schemaMapKeywords[name]:
			return rewriteEach(value)
		}
		return value
	})
}

// rewriteEach rewrites the schemas that are an object's values.
func rewriteEach(text []byte) []byte {
	members, ok := envelope.ReadObject(text)
	if !ok {
		return text
	}
	return writeObject(members, func(_ string, value []byte) []byte { return rewriteSchema(value) })
}

func writeObject(members envelope.Object, value func(name string, value []byte) []byte) []byte {
	out := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendText(out, m.Name), ':')
		out = append(out, value(string(m.Name), m.Value)...)
	}
	return append(out, '}')
}

// rewriteReference moves a reference to the schema's own root, or below it, to where that now is. Definitions keep theirs.
func rewriteReference(value []byte) []byte {
	reference, ok := envelope.ReadString(value)
	switch {
	case !ok || strings.HasPrefix(reference, "#/$defs/"):
		return value
	case reference == "#" || strings.HasPrefix(reference, "#/"):
		return appendText(nil, "#/properties/result"+reference[1:])
	}
	return value
}
