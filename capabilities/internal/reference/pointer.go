package reference

import (
	"strconv"
	"strings"
)

// known returns an instance's pointer with every name that is not the schema's own, as a map's key, written *.
func (s *Schema) known(pointer string) string {
	var b strings.Builder
	node := s.tree
	for _, token := range pointerTokens(pointer) {
		var name string
		name, node = s.step(node, token)
		b.WriteString("/" + escape(name))
	}
	return b.String()
}

// step follows one token of an instance's pointer from a subschema to the one below it.
func (s *Schema) step(node any, token string) (name string, below any) {
	object, _ := node.(map[string]any)
	if properties, ok := object["properties"].(map[string]any); ok && properties[token] != nil {
		return token, properties[token]
	}
	if _, err := strconv.ParseUint(token, 10, 64); err == nil && object["items"] != nil {
		return token, object["items"]
	}
	if ref, ok := object["$ref"].(string); ok {
		return s.step(lookup(s.tree, pointerTokens(strings.TrimPrefix(ref, "#"))), token)
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		branches, _ := object[keyword].([]any)
		var other any // what a branch says of names that it does not have
		for _, branch := range branches {
			name, below := s.step(branch, token)
			if name != "*" {
				return name, below
			}
			if _, ok := below.(map[string]any); ok {
				other = below
			}
		}
		if other != nil {
			return "*", other
		}
	}
	return "*", object["additionalProperties"]
}

// lookup follows a JSON Pointer's tokens through a decoded text.
func lookup(tree any, tokens []string) any {
	for _, token := range tokens {
		switch t := tree.(type) {
		case map[string]any:
			tree = t[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(t) {
				return nil
			}
			tree = t[i]
		default:
			return nil
		}
	}
	return tree
}

func pointerTokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, t := range tokens {
		tokens[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(t)
	}
	return tokens
}

func escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

func splitLast(pointer string) (parent, last string) {
	i := strings.LastIndexByte(pointer, '/')
	if i < 0 {
		return "", pointer
	}
	return pointer[:i], pointer[i+1:]
}
