package runtime

import (
	"bytes"

	"github.com/capgen/capgen/runtime/internal/envelope"
)

// What the bare text of a schema shows need not be looked for in the schema: a server starts without walking those of its capabilities. All of it
// errs on one side: what cannot be told from the text is looked at.

// generatedRoot is how the generator begins the schema of anything.
const generatedRoot = `{"$schema":"` + dialect + `",`

// beginsAs reports whether a schema is one that ReadObject reads, and begins so.
func beginsAs(schema []byte, root string) bool {
	return bytes.HasPrefix(schema, []byte(root)) && bytes.Count(schema, []byte{'{'})+bytes.Count(schema, []byte{'['}) <= envelope.MaxDepth
}

// mentions reports whether a keyword may be anywhere in a schema: it is there, if only in a text, or a name may be spelt with escapes.
func mentions(schema []byte, keyword string) bool {
	return bytes.Contains(schema, []byte(keyword)) || hasEscapes(schema)
}

func hasEscapes(schema []byte) bool { return bytes.Contains(schema, []byte(`\u`)) }

// staysInside reports whether all references of a schema lead to a part of it.
func staysInside(schema []byte) bool {
	return !mentions(schema, "$dynamicRef") && bytes.Count(schema, []byte(`$ref`)) == bytes.Count(schema, []byte(`$ref":"#`))
}
