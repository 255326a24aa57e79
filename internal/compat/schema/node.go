package schema

import (
	"encoding/json"
	"math/big"
	"slices"
)

// Types is a set of the types of JSON. Integers and other numbers are told apart, since schemas do.
type Types uint8

// The types.
const (
	Null Types = 1 << iota
	Boolean
	Object
	Array
	String
	Integer
	Fraction

	Number = Integer | Fraction
	All    = Null | Boolean | Object | Array | String | Number
)

var typeNames = map[string]Types{
	"null": Null, "boolean": Boolean, "object": Object, "array": Array, "string": String, "integer": Integer, "number": Number,
}

// Node is one schema of a document. A Node that [Node.Normal] returned has its references followed and can be looked into; of others only the
// pointer and the validator are of use. It must not be changed.
type Node struct {
	// Pointer is where the schema is in its file.
	Pointer string
	// Types is what the keyword type allows; All without it, none for the schema false.
	Types Types
	// Nullable says that null is allowed beside what the rest says.
	Nullable bool
	// Enum holds the only values there are, those of enum or const; nil is no limit.
	Enum []any
	// Properties are the named ones, and Order their names as in the alphabet.
	Properties map[string]*Node
	Order      []string
	Required   map[string]bool
	// Additional, Names and Items are the schemas of members that are not named, of names and of elements; nil is anything.
	Additional, Names, Items *Node
	// OneOf are alternatives of which a value is exactly one.
	OneOf []*Node
	// Plain holds the other keywords: those with a value that is no schema, and those that tell and do not check.
	Plain map[string]any
	// Opaque holds the keywords that are not understood, as they are written.
	Opaque map[string]any

	doc    *Document
	self   string            // where the schema is in its document, which is where its validator begins
	places map[string]string // the pointer of the schema that a keyword stands in, where that is another one
	normal *Node
	raw    any
}

// Anything returns the schema that allows every value, as if it were at a pointer.
func Anything(pointer string) *Node { return must("true").at(pointer) }

// Text returns the schema that allows every string, as if it were at a pointer.
func Text(pointer string) *Node { return must(`{"type":"string"}`).at(pointer) }

func (n *Node) at(pointer string) *Node {
	moved := *n.Normal()
	moved.Pointer = pointer
	moved.normal = &moved
	return &moved
}

// OnlyText returns the schema for values that are known to be strings, such as names.
func (n *Node) OnlyText() *Node {
	texts := *n.Normal()
	texts.Types &= String
	texts.Nullable = false
	texts.Enum = slices.DeleteFunc(slices.Clone(texts.Enum), func(v any) bool { _, is := v.(string); return !is })
	if n.Normal().Enum == nil {
		texts.Enum = nil
	}
	texts.normal = &texts
	return &texts
}

// Place returns where a keyword of the schema is in its file, or would be.
func (n *Node) Place(keyword string) string {
	if holder, elsewhere := n.places[keyword]; elsewhere {
		return holder + "/" + Escape(keyword)
	}
	return n.Pointer + "/" + Escape(keyword)
}

// Accepts reports whether the schema allows a value, as encoding/json decodes it with UseNumber.
func (n *Node) Accepts(value any) bool { return n.Refusal(value) == "" }

// Checks reports whether there is a validator for the schema. Without one it accepts nothing.
func (n *Node) Checks() bool {
	_, err := n.doc.compile(n.self)
	return err == nil
}

// Refusal returns the keyword by which the schema refuses a value, or "" if it does not.
func (n *Node) Refusal(value any) string {
	compiled, err := n.doc.compile(n.self)
	if err != nil {
		return "$ref"
	}
	return refusal(compiled, value)
}

// Count returns the value of a keyword that is a whole number from 0, or absent where it is not there or more than a text can have.
func (n *Node) Count(keyword string, absent int) int {
	value := n.Rational(keyword)
	if value == nil || !value.IsInt() || !value.Num().IsInt64() {
		return absent
	}
	return int(value.Num().Int64())
}

// Rational returns the value of a keyword that is a number, or nil.
func (n *Node) Rational(keyword string) *big.Rat {
	number, ok := n.Plain[keyword].(json.Number)
	if !ok {
		return nil
	}
	value, ok := new(big.Rat).SetString(number.String())
	if !ok {
		return nil
	}
	return value
}

// Property returns the schema of the members of a name: its own, or that of members that are not named; nil where there can be none.
func (n *Node) Property(name string) *Node {
	if p := n.Properties[name]; p != nil {
		return p
	}
	rest := n.Rest()
	if rest == nil || n.Names != nil && !n.Names.Accepts(name) {
		return nil
	}
	return rest
}

// Rest returns the schema of members that are not named, or nil where there can be none. Members that a keyword which is not understood may
// name can be anything.
func (n *Node) Rest() *Node {
	_, patterned := n.Opaque["patternProperties"]
	switch {
	case n.raw == true:
		return n // not one more at every level, which would never end
	case n.Additional == nil || patterned:
		return Anything(n.Pointer + "/additionalProperties")
	case n.Additional.Normal().Types == 0:
		return nil
	}
	return n.Additional
}

// Elements returns the schema of an array's elements.
func (n *Node) Elements() *Node {
	if n.raw == true {
		return n
	}
	if _, placed := n.Opaque["prefixItems"]; n.Items == nil || placed {
		return Anything(n.Pointer + "/items")
	}
	return n.Items
}

// Values returns all the values other than null that the schema can allow, where they are few and known, and whether they are. Some of
// them another keyword may refuse.
func (n *Node) Values() ([]any, bool) {
	switch {
	case n.Enum != nil:
		return slices.DeleteFunc(slices.Clone(n.Enum), func(v any) bool { return v == nil }), true
	case n.Types&^(Boolean|Null) == 0 && n.OneOf == nil:
		if n.Types&Boolean != 0 {
			return []any{false, true}, true
		}
		return nil, true
	}
	return nil, false
}

// Raw returns the schema as it is written, as encoding/json decodes it with UseNumber.
func (n *Node) Raw() any { return n.raw }
