package mcptool

import "strconv"

// nameOf says which schema a path leads to, as a reader of the declaration knows it.
func nameOf(path []string) string {
	said := "the input"
	for len(path) > 0 {
		keyword := path[0]
		switch path = path[1:]; {
		case schemaMapKeywords[keyword] && len(path) > 0:
			said, path = strconv.Quote(path[0]), path[1:]
			continue
		case listKeywords[keyword] && len(path) > 0:
			path = path[1:]
		}
		said = partNames[keyword] + said
	}
	return said
}

// listKeywords are those whose schemas have numbers.
var listKeywords = map[string]bool{"allOf": true, "anyOf": true, "oneOf": true, "prefixItems": true}

// partNames say what the schema below a keyword is to the one that has it.
var partNames = map[string]string{
	"items": "an element of ", "prefixItems": "an element of ", "additionalProperties": "a value of ", "propertyNames": "a name in ",
	"anyOf": "an alternative of ", "oneOf": "an alternative of ", "allOf": "a part of ",
}
