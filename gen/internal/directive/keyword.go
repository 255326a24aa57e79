package directive

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Kind is a kind of JSON value, as JSON Schema's type names it.
type Kind string

// The kinds. A keyword of kind Any goes with every one.
const (
	String  Kind = "string"
	Integer Kind = "integer"
	Number  Kind = "number"
	Boolean Kind = "boolean"
	Array   Kind = "array"
	Object  Kind = "object"
	Any     Kind = "any"
)

// Form says in words what the value of a keyword is.
type Form string

// The forms.
const (
	Count      Form = "a whole number from 0"
	Numeral    Form = "a number"
	Flag       Form = "true or false"
	Expression Form = "a regular expression"
	Text       Form = "text"
	Value      Form = "a value of the field's own kind"
	List       Form = "values, separated by commas or as a JSON array"
	Symbol     Form = "a symbol of at most 32 characters, without spaces and quotes"
	Header     Form = "the header's name, without Mcp-Param-"
)

// Keyword describes one constraint keyword.
type Keyword struct {
	// Name is the JSON Schema keyword, and the key of the struct tag.
	Name  string
	Kinds []Kind
	Value Form
	Doc   string
	// FieldOnly says that it goes with a field and not with a type.
	FieldOnly bool
}

var (
	texts    = []Kind{String}
	numbers  = []Kind{Integer, Number}
	arrays   = []Kind{Array}
	objects  = []Kind{Object}
	scalars  = []Kind{String, Integer, Number, Boolean}
	anything = []Kind{Any}
)

// Keywords is every keyword there is, in the order of the reference.
var Keywords = []Keyword{
	{Name: "minLength", Kinds: texts, Value: Count, Doc: "The fewest characters (Unicode code points)."},
	{Name: "maxLength", Kinds: texts, Value: Count, Doc: "The most characters (Unicode code points)."},
	{Name: "pattern", Kinds: texts, Value: Expression, Doc: "What some part of the text must match, in the syntax that RE2 and ECMA-262 share; anchor it with ^ and $."},
	{Name: "minimum", Kinds: numbers, Value: Numeral, Doc: "The least value."},
	{Name: "maximum", Kinds: numbers, Value: Numeral, Doc: "The greatest value."},
	{Name: "exclusiveMinimum", Kinds: numbers, Value: Numeral, Doc: "What the value must be greater than."},
	{Name: "exclusiveMaximum", Kinds: numbers, Value: Numeral, Doc: "What the value must be less than."},
	{Name: "multipleOf", Kinds: numbers, Value: Numeral, Doc: "What the value must be a multiple of; greater than 0."},
	{Name: "minItems", Kinds: arrays, Value: Count, Doc: "The fewest elements."},
	{Name: "maxItems", Kinds: arrays, Value: Count, Doc: "The most elements."},
	{Name: "uniqueItems", Kinds: arrays, Value: Flag, Doc: "No element may occur twice."},
	{Name: "minProperties", Kinds: objects, Value: Count, Doc: "The fewest members."},
	{Name: "maxProperties", Kinds: objects, Value: Count, Doc: "The most members."},
	{Name: "additionalProperties", Kinds: objects, Value: Flag, Doc: "Whether members that the struct does not name are admitted."},
	{Name: "enum", Kinds: scalars, Value: List, Doc: "The only values there are. A named type with typed constants has them without this."},
	{Name: "default", Kinds: anything, Value: Value, Doc: "What an absent value means; the field carries omitzero or omitempty."},
	{Name: "format", Kinds: texts, Value: Text, Doc: "A format that JSON Schema names, such as email; it tells and does not check."},
	{Name: "title", Kinds: anything, Value: Text, Doc: "A short name for people."},
	{Name: "example", Kinds: anything, Value: Value, Doc: "A value to show."},
	{Name: "deprecated", Kinds: anything, Value: Flag, Doc: "Callers should stop using it."},
	{Name: "readOnly", Kinds: anything, Value: Flag, Doc: "The service sets it; callers do not send it."},
	{Name: "writeOnly", Kinds: anything, Value: Flag, Doc: "Callers send it; the service never shows it."},
	{Name: "x-mcp-header", Kinds: []Kind{String, Integer, Boolean}, Value: Header, FieldOnly: true, Doc: "A parameter that clients mirror in the header Mcp-Param-NAME."},
	{Name: "unit", Kinds: numbers, Value: Symbol, Doc: "What the number counts, such as ms or USD; the schema has it as x-unit."},
}

// LookupKeyword returns the description of a keyword, and whether there is one of that name.
func LookupKeyword(name string) (Keyword, bool) {
	i := slices.IndexFunc(Keywords, func(k Keyword) bool { return k.Name == name })
	if i < 0 {
		return Keyword{}, false
	}
	return Keywords[i], true
}

// Allows reports whether the keyword goes with values of a kind.
func (k Keyword) Allows(kind Kind) bool {
	return slices.Contains(k.Kinds, kind) || slices.Contains(k.Kinds, Any)
}

var (
	// numeral is JSON's grammar, but for exponents past four digits, which no codec here takes.
	numeral = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?$`)
	// header is the token of RFC 9110, section 5.6.2.
	header = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	// symbol has room for the codes of UCUM, such as m/s2, [in_i] and %, and for words.
	symbol = regexp.MustCompile(`^[\pL\pN\pM\pP\pS]{1,32}$`)
)

// matches reports whether a text is of the form. What depends on the kind of the field, or needs more than a look at the text, a
// later stage checks.
func (f Form) matches(text string) bool {
	switch f {
	case Count:
		n, err := strconv.Atoi(text)
		return err == nil && strconv.Itoa(n) == text && n >= 0
	case Numeral:
		return numeral.MatchString(text)
	case Flag:
		return text == "true" || text == "false"
	case Header:
		return header.MatchString(text)
	case Symbol:
		return symbol.MatchString(text) && !strings.ContainsAny(text, quotes+"'")
	}
	return true
}

// sample is a value of the form, for errors.
func (f Form) sample() string {
	switch f {
	case Count, Numeral:
		return "1"
	case Flag:
		return "true"
	case Header:
		return "Region"
	case Symbol:
		return "ms"
	}
	return "…"
}
