package model

// GoKind says what a type is to Go, as far as omitempty and omitzero ask.
type GoKind int

// The kinds.
const (
	GoOther GoKind = iota
	GoString
	GoBool
	GoNumber
	GoSlice
	GoArray
	GoMap
	GoInterface
	GoStruct
)

// GoKind returns what the type is to Go.
func (t *Type) GoKind() GoKind {
	switch t.Kind {
	case String, JSONNumber:
		return GoString
	case Bool:
		return GoBool
	case Integer, Number:
		return GoNumber
	case List:
		if t.Len >= 0 {
			return GoArray
		}
		return GoSlice
	case Map:
		return GoMap
	case Struct, Time:
		return GoStruct
	case Bytes, RawMessage:
		return GoSlice
	case Any, Interface, Union:
		return GoInterface
	}
	return t.Underlying
}
