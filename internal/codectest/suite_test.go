package codectest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/internal/codectest/suite"
)

const suiteFolder = "testdata/JSON-Schema-Test-Suite/tests/draft2020-12"

// group is one schema of the suite with its instances.
type group struct {
	Description string
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// TestSuite runs every instance of the suite whose schema a Go type can express. One that is of another JSON type than the Go type's is
// not a valid or invalid instance of its keywords, and is refused for that. Every group is either declared or has a reason.
func TestSuite(t *testing.T) {
	declared := suiteDeclarations(t)
	ran, groups := 0, 0
	files, _ := filepath.Glob(suiteFolder + "/*.json")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var all []group
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		keyword := strings.TrimSuffix(filepath.Base(file), ".json")
		for _, g := range all {
			key := keyword + "/" + g.Description
			subjects, reason := declared[key], inexpressible(keyword, g.Description)
			if (len(subjects) == 0) == (reason == "") {
				t.Errorf("%s is declared %d times, and cannot be because %q", key, len(subjects), reason)
			}
			if len(subjects) > 0 {
				groups++
			}
			for _, s := range subjects {
				t.Run(key+"/"+s.name, func(t *testing.T) { ran += s.holdGroup(t, g) })
			}
			delete(declared, key)
		}
	}
	for key := range declared {
		t.Errorf("the suite has no %s", key)
	}
	t.Logf("%d instances of %d groups", ran, groups)
}

// holdGroup runs a group's instances, and returns how many were of the declaration's type.
func (s *suiteSubject) holdGroup(t *testing.T, g group) (ran int) {
	for _, test := range g.Tests {
		text := fmt.Appendf(nil, `{%q:%s}`, s.property, test.Data)
		s.holdDecode(t, text)
		_, err := s.decode(text)
		if applies := s.takes(test.Data); !applies {
			if !problemsOf(err)["/"+s.property+" type"] {
				t.Errorf("%s: %s is of another type, and the outcome is %v", test.Description, test.Data, err)
			}
			continue
		}
		ran++
		if test.Valid != (err == nil) {
			t.Errorf("%s: %s is valid: %t, and the outcome is %v", test.Description, test.Data, test.Valid, err)
		}
	}
	return ran
}

// suiteSubject is a declaration of the suite's: its input is {property: INSTANCE}.
type suiteSubject struct {
	*subject
	property string
}

// takes reports whether an instance is of the type that the declaration's property has.
func (s *suiteSubject) takes(instance json.RawMessage) bool {
	property := s.inputTree.(map[string]any)["properties"].(map[string]any)[s.property].(map[string]any)
	if ref, ok := property["$ref"].(string); ok {
		property = s.inputTree.(map[string]any)["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
	kinds := map[byte]string{'{': "object", '[': "array", '"': "string", 't': "boolean", 'f': "boolean", 'n': "null"}
	kind, ok := kinds[instance[0]]
	if !ok {
		kind = "number"
		var value float64
		if _ = json.Unmarshal(instance, &value); property["type"] == "integer" && value == float64(int64(value)) || value > 1e300 {
			kind = "integer"
		}
	}
	return property["type"] == kind || property["type"] == "number" && kind == "integer"
}

func suiteDeclarations(t *testing.T) map[string][]*suiteSubject {
	contracts := readContracts(t)
	declared := map[string][]*suiteSubject{}
	add := func(s *subject, property, keyword string, descriptions ...string) {
		for _, description := range descriptions {
			declared[keyword+"/"+description] = append(declared[keyword+"/"+description], &suiteSubject{s, property})
		}
	}
	v := func(s *subject, keyword string, descriptions ...string) { add(s, "v", keyword, descriptions...) }
	v(of[suite.Integer, nothing](t, contracts), "type", "integer type matches integers")
	v(of[suite.Number, nothing](t, contracts), "type", "number type matches numbers")
	v(of[suite.String, nothing](t, contracts), "type", "string type matches strings", "type as array with one item")
	v(of[suite.Object, nothing](t, contracts), "type", "object type matches objects")
	v(of[suite.Array, nothing](t, contracts), "type", "array type matches arrays")
	v(of[suite.Boolean, nothing](t, contracts), "type", "boolean type matches booleans")

	v(of[suite.EnumSimple, nothing](t, contracts), "enum", "simple enum validation")
	v(of[suite.EnumProperties, nothing](t, contracts), "enum", "enums in properties")
	v(of[suite.EnumEscaped, nothing](t, contracts), "enum", "enum with escaped characters")
	v(of[suite.EnumFalse, nothing](t, contracts), "enum", "enum with false does not match 0")
	v(of[suite.EnumTrue, nothing](t, contracts), "enum", "enum with true does not match 1")
	v(of[suite.EnumZero, nothing](t, contracts), "enum", "enum with 0 does not match false")
	v(of[suite.EnumOne, nothing](t, contracts), "enum", "enum with 1 does not match true")
	v(of[suite.EnumNul, nothing](t, contracts), "enum", "nul characters in strings")
	// A constant is an enum of one value.
	v(of[suite.ConstTwo, nothing](t, contracts), "const", "const validation")
	v(of[suite.EnumFalse, nothing](t, contracts), "const", "const with false does not match 0")
	v(of[suite.EnumTrue, nothing](t, contracts), "const", "const with true does not match 1")
	v(of[suite.EnumZero, nothing](t, contracts), "const", "const with 0 does not match other zero-like types")
	v(of[suite.EnumOne, nothing](t, contracts), "const", "const with 1 does not match true")
	v(of[suite.ConstMinusTwo, nothing](t, contracts), "const", "const with -2.0 matches integer and float types")
	v(of[suite.ConstLarge, nothing](t, contracts), "const", "float and integers are equal up to 64-bit representation limits")
	v(of[suite.ConstLargeInteger, nothing](t, contracts), "const", "float and integers are equal up to 64-bit representation limits")
	v(of[suite.EnumNul, nothing](t, contracts), "const", "nul characters in strings")
	v(of[suite.ConstMu, nothing](t, contracts), "const", "characters with the same visual representation but different codepoint")
	v(of[suite.ConstUmlaut, nothing](t, contracts), "const", "characters with the same visual representation, but different number of codepoints")

	v(of[suite.Minimum, nothing](t, contracts), "minimum", "minimum validation")
	v(of[suite.MinimumSigned, nothing](t, contracts), "minimum", "minimum validation with signed integer")
	v(of[suite.MinimumInteger, nothing](t, contracts), "minimum", "minimum validation with signed integer")
	v(of[suite.Maximum, nothing](t, contracts), "maximum", "maximum validation")
	v(of[suite.MaximumUnsigned, nothing](t, contracts), "maximum", "maximum validation with unsigned integer")
	v(of[suite.MaximumInteger, nothing](t, contracts), "maximum", "maximum validation with unsigned integer")
	v(of[suite.ExclusiveMinimum, nothing](t, contracts), "exclusiveMinimum", "exclusiveMinimum validation")
	v(of[suite.ExclusiveMaximum, nothing](t, contracts), "exclusiveMaximum", "exclusiveMaximum validation")
	v(of[suite.MultipleInt, nothing](t, contracts), "multipleOf", "by int")
	v(of[suite.MultipleInteger, nothing](t, contracts), "multipleOf", "by int")
	v(of[suite.MultipleNumber, nothing](t, contracts), "multipleOf", "by number")
	v(of[suite.MultipleSmall, nothing](t, contracts), "multipleOf", "by small number")
	v(of[suite.MultipleInf, nothing](t, contracts), "multipleOf", "float division = inf")
	v(of[suite.MultipleTiny, nothing](t, contracts), "multipleOf", "small multiple of large integer")

	// Counts are written as whole numbers; 2.0 means the same.
	v(of[suite.MinLength, nothing](t, contracts), "minLength", "minLength validation", "minLength validation with a decimal")
	v(of[suite.MaxLength, nothing](t, contracts), "maxLength", "maxLength validation", "maxLength validation with a decimal")
	v(of[suite.Pattern, nothing](t, contracts), "pattern", "pattern validation")
	v(of[suite.PatternPart, nothing](t, contracts), "pattern", "pattern is not anchored")
	v(of[suite.MinItems, nothing](t, contracts), "minItems", "minItems validation", "minItems validation with a decimal")
	v(of[suite.MaxItems, nothing](t, contracts), "maxItems", "maxItems validation", "maxItems validation with a decimal")
	v(of[suite.Unique, nothing](t, contracts), "uniqueItems", "uniqueItems validation")
	v(of[suite.NotUnique, nothing](t, contracts), "uniqueItems", "uniqueItems=false validation")
	v(of[suite.MinProperties, nothing](t, contracts), "minProperties", "minProperties validation", "minProperties validation with a decimal")
	v(of[suite.MaxProperties, nothing](t, contracts), "maxProperties", "maxProperties validation", "maxProperties validation with a decimal")
	v(of[suite.NoProperties, nothing](t, contracts), "maxProperties", "maxProperties = 0 means the object is empty")

	v(of[suite.Required, nothing](t, contracts), "required", "required validation")
	v(of[suite.NotRequired, nothing](t, contracts), "required", "required default validation", "required with empty array")
	v(of[suite.RequiredScript, nothing](t, contracts), "required", "required properties whose names are Javascript object property names")
	v(of[suite.Properties, nothing](t, contracts), "properties", "object properties validation")
	v(of[suite.PropertiesScript, nothing](t, contracts), "properties", "properties whose names are Javascript object property names")
	v(of[suite.AdditionalAlone, nothing](t, contracts), "additionalProperties", "additionalProperties can exist by itself")
	v(of[suite.AdditionalAllowed, nothing](t, contracts), "additionalProperties", "additionalProperties are allowed by default")
	v(of[suite.AdditionalNamed, nothing](t, contracts), "additionalProperties", "additionalProperties with propertyNames")
	v(of[suite.Items, nothing](t, contracts), "items", "a schema given for items")
	v(of[suite.Array, nothing](t, contracts), "items", "items with boolean schema (true)")
	v(of[suite.NoItems, nothing](t, contracts), "items", "items with boolean schema (false)")
	v(of[suite.NestedItems, nothing](t, contracts), "items", "nested items")
	v(of[suite.NamesLength, nothing](t, contracts), "propertyNames", "propertyNames validation")
	v(of[suite.NamesPattern, nothing](t, contracts), "propertyNames", "propertyNames validation with pattern")
	v(of[suite.Object, nothing](t, contracts), "propertyNames", "propertyNames with boolean schema true")
	v(of[suite.NoProperties, nothing](t, contracts), "propertyNames", "propertyNames with boolean schema false")
	v(of[suite.NamesConst, nothing](t, contracts), "propertyNames", "propertyNames with const")
	v(of[suite.NamesEnum, nothing](t, contracts), "propertyNames", "propertyNames with enum")

	v(of[suite.RefInteger, nothing](t, contracts), "ref", "nested refs")
	v(of[suite.RefProperties, nothing](t, contracts), "ref", "relative pointer ref to object")
	v(of[suite.RefEscaped, nothing](t, contracts), "ref", "escaped pointer ref")
	v(of[suite.RefBeside, nothing](t, contracts), "ref", "ref applies alongside sibling keywords")
	v(of[suite.RefNamed, nothing](t, contracts), "ref", "property named $ref that is not a reference", "property named $ref, containing an actual $ref")
	v(of[suite.RefTree, nothing](t, contracts), "ref", "Recursive references between schemas")

	formats := of[suite.Formats, nothing](t, contracts)
	for _, format := range strings.Fields("email idn-email regex ipv4 ipv6 idn-hostname hostname date date-time time json-pointer relative-json-pointer iri iri-reference uri uri-reference uri-template uuid duration") {
		add(formats, format, "format", format+" format")
	}
	return declared
}

type nothing = capabilities.Nothing

// inexpressible says why no Go type has a group's schema.
func inexpressible(keyword, description string) string {
	for _, reason := range []struct{ keyword, descriptions, why string }{
		{"type", "null type matches only the null object", "no Go type holds null alone"},
		{"type", "multiple types|type: array", "a Go type has one JSON type, and null"},
		{"enum", "heterogeneous", "an enum's values are of the field's type"},
		{"enum", "enum with [", "an enum goes with scalars"},
		{"enum", "empty enum", "refused when generating: no value could meet it"},
		{"const", "const with object|const with array|const with [|const with {|const with null", "an enum goes with scalars"},
		{"pattern", "pattern with Unicode property escape", "refused when generating: RE2 and ECMA-262 do not read it alike"},
		{"uniqueItems", "with an array of items", "prefixItems: a Go array's items are of one type"},
		{"required", "required with escaped characters", "encoding/json takes no such name from a tag"},
		{"properties", "patternProperties", "patternProperties: a struct's names are fixed"},
		{"properties", "properties with boolean schema", "a property that nothing may have is one not to declare"},
		{"properties", "properties with escaped characters", "encoding/json takes no such name from a tag"},
		{"properties", "null valued", "no Go type holds null alone"},
		{"additionalProperties", "being false|non-ASCII pattern", "patternProperties: a struct's names are fixed"},
		{"additionalProperties", "additionalProperties with schema", "a struct's other names have no type"},
		{"additionalProperties", "applicators|dependentSchemas", "allOf and dependentSchemas say nothing that a Go type does"},
		{"additionalProperties", "null valued", "no Go type holds null alone"},
		{"items", "items and subitems|prefixItems|heterogeneous|applicators", "prefixItems: a Go array's items are of one type"},
		{"items", "null instance elements", "no Go type holds null alone"},
		{"oneOf", "", "alternatives are variants with a discriminator, not schemas"},
		{"anyOf", "", "the only alternative to a type is null"},
		{"default", "", "refused when generating: the default is not valid itself"},
		{"content", "", "contentMediaType is not emitted, and base64 content is an exception of the contract: it is checked"},
		{"ref", "root pointer ref|relative pointer ref to array|remote ref|boolean schema|creates new scope|naive replacement|empty tokens|refs with quote", "a reference leads to a type, and types have names"},
		{"ref", "$id|URN|uris|ref to if|ref to then|ref to else|absolute-path", "schemas are one document and have no identifiers"},
	} {
		if reason.keyword != keyword {
			continue
		}
		for part := range strings.SplitSeq(reason.descriptions, "|") {
			if strings.Contains(description, part) {
				return reason.why
			}
		}
	}
	return ""
}
