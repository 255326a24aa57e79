// Package rule says in words what each JSON Schema keyword wants. The sentences are built from the schema alone.
package rule

import (
	"fmt"
	"strings"
)

// Message says what a keyword wants of a value. Limit is the keyword's value in the schema, as JSON text or, for "required"
// and "additionalProperties", as words.
func Message(keyword, limit string) string {
	if form, ok := forms[keyword]; ok {
		if strings.Contains(form, "%s") {
			return fmt.Sprintf(form, limit)
		}
		return form
	}
	return "does not match the schema's " + keyword
}

var forms = map[string]string{
	"type":                 "must be %s",
	"enum":                 "must be one of %s",
	"const":                "must be %s",
	"minimum":              "must be at least %s",
	"maximum":              "must be at most %s",
	"exclusiveMinimum":     "must be greater than %s",
	"exclusiveMaximum":     "must be less than %s",
	"multipleOf":           "must be a multiple of %s",
	"minLength":            "must have at least %s characters",
	"maxLength":            "must have at most %s characters",
	"pattern":              "must match the pattern %s",
	"minItems":             "must have at least %s items",
	"maxItems":             "must have at most %s items",
	"uniqueItems":          "must have no two equal items",
	"minProperties":        "must have at least %s properties",
	"maxProperties":        "must have at most %s properties",
	"required":             "must have the property %s",
	"additionalProperties": "has a property that is not known; the properties are %s",
	"format":               "must be a %s",
}
