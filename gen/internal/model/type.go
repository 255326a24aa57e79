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
	// Bytes is a slice of bytes, base64 in a string.
	Bytes
	// Any is an any, RawMessage a json.RawMessage: every JSON value.
	Any
	RawMessage
	// JSONNumber is a json.Number: a number of any size.
	JSONNumber
	// Text is a type that encodes itself as a string, by its text methods.
	Text
	// Foreign is a type that encodes itself, with a schema that was declared for it or is known.
	Foreign
	// Interface is an interface that anything can be in, on the way out.
	Interface
	// Union is a sealed interface, with its implementations as Variants.
	Union
)

// JSONType returns the JSON Schema's name of the kind's type.
func (k Kind) JSONType() string {
	switch k {
	case String, Time, Bytes, Text:
		return "string"
	case Bool:
		return "boolean"
	case Integer:
		return "integer"
	case Number, JSONNumber:
		return "number"
	case List:
		return "array"
	case Map, Struct, Union:
		return "object"
	}
	return ""
}

// Type is one Go type as JSON sees it. Types are shared and may refer to themselves.
type Type struct {
	Kind Kind
	// Name is the type's full name, import path and all, or "" for an unnamed type. Two types with one name are the same type.
	Name string
	// Short is the name as messages and $defs write it.
	Short string
	// Go is how Go code writes a named type, or a basic one.
	Go Expr
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
	// Variants are a Union's, and Discriminator the name of the member that tells which.
	Variants      []Variant
	Discriminator string
	// Declared is a Foreign type's schema as JSON text; it may have none of its own keywords.
	Declared string
	// DeclaredType is the type that a Foreign type's schema names, if it names one.
	DeclaredType string
	// DeclaredNull says that a Foreign type's schema admits null.
	DeclaredNull bool
	// TextFormat is the format of a Text or Foreign type's strings, if it is one that JSON Schema names.
	TextFormat string
	// WritesPlain says that a Text type is a string that is written as it is.
	WritesPlain bool
	// NamedBytes says that the items of Bytes are of a type of their own.
	NamedBytes bool
	// NotInput and NotOutput say why the type cannot be read, or written.
	NotInput, NotOutput string
	// Underlying is what the type is to Go, for a Text or Foreign one.
	Underlying GoKind
	// Position is where the type is declared, if that is in the main module.
	Position token.Position
}

// Variant is one implementation of a Union.
type Variant struct {
	Name string
	Type *Type
	// Pointer says that only the pointer implements the interface.
	Pointer bool
}

// Open reports whether a Struct admits names that it does not have, on the way in, where a field with these keywords uses it.
func (t *Type) Open(field []Keyword) bool {
	open := false
	for _, k := range append(append([]Keyword{}, t.Keywords...), field...) {
		if k.Name == "additionalProperties" {
			open = k.Text == "true"
		}
	}
	return open
}

// Format says what a Text or Foreign type takes, for messages.
func (t *Type) Format() string {
	if t.TextFormat != "" {
		return t.TextFormat
	}
	return t.Short
}

// Field is one property of a Struct.
type Field struct {
	// Name is the JSON name.
	Name string
	// GoName is the field's name.
	GoName string
	// Through leads from the struct to the field: the embedded fields that it is promoted through, outermost first.
	Through []Step
	Doc     string
	// Deprecated says that the doc comment has a Deprecated paragraph.
	Deprecated bool
	Type       *Type
	// Pointer says that the field is a pointer, Nullable that null stands for a nil one.
	Pointer, Nullable bool
	// OmitEmpty and OmitZero are the json options.
	OmitEmpty, OmitZero bool
	// ZeroMethod says that the field's type has a method IsZero, which omitzero asks.
	ZeroMethod bool
	// ThroughPointer says that the field is promoted through an embedded pointer, so it may be absent whatever its options.
	ThroughPointer bool
	// Own says that the field is declared in the main module.
	Own bool
	// Quoted is the json option string: the value is JSON inside a string.
	Quoted bool
	// Keywords are the constraint tags.
	Keywords []Keyword
	Position token.Position
}

// RefusesNull reports whether null stands for nothing here though the type could hold it: omitempty and omitzero make absence say
// that. What a declared schema says of null is said on purpose.
func (f *Field) RefusesNull() bool {
	return (f.OmitEmpty || f.OmitZero) && f.Type.Kind != Foreign && f.Type.JSONType() == ""
}

// JSONType returns the JSON Schema's name of the type's values, or "" when they can be of any.
func (t *Type) JSONType() string {
	if t.Kind == Foreign {
		return t.DeclaredType
	}
	return t.Kind.JSONType()
}

// Keyword returns the field's own keyword of a name, or nil.
func (f *Field) Keyword(name string) *Keyword {
	for i := range f.Keywords {
		if f.Keywords[i].Name == name {
			return &f.Keywords[i]
		}
	}
	return nil
}

// Step is one embedded field.
type Step struct {
	GoName  string
	Pointer bool
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
