// Package rule says in words what each JSON Schema keyword wants. The sentences are built from the schema alone.
package rule

import (
	"fmt"
	"strings"
)

// Message says what a keyword wants of a value. Limit is the keyword's value in the schema, as JSON text or, for "type" and
// "enum", as words. For a property that is not known there is [Unknown].
func Message(keyword, limit string) string {
	if form, ok := forms[keyword]; ok {
		if noun, counts := nouns[keyword]; counts {
			if limit == "1" {
				return fmt.Sprintf(form, limit) + " " + noun.one
			}
			return fmt.Sprintf(form, limit) + " " + noun.many
		}
		if strings.Contains(form, "%s") {
			return fmt.Sprintf(form, limit)
		}
		return form
	}
	return "does not match the schema's " + keyword
}

var forms = map[string]string{
	"type":             "must be %s",
	"enum":             "must be one of %s",
	"const":            "must be %s",
	"minimum":          "must be at least %s",
	"maximum":          "must be at most %s",
	"exclusiveMinimum": "must be greater than %s",
	"exclusiveMaximum": "must be less than %s",
	"multipleOf":       "must be a multiple of %s",
	"minLength":        "must have at least %s",
	"maxLength":        "must have at most %s",
	"pattern":          "must match the pattern %s",
	"minItems":         "must have at least %s",
	"maxItems":         "must have at most %s",
	"uniqueItems":      "must have no two equal items",
	"minProperties":    "must have at least %s",
	"maxProperties":    "must have at most %s",
	"required":         "must have the property %s",
	"format":           "must be a %s",
}

type noun struct{ one, many string }

// nouns are what the keywords that count count.
var nouns = map[string]noun{
	"minLength":     {"character", "characters"},
	"maxLength":     {"character", "characters"},
	"minItems":      {"item", "items"},
	"maxItems":      {"item", "items"},
	"minProperties": {"property", "properties"},
	"maxProperties": {"property", "properties"},
}
