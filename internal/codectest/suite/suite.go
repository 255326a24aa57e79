// Package suite declares the schemas of the JSON Schema Test Suite that a Go type can express. Each capability takes {"v": INSTANCE}.
//
//capgen:namespace suite
package suite

//go:generate go run github.com/capgen/capgen/cmd/capgen generate .

// EnumOf is open, as the suite's objects are.
//
//capgen:schema additionalProperties=true
type EnumOf struct {
	Foo string `json:"foo,omitempty" enum:"foo"`
	Bar string `json:"bar" enum:"bar"`
}

// RequiredOf requires foo.
//
//capgen:schema additionalProperties=true
type RequiredOf struct {
	Foo any `json:"foo"`
	Bar any `json:"bar,omitempty"`
}

// NotRequiredOf requires nothing.
//
//capgen:schema additionalProperties=true
type NotRequiredOf struct {
	Foo any `json:"foo,omitempty"`
}

// RequiredScriptOf requires names that JavaScript's objects have.
//
//capgen:schema additionalProperties=true
type RequiredScriptOf struct {
	Proto       any `json:"__proto__"`
	ToString    any `json:"toString"`
	Constructor any `json:"constructor"`
}

// PropertiesOf has two types.
//
//capgen:schema additionalProperties=true
type PropertiesOf struct {
	Foo int    `json:"foo,omitempty"`
	Bar string `json:"bar,omitempty"`
}

// PropertiesScriptOf has names that JavaScript's objects have.
//
//capgen:schema additionalProperties=true
type PropertiesScriptOf struct {
	Proto    float64 `json:"__proto__,omitempty"`
	ToString struct {
		Length string `json:"length,omitempty"`
	} `json:"toString,omitzero" additionalProperties:"true"`
	Constructor float64 `json:"constructor,omitempty"`
}

// FooBar has two names and admits others.
//
//capgen:schema additionalProperties=true
type FooBar struct {
	Foo any `json:"foo,omitempty"`
	Bar any `json:"bar,omitempty"`
}

// ShortName3 has at most three characters.
//
//capgen:schema maxLength=3
type ShortName3 string

// ShortName5 has at most five characters.
//
//capgen:schema maxLength=5
type ShortName5 string

// PatternName has the letter a alone.
//
//capgen:schema pattern=^a+$
type PatternName string

// FooName is one name.
type FooName string

// TheFoo is that name.
const TheFoo FooName = "foo"

// FooBarName is one of two names.
type FooBarName string

// The names.
const (
	AFoo FooBarName = "foo"
	ABar FooBarName = "bar"
)

// Whole is an integer that is referred to.
type Whole int

// FooBarIntegers has one type twice.
//
//capgen:schema additionalProperties=true
type FooBarIntegers struct {
	Foo Whole `json:"foo,omitempty"`
	Bar Whole `json:"bar,omitempty"`
}

// Escaped has one type three times.
//
//capgen:schema additionalProperties=true
type Escaped struct {
	Tilde   Whole `json:"tilde,omitempty"`
	Slash   Whole `json:"slash,omitempty"`
	Percent Whole `json:"percent,omitempty"`
}

// Reffed is a list.
type Reffed []any

// ListOf bounds a list that is a type of its own.
//
//capgen:schema additionalProperties=true
type ListOf struct {
	Foo Reffed `json:"foo,omitempty" maxItems:"2"`
}

// RefNamedOf has a property that is named like a keyword.
//
//capgen:schema additionalProperties=true
type RefNamedOf struct {
	Ref string `json:"$ref,omitempty"`
}

// Tree is a tree of nodes.
//
//capgen:schema additionalProperties=true
type Tree struct {
	Meta  string `json:"meta"`
	Nodes []Node `json:"nodes"`
}

// Node is a node of a tree.
//
//capgen:schema additionalProperties=true
type Node struct {
	Value   float64 `json:"value"`
	Subtree *Tree   `json:"subtree,omitempty"`
}
