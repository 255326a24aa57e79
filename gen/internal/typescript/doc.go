package typescript

import "strings"

// docOf is what a schema says to readers: its description, its default, and that it is deprecated.
func docOf(s *schema) string {
	doc := s.text("description")
	if value := s.get("default"); value != nil {
		doc += "\n@default " + string(value)
	}
	if s.get("deprecated").Kind() == 't' {
		doc += "\n@deprecated"
	}
	return strings.TrimSpace(doc)
}

// comment writes a doc comment; nothing for none.
func comment(b *strings.Builder, indent, doc string) {
	if doc == "" {
		return
	}
	lines := strings.Split(strings.ReplaceAll(doc, "*/", "* /"), "\n")
	if len(lines) == 1 {
		b.WriteString(indent + "/** " + lines[0] + " */\n")
		return
	}
	b.WriteString(indent + "/**\n")
	for _, line := range lines {
		b.WriteString(strings.TrimRight(indent+" * "+line, " ") + "\n")
	}
	b.WriteString(indent + " */\n")
}
