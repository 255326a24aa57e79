package emit

import (
	"bytes"
	"strings"
)

// groupImports puts the standard library's imports before the others, with an empty line between: the renderer sorts them all as
// one.
func groupImports(code []byte, isStandard map[string]bool) []byte {
	before, rest, found := bytes.Cut(code, []byte("import (\n"))
	block, after, closed := bytes.Cut(rest, []byte("\n)\n"))
	if !found || !closed {
		return code
	}
	var standard, others []string
	for line := range strings.Lines(string(block) + "\n") {
		path, _, _ := strings.Cut(line[strings.IndexByte(line, '"')+1:], `"`)
		if isStandard[path] {
			standard = append(standard, line)
		} else {
			others = append(others, line)
		}
	}
	lines := append(standard, "\n")
	lines = append(lines, others...)
	return []byte(string(before) + "import (\n" + strings.Join(lines, "") + ")\n" + string(after))
}
