package resolve

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/capgen/capgen/gen/internal/directive"
)

// The keywords that hold schemas (JSON Schema core, section 10, and validation, section 8.5): one or a list, or by names of their own.
var (
	holdsSchemas = []string{
		"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "prefixItems", "items", "contains", "unevaluatedItems",
		"additionalProperties", "propertyNames", "unevaluatedProperties", "contentSchema",
	}
	holdsNamedSchemas = []string{"properties", "patternProperties", "dependentSchemas"}
)

// walkSchemas visits a schema and those in it, each with the JSON Pointer that leads there, in the order of their names.
func walkSchemas(schema any, at string, visit func(s map[string]any, at string)) {
	if list, ok := schema.([]any); ok {
		for i, item := range list {
			walkSchemas(item, at+"/"+strconv.Itoa(i), visit)
		}
		return
	}
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	visit(s, at)
	for _, keyword := range slices.Sorted(maps.Keys(s)) {
		below := at + "/" + pointerToken(keyword)
		switch named, _ := s[keyword].(map[string]any); {
		case slices.Contains(holdsSchemas, keyword):
			walkSchemas(s[keyword], below, visit)
		case slices.Contains(holdsNamedSchemas, keyword):
			for _, name := range slices.Sorted(maps.Keys(named)) {
				walkSchemas(named[name], below+"/"+pointerToken(name), visit)
			}
		}
	}
}

// pointerToken writes a name as part of a JSON Pointer (RFC 6901, section 3).
func pointerToken(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

// eachPattern visits the patterns of a schema, those that are names among them.
func eachPattern(schema any, visit func(pattern, at string)) {
	walkSchemas(schema, "", func(s map[string]any, at string) {
		if pattern, ok := s["pattern"].(string); ok {
			visit(pattern, at+"/pattern")
		}
		named, _ := s["patternProperties"].(map[string]any)
		for _, pattern := range slices.Sorted(maps.Keys(named)) {
			visit(pattern, at+"/patternProperties/"+pointerToken(pattern))
		}
	})
}

// checkPatterns holds the patterns of a schema to the syntax that those of the annotations are held to.
func checkPatterns(schema any) []error {
	var faults []error
	eachPattern(schema, func(pattern, at string) {
		if err := directive.CheckPattern(pattern); err != nil {
			faults = append(faults, fmt.Errorf("has at %s a pattern that %w", at, err))
		}
	})
	return faults
}

func doubtsAboutPatterns(schema any) []string {
	var doubts []string
	eachPattern(schema, func(pattern, at string) {
		for _, doubt := range directive.DoubtsAbout(pattern) {
			doubts = append(doubts, "has at "+at+" a pattern that "+doubt)
		}
	})
	return doubts
}
