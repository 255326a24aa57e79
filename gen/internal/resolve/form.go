package resolve

import (
	"go/types"

	"github.com/capgen/capgen/gen/internal/model"
)

// form says which of its methods take a type's JSON form out of the generator's sight.
type form struct {
	// The methods that are there when the value can be addressed, as it always is here.
	marshalJSON, unmarshalJSON, marshalText, unmarshalText bool
	// valueText says that MarshalText is there also when it cannot.
	valueText bool
	// json is the method that decides, if one of JSON's own does, and origin the type that declares it.
	json   string
	origin string
}

// jsonMethods are those of encoding/json and of its second version.
var jsonMethods = []string{"MarshalJSONTo", "MarshalJSON", "UnmarshalJSONFrom", "UnmarshalJSON"}

func formOf(t types.Type) form {
	if _, pointer := types.Unalias(t).(*types.Pointer); pointer {
		return form{}
	}
	value, addressed := types.NewMethodSet(t), types.NewMethodSet(types.NewPointer(t))
	has := func(set *types.MethodSet, name string) bool { return set.Lookup(nil, name) != nil }
	f := form{
		marshalText: has(addressed, "MarshalText"), unmarshalText: has(addressed, "UnmarshalText"), valueText: has(value, "MarshalText"),
		marshalJSON:   has(addressed, "MarshalJSON") || has(addressed, "MarshalJSONTo"),
		unmarshalJSON: has(addressed, "UnmarshalJSON") || has(addressed, "UnmarshalJSONFrom"),
	}
	for _, name := range jsonMethods {
		if method := addressed.Lookup(nil, name); method != nil {
			f.json, f.origin = name, receiverOf(method.Obj())
			break
		}
	}
	return f
}

// encodesItself reports whether a type has any method that encodes it.
func encodesItself(t types.Type) bool {
	f := formOf(t)
	return f.marshalJSON || f.marshalText
}

// receiverOf returns the full name of the type that declares a method.
func receiverOf(method types.Object) string {
	signature, ok := method.Type().(*types.Signature)
	if !ok || signature.Recv() == nil {
		return ""
	}
	return types.TypeString(deref(signature.Recv().Type()), nil)
}

// knownForm is how a type encodes itself, as its documentation says.
type knownForm struct {
	schema, jsonType, words string
}

// knownForms are those of the standard library's types that have one.
var knownForms = map[string]knownForm{
	"time.Time":    {`{"type":"string","format":"date-time"}`, "string", "date-time"},
	"math/big.Int": {`{"type":"integer"}`, "integer", "integer written without fraction or exponent"},
}

// knownFormats are JSON Schema's names for what some types write as text.
var knownFormats = map[string]string{
	"github.com/google/uuid.UUID":    "uuid",
	"github.com/gofrs/uuid.UUID":     "uuid",
	"github.com/gofrs/uuid/v5.UUID":  "uuid",
	"github.com/satori/go.uuid.UUID": "uuid",
}

// ownForm resolves a type whose JSON form is not what its structure says. The result is false for one whose form is.
func (r *resolver) ownForm(named *types.Named, s syntax, at place) (resolved *model.Type, own bool) {
	name := types.TypeString(named, nil)
	base := &model.Type{Name: name, Short: shortName(named), Go: r.exprOf(named), Underlying: goKindOf(named)}
	if declared := r.schemaFor(named); declared != nil {
		if declared.broken {
			return nil, true
		}
		base.Kind, base.Declared, base.DeclaredType, base.DeclaredNull = model.Foreign, declared.text, declared.jsonType, declared.null
		return base, true
	}
	switch name {
	case "encoding/json.RawMessage":
		base.Kind = model.RawMessage
		return base, true
	case "encoding/json.Number":
		base.Kind = model.JSONNumber
		return base, true
	}
	if _, isInterface := named.Underlying().(*types.Interface); isInterface {
		return nil, false
	}
	f := formOf(named)
	switch {
	case f.json != "" && knownForms[f.origin].schema != "":
		known := knownForms[f.origin]
		base.Kind, base.Declared, base.DeclaredType, base.TextFormat = model.Foreign, known.schema, known.jsonType, known.words
		return base, true
	case f.json != "":
		r.refuseOwnForm(named, s, at)
		return nil, true
	case f.marshalText || f.unmarshalText:
		return r.textOf(named, f, goKindOf(named), goKindOf(named) == model.GoString && !f.marshalText), true
	}
	return nil, false
}

// textOf resolves a type that encodes itself as text. Plain says that it is a string, which is written as it is.
func (r *resolver) textOf(t types.Type, f form, kind model.GoKind, plain bool) *model.Type {
	name := types.TypeString(t, nil)
	resolved := &model.Type{
		Kind: model.Text, Name: name, Short: shortName(t), Go: r.exprOf(t),
		Underlying: kind, TextFormat: knownFormats[name], WritesPlain: plain,
	}
	switch {
	case plain:
	case !f.marshalText:
		resolved.NotOutput = "has UnmarshalText and no MarshalText, so it would be written in another form than it is read: add MarshalText"
	case !f.valueText:
		resolved.NotOutput = "has MarshalText on its pointer, so a value that cannot be addressed is written in another form: declare it on the value"
	}
	if !f.unmarshalText {
		resolved.NotInput = "has MarshalText and no UnmarshalText, so it would be read in another form than it is written: add UnmarshalText"
	}
	return resolved
}

// goKindOf says what a type is to Go.
func goKindOf(t types.Type) model.GoKind {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return model.GoString
		case u.Info()&types.IsBoolean != 0:
			return model.GoBool
		case u.Info()&types.IsNumeric != 0:
			return model.GoNumber
		}
	case *types.Slice:
		return model.GoSlice
	case *types.Array:
		if u.Len() == 0 {
			return model.GoSlice // always empty, and so asked for its length
		}
		return model.GoArray
	case *types.Map:
		return model.GoMap
	case *types.Interface:
		return model.GoInterface
	case *types.Struct:
		return model.GoStruct
	}
	return model.GoOther
}
