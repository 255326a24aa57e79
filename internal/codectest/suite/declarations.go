package suite

import "github.com/capgen/capgen/capabilities"

// Integer takes a value of one of the suite's schemas.
//
//capgen:capability integer@1 risk=read access=public
type Integer struct {
	capabilities.Returns[capabilities.Nothing]

	V int64 `json:"v"`
}

// Number takes a value of one of the suite's schemas.
//
//capgen:capability number@1 risk=read access=public
type Number struct {
	capabilities.Returns[capabilities.Nothing]

	V float64 `json:"v"`
}

// String takes a value of one of the suite's schemas.
//
//capgen:capability string@1 risk=read access=public
type String struct {
	capabilities.Returns[capabilities.Nothing]

	V string `json:"v"`
}

// Object takes a value of one of the suite's schemas.
//
//capgen:capability object@1 risk=read access=public
type Object struct {
	capabilities.Returns[capabilities.Nothing]

	V map[string]any `json:"v"`
}

// Array takes a value of one of the suite's schemas.
//
//capgen:capability array@1 risk=read access=public
type Array struct {
	capabilities.Returns[capabilities.Nothing]

	V []any `json:"v"`
}

// Boolean takes a value of one of the suite's schemas.
//
//capgen:capability boolean@1 risk=read access=public
type Boolean struct {
	capabilities.Returns[capabilities.Nothing]

	V bool `json:"v"`
}

// EnumSimple takes a value of one of the suite's schemas.
//
//capgen:capability enum-simple@1 risk=read access=public
type EnumSimple struct {
	capabilities.Returns[capabilities.Nothing]

	V int `json:"v" enum:"1,2,3"`
}

// EnumProperties takes a value of one of the suite's schemas.
//
//capgen:capability enum-properties@1 risk=read access=public
type EnumProperties struct {
	capabilities.Returns[capabilities.Nothing]

	V EnumOf `json:"v"`
}

// EnumEscaped takes a value of one of the suite's schemas.
//
//capgen:capability enum-escaped@1 risk=read access=public
type EnumEscaped struct {
	capabilities.Returns[capabilities.Nothing]

	V string `json:"v" enum:"[\"foo\\nbar\", \"foo\\rbar\"]"`
}

// EnumFalse takes a value of one of the suite's schemas.
//
//capgen:capability enum-false@1 risk=read access=public
type EnumFalse struct {
	capabilities.Returns[capabilities.Nothing]

	V bool `json:"v" enum:"false"`
}

// EnumTrue takes a value of one of the suite's schemas.
//
//capgen:capability enum-true@1 risk=read access=public
type EnumTrue struct {
	capabilities.Returns[capabilities.Nothing]

	V bool `json:"v" enum:"true"`
}

// EnumZero takes a value of one of the suite's schemas.
//
//capgen:capability enum-zero@1 risk=read access=public
type EnumZero struct {
	capabilities.Returns[capabilities.Nothing]

	V int8 `json:"v" enum:"0"`
}

// EnumOne takes a value of one of the suite's schemas.
//
//capgen:capability enum-one@1 risk=read access=public
type EnumOne struct {
	capabilities.Returns[capabilities.Nothing]

	V float64 `json:"v" enum:"1"`
}

// EnumNul takes a value of one of the suite's schemas.
//
//capgen:capability enum-nul@1 risk=read access=public
type EnumNul struct {
	capabilities.Returns[capabilities.Nothing]

	V string `json:"v" enum:"[\"hello\\u0000there\"]"`
}

// Minimum takes a value of one of the suite's schemas.
//
//capgen:capability minimum@1 risk=read access=public
type Minimum struct {
	capabilities.Returns[capabilities.Nothing]

	V float64 `json:"v" minimum:"1.1"`
}

// MinimumSigned takes a value of one of the suite's schemas.
//
//capgen:capability minimum-signed@1 risk=read access=public
type MinimumSigned struct {
	capabilities.Returns[capabilities.Nothing]

	V float64 `json:"v" minimum:"-2"`
}

// MinimumInteger takes a value of one of the suite's schemas.
//
//capgen:capability minimum-integer@1 risk=read access=public
type MinimumInteger struct {
	capabilities.Returns[capabilities.Nothing]

	V int `json:"v" minimum:"-2"`
}

// Maximum takes a value of one of the suite's schemas.
//
//capgen:capability maximum@1 risk=read access=public
type Maximum struct {
	capabilities.Returns[capabilities.Nothing]

	V float64 `json:"v" maximum:"3.0"`
}

// MaximumUnsigned takes a value of one of the suite's schemas.
//
//capgen:capability maximum-unsigned@1 risk=read access=public
type MaximumUnsigned struct {
	capabilities.Returns[capabilities.Nothing]

	V float64 `json:"v" maximum:"300"`
}

// MaximumInteger takes a value of one of the suite's schemas.
//
//capgen:capability maximum-integer@1 risk=read access=public
type MaximumInteger struct {
	capabilities.Returns[capabilities.Nothing]

	V uint16 `json:"v" maximum:"300"`
}

// ExclusiveMinimum takes a value of one of the suite's schemas.
//
//capgen:capability exclusive-minimum@1 risk=read access=public
type ExclusiveMinimum struct {
	capabilities.Returns[capabilities.Nothing]

	V float64 `json:"v" exclusiveMinimum:"1.1"`
}

// ExclusiveMaximum takes a value of one of the suite's schemas.
//
//capgen:capability exclusive-maximum@1 risk=read access=public
type ExclusiveMaximum struct {
	capabilities.Returns[capabilities.Nothing]

	V float64 `json:"v" exclusiveMaximum:"3.0"`
}

// MultipleInt takes a value of one of the suite's schemas.
//
//capgen:capability multiple-int@1 risk=read access=public
type MultipleInt struct {
	capabilities.Returns[capabilities.Nothing]

	V float64 `json:"v" multipleOf:"2"`
}

// MultipleInteger takes a value of one of the suite's schemas.
//
//capgen:capability multiple-integer@1 risk=read access=public
type MultipleInteger struct {
	capabilities.Returns[capabilities.Nothing]

	V int `json:"v" multipleOf:"2"`
}

// MultipleNumber takes a value of one of the suite's schemas.
//
//capgen:capability multiple-number@1 risk=read access=public
type MultipleNumber struct {
	capabilities.Returns[capabilities.Nothing]

	V float64 `json:"v" multipleOf:"1.5"`
}

// MultipleSmall takes a value of one of the suite's schemas.
//
//capgen:capability multiple-small@1 risk=read access=public
type MultipleSmall struct {
	capabilities.Returns[capabilities.Nothing]

	V float64 `json:"v" multipleOf:"0.0001"`
}

// MultipleInf takes a value of one of the suite's schemas.
//
//capgen:capability multiple-inf@1 risk=read access=public
type MultipleInf struct {
	capabilities.Returns[capabilities.Nothing]

	V int64 `json:"v" multipleOf:"0.123456789"`
}

// MultipleTiny takes a value of one of the suite's schemas.
//
//capgen:capability multiple-tiny@1 risk=read access=public
type MultipleTiny struct {
	capabilities.Returns[capabilities.Nothing]

	V int64 `json:"v" multipleOf:"1e-8"`
}

// MinLength takes a value of one of the suite's schemas.
//
//capgen:capability min-length@1 risk=read access=public
type MinLength struct {
	capabilities.Returns[capabilities.Nothing]

	V string `json:"v" minLength:"2"`
}

// MaxLength takes a value of one of the suite's schemas.
//
//capgen:capability max-length@1 risk=read access=public
type MaxLength struct {
	capabilities.Returns[capabilities.Nothing]

	V string `json:"v" maxLength:"2"`
}

// Pattern takes a value of one of the suite's schemas.
//
//capgen:capability pattern@1 risk=read access=public
type Pattern struct {
	capabilities.Returns[capabilities.Nothing]

	V string `json:"v" pattern:"^a*$"`
}

// PatternPart takes a value of one of the suite's schemas.
//
//capgen:capability pattern-part@1 risk=read access=public
type PatternPart struct {
	capabilities.Returns[capabilities.Nothing]

	V string `json:"v" pattern:"a+"`
}

// MinItems takes a value of one of the suite's schemas.
//
//capgen:capability min-items@1 risk=read access=public
type MinItems struct {
	capabilities.Returns[capabilities.Nothing]

	V []any `json:"v" minItems:"1"`
}

// MaxItems takes a value of one of the suite's schemas.
//
//capgen:capability max-items@1 risk=read access=public
type MaxItems struct {
	capabilities.Returns[capabilities.Nothing]

	V []any `json:"v" maxItems:"2"`
}

// Unique takes a value of one of the suite's schemas.
//
//capgen:capability unique@1 risk=read access=public
type Unique struct {
	capabilities.Returns[capabilities.Nothing]

	V []any `json:"v" uniqueItems:"true"`
}

// NotUnique takes a value of one of the suite's schemas.
//
//capgen:capability not-unique@1 risk=read access=public
type NotUnique struct {
	capabilities.Returns[capabilities.Nothing]

	V []any `json:"v" uniqueItems:"false"`
}

// MinProperties takes a value of one of the suite's schemas.
//
//capgen:capability min-properties@1 risk=read access=public
type MinProperties struct {
	capabilities.Returns[capabilities.Nothing]

	V map[string]any `json:"v" minProperties:"1"`
}

// MaxProperties takes a value of one of the suite's schemas.
//
//capgen:capability max-properties@1 risk=read access=public
type MaxProperties struct {
	capabilities.Returns[capabilities.Nothing]

	V map[string]any `json:"v" maxProperties:"2"`
}

// NoProperties takes a value of one of the suite's schemas.
//
//capgen:capability no-properties@1 risk=read access=public
type NoProperties struct {
	capabilities.Returns[capabilities.Nothing]

	V map[string]any `json:"v" maxProperties:"0"`
}

// Required takes a value of one of the suite's schemas.
//
//capgen:capability required@1 risk=read access=public
type Required struct {
	capabilities.Returns[capabilities.Nothing]

	V RequiredOf `json:"v"`
}

// NotRequired takes a value of one of the suite's schemas.
//
//capgen:capability not-required@1 risk=read access=public
type NotRequired struct {
	capabilities.Returns[capabilities.Nothing]

	V NotRequiredOf `json:"v"`
}

// RequiredScript takes a value of one of the suite's schemas.
//
//capgen:capability required-script@1 risk=read access=public
type RequiredScript struct {
	capabilities.Returns[capabilities.Nothing]

	V RequiredScriptOf `json:"v"`
}

// Properties takes a value of one of the suite's schemas.
//
//capgen:capability properties@1 risk=read access=public
type Properties struct {
	capabilities.Returns[capabilities.Nothing]

	V PropertiesOf `json:"v"`
}

// PropertiesScript takes a value of one of the suite's schemas.
//
//capgen:capability properties-script@1 risk=read access=public
type PropertiesScript struct {
	capabilities.Returns[capabilities.Nothing]

	V PropertiesScriptOf `json:"v"`
}

// AdditionalAlone takes a value of one of the suite's schemas.
//
//capgen:capability additional-alone@1 risk=read access=public
type AdditionalAlone struct {
	capabilities.Returns[capabilities.Nothing]

	V map[string]bool `json:"v"`
}

// AdditionalAllowed takes a value of one of the suite's schemas.
//
//capgen:capability additional-allowed@1 risk=read access=public
type AdditionalAllowed struct {
	capabilities.Returns[capabilities.Nothing]

	V FooBar `json:"v"`
}

// AdditionalNamed takes a value of one of the suite's schemas.
//
//capgen:capability additional-named@1 risk=read access=public
type AdditionalNamed struct {
	capabilities.Returns[capabilities.Nothing]

	V map[ShortName5]float64 `json:"v"`
}

// Items takes a value of one of the suite's schemas.
//
//capgen:capability items@1 risk=read access=public
type Items struct {
	capabilities.Returns[capabilities.Nothing]

	V []int64 `json:"v"`
}

// NoItems takes a value of one of the suite's schemas.
//
//capgen:capability no-items@1 risk=read access=public
type NoItems struct {
	capabilities.Returns[capabilities.Nothing]

	V []any `json:"v" maxItems:"0"`
}

// NestedItems takes a value of one of the suite's schemas.
//
//capgen:capability nested-items@1 risk=read access=public
type NestedItems struct {
	capabilities.Returns[capabilities.Nothing]

	V [][][][]float64 `json:"v"`
}

// NamesLength takes a value of one of the suite's schemas.
//
//capgen:capability names-length@1 risk=read access=public
type NamesLength struct {
	capabilities.Returns[capabilities.Nothing]

	V map[ShortName3]any `json:"v"`
}

// NamesPattern takes a value of one of the suite's schemas.
//
//capgen:capability names-pattern@1 risk=read access=public
type NamesPattern struct {
	capabilities.Returns[capabilities.Nothing]

	V map[PatternName]any `json:"v"`
}

// NamesConst takes a value of one of the suite's schemas.
//
//capgen:capability names-const@1 risk=read access=public
type NamesConst struct {
	capabilities.Returns[capabilities.Nothing]

	V map[FooName]any `json:"v"`
}

// NamesEnum takes a value of one of the suite's schemas.
//
//capgen:capability names-enum@1 risk=read access=public
type NamesEnum struct {
	capabilities.Returns[capabilities.Nothing]

	V map[FooBarName]any `json:"v"`
}

// ConstTwo takes a value of one of the suite's schemas.
//
//capgen:capability const-two@1 risk=read access=public
type ConstTwo struct {
	capabilities.Returns[capabilities.Nothing]

	V int `json:"v" enum:"2"`
}

// ConstMinusTwo takes a value of one of the suite's schemas.
//
//capgen:capability const-minus-two@1 risk=read access=public
type ConstMinusTwo struct {
	capabilities.Returns[capabilities.Nothing]

	V float64 `json:"v" enum:"-2.0"`
}

// ConstLarge takes a value of one of the suite's schemas.
//
//capgen:capability const-large@1 risk=read access=public
type ConstLarge struct {
	capabilities.Returns[capabilities.Nothing]

	V float64 `json:"v" enum:"9007199254740992"`
}

// ConstLargeInteger takes a value of one of the suite's schemas.
//
//capgen:capability const-large-integer@1 risk=read access=public
type ConstLargeInteger struct {
	capabilities.Returns[capabilities.Nothing]

	V int64 `json:"v" enum:"9007199254740992"`
}

// ConstMu takes a value of one of the suite's schemas.
//
//capgen:capability const-mu@1 risk=read access=public
type ConstMu struct {
	capabilities.Returns[capabilities.Nothing]

	V string `json:"v" enum:"μ"`
}

// ConstUmlaut takes a value of one of the suite's schemas.
//
//capgen:capability const-umlaut@1 risk=read access=public
type ConstUmlaut struct {
	capabilities.Returns[capabilities.Nothing]

	V string `json:"v" enum:"ä"`
}

// RefInteger takes a value of one of the suite's schemas.
//
//capgen:capability ref-integer@1 risk=read access=public
type RefInteger struct {
	capabilities.Returns[capabilities.Nothing]

	V int `json:"v"`
}

// RefProperties takes a value of one of the suite's schemas.
//
//capgen:capability ref-properties@1 risk=read access=public
type RefProperties struct {
	capabilities.Returns[capabilities.Nothing]

	V FooBarIntegers `json:"v"`
}

// RefEscaped takes a value of one of the suite's schemas.
//
//capgen:capability ref-escaped@1 risk=read access=public
type RefEscaped struct {
	capabilities.Returns[capabilities.Nothing]

	V Escaped `json:"v"`
}

// RefBeside takes a value of one of the suite's schemas.
//
//capgen:capability ref-beside@1 risk=read access=public
type RefBeside struct {
	capabilities.Returns[capabilities.Nothing]

	V ListOf `json:"v"`
}

// RefNamed takes a value of one of the suite's schemas.
//
//capgen:capability ref-named@1 risk=read access=public
type RefNamed struct {
	capabilities.Returns[capabilities.Nothing]

	V RefNamedOf `json:"v"`
}

// RefTree takes a value of one of the suite's schemas.
//
//capgen:capability ref-tree@1 risk=read access=public
type RefTree struct {
	capabilities.Returns[capabilities.Nothing]

	V Tree `json:"v"`
}

// Formats takes a string of each format, which is an annotation.
//
//capgen:capability formats@1 risk=read access=public
type Formats struct {
	capabilities.Returns[capabilities.Nothing]

	Email               string `json:"email,omitempty" format:"email"`
	IdnEmail            string `json:"idn-email,omitempty" format:"idn-email"`
	Regex               string `json:"regex,omitempty" format:"regex"`
	Ipv4                string `json:"ipv4,omitempty" format:"ipv4"`
	Ipv6                string `json:"ipv6,omitempty" format:"ipv6"`
	IdnHostname         string `json:"idn-hostname,omitempty" format:"idn-hostname"`
	Hostname            string `json:"hostname,omitempty" format:"hostname"`
	Date                string `json:"date,omitempty" format:"date"`
	DateTime            string `json:"date-time,omitempty" format:"date-time"`
	Time                string `json:"time,omitempty" format:"time"`
	JsonPointer         string `json:"json-pointer,omitempty" format:"json-pointer"`
	RelativeJsonPointer string `json:"relative-json-pointer,omitempty" format:"relative-json-pointer"`
	Iri                 string `json:"iri,omitempty" format:"iri"`
	IriReference        string `json:"iri-reference,omitempty" format:"iri-reference"`
	Uri                 string `json:"uri,omitempty" format:"uri"`
	UriReference        string `json:"uri-reference,omitempty" format:"uri-reference"`
	UriTemplate         string `json:"uri-template,omitempty" format:"uri-template"`
	Uuid                string `json:"uuid,omitempty" format:"uuid"`
	Duration            string `json:"duration,omitempty" format:"duration"`
}
