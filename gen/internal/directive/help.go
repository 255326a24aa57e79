package directive

import (
	"fmt"
	"strings"
)

// helpWidth is the column at which help breaks its lines.
const helpWidth = 96

// Help returns the text of `capgen help annotations`.
func Help() string {
	var b strings.Builder
	b.WriteString("Directives are lines of a doc comment. A value with spaces or quotes is written key=\"…\" or key=`…`.\n")
	for _, spec := range Table {
		fmt.Fprintf(&b, "\n%s\n    on %s\n", spec, spec.Place)
		wrap(&b, "    ", spec.Doc)
		for _, key := range spec.Keys {
			if !key.Keyword {
				required := ""
				if key.Required {
					required = " (required)"
				}
				fmt.Fprintf(&b, "    %s%s\n", key, required)
				wrap(&b, "        ", key.Doc)
			}
		}
	}
	b.WriteString("\nKeywords are struct tags, as in `json:\"slug\" minLength:\"1\"`, and arguments of //capgen:schema.\n\n")
	for _, k := range Keywords {
		fmt.Fprintf(&b, "%s: %s\n    on %s\n", k.Name, k.Value, k.kinds())
		wrap(&b, "    ", k.Doc)
	}
	b.WriteString("\n")
	wrap(&b, "", ValueRules)
	return b.String()
}

// ValueRules says how the values of keywords are written.
const ValueRules = "For a field of a string kind the text of the tag is the value; for others it is one JSON value. An enum is a JSON array if it begins with [, " +
	"else a list separated by commas. Numbers keep their spelling."

// kinds lists what a keyword goes with.
func (k Keyword) kinds() string {
	names := make([]string, len(k.Kinds))
	for i, kind := range k.Kinds {
		names[i] = string(kind)
	}
	return strings.Join(names, ", ")
}

// wrap writes a paragraph, each line behind an indent.
func wrap(b *strings.Builder, indent, text string) {
	line := indent
	for word := range strings.FieldsSeq(text) {
		if line != indent && len(line)+len(" ")+len(word) > helpWidth {
			b.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	b.WriteString(line + "\n")
}
