package resolve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// dialect is the one that every emitted schema is in.
const dialect = "https://json-schema.org/draft/2020-12/schema"

// notInlined are keywords that mean something else once a schema is part of another one.
var notInlined = []string{"$ref", "$dynamicRef", "$defs", "$id", "$anchor", "$dynamicAnchor", "definitions"}

// hugeExponent is one that no codec takes, and that the validator would compute.
var hugeExponent = regexp.MustCompile(`[eE][+-]?0*[1-9][0-9]{4}`)

func hugeNumber(text []byte) string {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return ""
		}
		if number, ok := token.(json.Number); ok && hugeExponent.MatchString(number.String()) {
			return number.String()
		}
	}
}

// parseSchema checks that a text is a schema that can stand wherever its type is used. What is wrong with it are predicates of the
// file.
func parseSchema(text []byte) (*declaredSchema, []error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return nil, []error{fmt.Errorf("is not JSON: %w", err)}
	}
	if number := hugeNumber(text); number != "" {
		return nil, []error{fmt.Errorf("holds the number %s, whose exponent has more than 4 digits", number)}
	}
	var tree map[string]any
	if json.Unmarshal(text, &tree) != nil {
		return nil, []error{errors.New(`is not a JSON object: write a schema such as {"type": "string"}`)}
	}
	if other, given := tree["$schema"]; given && other != dialect {
		return nil, []error{fmt.Errorf("is of another draft than 2020-12: rewrite it, and its $schema as %q", dialect)}
	}
	if keyword := findKeyword(tree); keyword != "" {
		return nil, []error{fmt.Errorf("holds %s, which cannot be inlined where the type is used: write out what it stands for", keyword)}
	}
	if faults := checkPatterns(tree); len(faults) > 0 {
		return nil, faults // which the compiler would tell of, too, and in other words
	}
	compiled, err := compileDeclared(text)
	if err != nil {
		return nil, []error{fmt.Errorf("is not a schema: %s", reason(err))}
	}
	jsonType, _ := tree["type"].(string)
	return &declaredSchema{text: compact.String(), jsonType: jsonType, null: compiled.Validate(nil) == nil, doubts: doubtsAboutPatterns(tree)}, nil
}

func compileDeclared(text []byte) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.LoadURL = func(string) (io.ReadCloser, error) {
		return nil, errors.New("references to other documents are not followed")
	}
	const location = "capgen:///declared"
	if err := c.AddResource(location, bytes.NewReader(text)); err != nil {
		return nil, err
	}
	return c.Compile(location)
}

// reason says what is wrong with a schema, and where in it.
func reason(err error) string {
	var broken *jsonschema.ValidationError
	if !errors.As(err, &broken) {
		return strings.ReplaceAll(err.Error(), "\n", " ")
	}
	for len(broken.Causes) > 0 {
		broken = broken.Causes[0]
	}
	if broken.InstanceLocation == "" {
		return broken.Message
	}
	return broken.InstanceLocation + ": " + broken.Message
}

// findKeyword returns a keyword of a schema that must not be inlined, or "".
func findKeyword(schema any) string {
	found := ""
	walkSchemas(schema, "", func(s map[string]any, _ string) {
		for _, keyword := range notInlined {
			if _, holds := s[keyword]; holds && found == "" {
				found = keyword
			}
		}
	})
	return found
}
