package model

import "go/token"

// Kind says what a type looks like in JSON.
type Kind int

// The kinds the generator knows.
const (
	Invalid Kind = iota
	String
	Bool
	Integer
	Number
	// List is a slice, or an array if its Len is not -1.
	List
	// Map is an object with names of the caller's.
	Map
	Struct
	// Time is a time.Time, a date-time of RFC 3339.
	Time
)

// JSONType returns the JSON Schema's name of the kind's type.
func (k Kind) JSONType() string {
	switch k {
	case String, Time:
		return "string"
	case Bool:
		return "boolean"
	case Integer:
		return "integer"
	case Number:
		return "number"
	case List:
		return "array"
	case Map, Struct:
		return "object"
	}
	return ""
}

// Type is one Go type as JSON sees it. Types are shared and may refer to themselves.
type Type struct {
	Kind Kind
	// Name is the type's full name, import path and all, or "" for an unnamed type. Two types with one name are the same type.
	Name string
	// Short is the name as Go code in the type's package writes it.
	Short string
	// Doc is the type's description.
	Doc string
	// Bits is an integer's or a number's size, Unsigned whether an integer has no sign.
	Bits     int
	Unsigned bool
	// Key is what a Map is keyed by, a String.
	Key *Type
	// Elem is what a List or Map holds; ElemNullable says that it may be null.
	Elem         *Type
	ElemNullable bool
	// Len is an array's length, or -1 for a slice.
	Len int64
	// Fields are a Struct's properties, in the order encoding/json writes them.
	Fields []*Field
	// Enum holds the values, as JSON texts, that the type's typed constants allow; nil means any.
	Enum []string
	// Keywords are those of the type's //capgen:schema.
	Keywords []Keyword
	// Position is where the type is declared, if that is in the main module.
	Position token.Position
}

// Field is one property of a Struct.
type Field struct {
	// Name is the JSON name.
	Name string
	// GoName is the field's name.
	GoName string
	Doc    string
	// Deprecated says that the doc comment has a Deprecated paragraph.
	Deprecated bool
	Type       *Type
	// Pointer says that the field is a pointer, Nullable that null stands for a nil one.
	Pointer, Nullable bool
	// OmitEmpty and OmitZero are the json options.
	OmitEmpty, OmitZero bool
	// ThroughPointer says that the field is promoted through an embedded pointer, so it may be absent whatever its options.
	ThroughPointer bool
	// Keywords are the constraint tags.
	Keywords []Keyword
	Position token.Position
}

// Keyword is one JSON Schema keyword with its value.
type Keyword struct {
	Name string
	// Text is the value as the annotation writes it.
	Text string
	// JSON is the value as the schema writes it; Check fills it in.
	JSON string
	// List holds the values of an enum, as JSON texts; Check fills it in.
	List []string
	// Position is the key's, ValuePosition the value's.
	Position, ValuePosition token.Position
}

// Optional reports whether a JSON text may lack the field on the way in.
func (f *Field) Optional() bool {
	return f.OmitEmpty || f.OmitZero || f.ThroughPointer || f.Has("default")
}

// Omittable reports whether the encoder may leave the field out: omitempty has no effect on structs, times and arrays that have
// elements.
func (f *Field) Omittable() bool {
	if f.ThroughPointer || f.OmitZero {
		return true
	}
	if !f.OmitEmpty {
		return false
	}
	if f.Pointer {
		return true
	}
	switch f.Type.Kind {
	case Struct, Time:
		return false
	case List:
		return f.Type.Len <= 0
	}
	return true
}

// Has reports whether the field or its type carries a keyword.
func (f *Field) Has(name string) bool {
	for _, list := range [][]Keyword{f.Keywords, f.Type.Keywords} {
		for _, k := range list {
			if k.Name == name {
				return true
			}
		}
	}
	return false
}
