package schema

import (
	"errors"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// refusal returns the keyword by which a validator refuses a value, the outermost that has no other cause; "" when it does not refuse.
func refusal(s *jsonschema.Schema, value any) string {
	err := s.Validate(value)
	if err == nil {
		return ""
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return "$ref" // a schema that refers to itself without end
	}
	for len(invalid.Causes) > 0 {
		invalid = invalid.Causes[0]
	}
	keyword := invalid.KeywordLocation[strings.LastIndexByte(invalid.KeywordLocation, '/')+1:]
	if keyword == "" {
		return "false"
	}
	return keyword
}
