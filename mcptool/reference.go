package mcptool

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// resolve returns what a reference within a schema refers to, or nil.
func resolve(root object, reference string) jsontext.Value {
	pointer, local := strings.CutPrefix(reference, "#")
	if !local {
		return nil
	}
	if pointer == "" {
		return root.text()
	}
	value := root.text()
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		members, ok := readObject(value)
		if !ok {
			return nil
		}
		value = members.get(strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
	}
	return value
}

// refersToItself reports whether what a reference refers to leads back to it.
func refersToItself(root object, reference string) bool {
	seen := map[string]bool{}
	var visit func(value jsontext.Value) bool
	visit = func(value jsontext.Value) (found bool) {
		mapSchemas(value, func(s object) object {
			next, ok := readString(s.get("$ref"))
			switch {
			case !ok || found:
			case next == reference || next == "#":
				found = true
			case !seen[next]:
				seen[next] = true
				found = visit(resolve(root, next))
			}
			return s
		})
		return found
	}
	return reference == "#" || visit(resolve(root, reference))
}
