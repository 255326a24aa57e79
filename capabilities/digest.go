package capabilities

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Digest returns 64 hexadecimal digits that tell whether two contracts promise the same: the SHA-256 digest of [Definition.Promises]. Two
// contracts of one digest are the same to a program; two of different ones may still be compatible. It is computed at every call.
func (def *Definition) Digest() string {
	sum := sha256.Sum256(def.Promises())
	return hex.EncodeToString(sum[:])
}

// Promises returns what a program can notice of a contract, as canonical JSON: an object of the ID, risk, access, hints and schemas, without what
// is there for readers, such as descriptions and examples.
func (def *Definition) Promises() []byte {
	text, err := json.Marshal(map[string]any{
		"id":         def.ID,
		"risk":       def.Risk,
		"access":     def.Access,
		"idempotent": def.Idempotent,
		"openworld":  def.OpenWorld,
		"input":      promised(def.Input),
		"output":     promised(def.Output),
	})
	if err != nil {
		panic(err) // all of it was read from JSON
	}
	return text
}

// promised returns a schema without what is there for readers. Numbers stay as they are written, and names are sorted when it is encoded.
func promised(schema json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(schema))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return string(schema) // no schema: it is told apart all the same
	}
	return withoutNotes(value)
}

// notes are the keywords that promise nothing.
var notes = []string{"$comment", "title", "description", "examples", "deprecated", "readOnly", "writeOnly"}

// withoutNotes drops the notes of a schema and of those in it.
func withoutNotes(value any) any {
	schema, ok := value.(map[string]any)
	if !ok {
		return value // true, false, or not a schema
	}
	for _, note := range notes {
		delete(schema, note)
	}
	for keyword, inner := range schema {
		switch keyword {
		case "properties", "patternProperties", "$defs", "dependentSchemas":
			// Names of members, which may be those of keywords.
			if members, ok := inner.(map[string]any); ok {
				for name, member := range members {
					members[name] = withoutNotes(member)
				}
			}
		case "items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else":
			schema[keyword] = withoutNotes(inner)
		case "anyOf", "oneOf", "allOf", "prefixItems":
			if alternatives, ok := inner.([]any); ok {
				for i := range alternatives {
					alternatives[i] = withoutNotes(alternatives[i])
				}
			}
		}
	}
	return schema
}
