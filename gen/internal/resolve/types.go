package resolve

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/capgen/capgen/gen/internal/model"
)

// place is where in a declaration the resolver is, for its messages.
type place struct {
	// path leads from the declaration to the value, as Order.Lines[].Price.
	path string
	// pos is the innermost position in the main module, and from how much of the path leads there.
	pos  token.Position
	from int
}

func (at place) below(step string) place {
	at.path += step
	return at
}

// moved returns the place with a position of its own.
func (at place) moved(pos token.Position) place { return place{at.path, pos, len(at.path)} }

// failure is a type that is not known, as it was met at a position: a type of another module is reported wherever it is used.
type failure struct {
	name string
	pos  token.Position
}

// refusal is what is wrong at a position. Several paths may lead there, of which one is told.
type refusal struct {
	pos            token.Position
	beyond, reason string
}

// refuse reports a type that has no JSON form that the generator knows.
func (r *resolver) refuse(at place, format string, args ...any) {
	r.faults++
	reason := fmt.Sprintf(format, args...)
	what := refusal{at.pos, at.path[at.from:], reason}
	if !r.refused[what] {
		r.refused[what] = true
		r.report.Errorf(at.pos, "%s %s", at.path, reason)
	}
}

// valueOf resolves a type, following pointers. It returns nil, after a diagnostic, for a type the generator does not know.
func (r *resolver) valueOf(t types.Type, s syntax, at place) (resolved *model.Type, pointer bool) {
	if alias, ok := t.(*types.Alias); ok {
		s, _ = r.declared(alias.Obj())
		return r.valueOf(alias.Rhs(), s, at)
	}
	if p, ok := t.(*types.Pointer); ok {
		if _, twice := types.Unalias(p.Elem()).(*types.Pointer); twice {
			r.refuse(at, "is a pointer to a pointer: one is enough to say that there may be nothing")
			return nil, true
		}
		resolved, _ = r.valueOf(p.Elem(), s.elem(), at)
		return resolved, true
	}
	if named, ok := t.(*types.Named); ok {
		if p, ok := named.Underlying().(*types.Pointer); ok {
			r.refuse(at, "is a %s, a pointer with a name, which is not yet supported: write %s", types.TypeString(named, r.qualifier()), types.TypeString(p, r.qualifier()))
			return nil, false
		}
		return r.namedOf(named, at), false
	}
	return r.unnamedOf(t, s, at), false
}

// namedOf resolves a named type once.
func (r *resolver) namedOf(named *types.Named, at place) *model.Type {
	name := types.TypeString(named, nil)
	if known, ok := r.types[name]; ok {
		return known
	}
	if name == "time.Time" && r.schemas[name] == nil {
		return &model.Type{Kind: model.Time, Name: name, Short: "time.Time", Go: r.exprOf(named)}
	}
	if r.failed[failure{name, at.pos}] {
		return nil
	}
	s, spec := r.declared(named.Obj())
	if resolved, own := r.ownForm(named, s, at); own {
		if resolved == nil {
			r.failed[failure{name, at.pos}] = true
			return nil
		}
		r.types[name] = resolved
		return resolved
	}
	// The type is known before its parts are, so that it may refer to itself.
	resolved := &model.Type{Name: name}
	r.types[name] = resolved
	if union, ok := r.unionOf(named, resolved, at); union {
		if !ok {
			delete(r.types, name)
			r.failed[failure{name, at.pos}] = true
			return nil
		}
		return resolved
	}
	faults := r.faults
	parts := r.unnamedOf(named.Underlying(), s, at)
	if parts == nil || r.faults > faults && !s.main() {
		delete(r.types, name)
		r.failed[failure{name, at.pos}] = true
	}
	if parts == nil {
		return nil
	}
	*resolved = *parts
	resolved.Name, resolved.Short, resolved.Go = name, shortName(named), r.exprOf(named)
	resolved.Enum = r.enumOf(named, resolved)
	if spec != nil {
		if s.pkg.Path != Vocabulary { // whose own comments are for its callers
			resolved.Doc = docText(specDoc(s.pkg, spec))
		}
		if s.pkg.Main {
			resolved.Position = r.position(spec.Name.Pos())
			resolved.Keywords = r.typeKeywords(s, spec)
		}
	}
	return resolved
}

// unnamedOf resolves a type by its structure.
func (r *resolver) unnamedOf(t types.Type, s syntax, at place) *model.Type {
	switch t := t.(type) {
	case *types.Alias, *types.Named, *types.Pointer:
		resolved, _ := r.valueOf(t, s, at)
		return resolved
	case *types.Basic:
		return r.basicOf(t, at)
	case *types.Slice:
		if isByte(t.Elem()) && !encodesItself(t.Elem()) {
			return &model.Type{Kind: model.Bytes, NamedBytes: !types.Identical(t.Elem(), types.Typ[types.Byte])}
		}
		return r.listOf(t.Elem(), -1, s, at)
	case *types.Array:
		return r.listOf(t.Elem(), t.Len(), s, at)
	case *types.Map:
		return r.mapOf(t, s, at)
	case *types.Struct:
		if r.refuseOwnForm(t, s, at) {
			return nil
		}
		return r.structOfType(t, s, at)
	case *types.Interface:
		if t.Empty() {
			return &model.Type{Kind: model.Any}
		}
		return &model.Type{
			Kind:     model.Interface,
			NotInput: "is an interface with methods, so what to make of an input cannot be known: use a struct, or seal the interface and declare it a union",
		}
	case *types.Chan, *types.Signature:
		r.refuse(at, "is a %s, which has no JSON form: remove the field or leave it out with json:\"-\"", types.TypeString(t, r.qualifier()))
	default:
		r.refuse(at, "is a %s, which has no JSON form: remove the field or leave it out with json:\"-\"", types.TypeString(t, r.qualifier()))
	}
	return nil
}

func (r *resolver) basicOf(t *types.Basic, at place) *model.Type {
	resolved := &model.Type{Unsigned: t.Info()&types.IsUnsigned != 0, Short: t.Name(), Go: r.exprOf(t)}
	switch {
	case t.Info()&types.IsString != 0:
		resolved.Kind = model.String
	case t.Info()&types.IsBoolean != 0:
		resolved.Kind = model.Bool
	case t.Info()&types.IsInteger != 0:
		resolved.Kind, resolved.Bits = model.Integer, bitsOf(t.Kind())
	case t.Info()&types.IsFloat != 0:
		resolved.Kind, resolved.Bits = model.Number, bitsOf(t.Kind())
	case t.Kind() == types.Invalid: // the type checker has said why
		return nil
	default:
		r.refuse(at, "is a %s, which has no JSON form: remove the field or leave it out with json:\"-\"", types.TypeString(t, r.qualifier()))
		return nil
	}
	return resolved
}

// bitsOf returns a number's size. The sizes of int, uint and uintptr are those of a 64-bit platform, which is what a contract
// is written for.
func bitsOf(kind types.BasicKind) int {
	switch kind {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32, types.Float32:
		return 32
	}
	return 64
}

func isByte(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Uint8
}

func (r *resolver) listOf(elem types.Type, length int64, s syntax, at place) *model.Type {
	held, pointer := r.valueOf(elem, s.elem(), at.below("[]"))
	if held == nil {
		return nil
	}
	return &model.Type{Kind: model.List, Elem: held, ElemNullable: pointer, Len: length}
}

func (r *resolver) mapOf(t *types.Map, s syntax, at place) *model.Type {
	key := r.keyOf(t.Key(), s.key(), at.below("{key}"))
	if key == nil {
		return nil
	}
	held, pointer := r.valueOf(t.Elem(), s.elem(), at.below("{}"))
	if held == nil {
		return nil
	}
	return &model.Type{Kind: model.Map, Key: key, Elem: held, ElemNullable: pointer}
}

// keyOf resolves a map's key, whose rules are not those of a value: a string is itself when written, whatever methods it has, and is
// read by its own UnmarshalText; others encode themselves, or are integers.
func (r *resolver) keyOf(t types.Type, s syntax, at place) *model.Type {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return r.plainKeyOf(t, s, at)
	}
	declared := r.schemaFor(named)
	switch {
	case declared == nil:
		return r.plainKeyOf(t, s, at)
	case declared.broken:
		return nil
	}
	key := &model.Type{Kind: model.String, Name: types.TypeString(named, nil), Short: shortName(named), Go: r.exprOf(named)}
	if goKindOf(named) != model.GoString || formOf(named).unmarshalText {
		key = r.plainKeyOf(t, s, at)
	}
	if key != nil {
		key.Declared = declared.text
	}
	return key
}

// plainKeyOf resolves a key for whose type no schema is declared.
func (r *resolver) plainKeyOf(t types.Type, s syntax, at place) *model.Type {
	form := formOf(t)
	basic, _ := t.Underlying().(*types.Basic)
	isString := basic != nil && basic.Info()&types.IsString != 0
	switch {
	case isString && form.unmarshalText:
		return r.textOf(t, form, model.GoString, true)
	case isString && form.marshalText:
		return &model.Type{Kind: model.String, Name: types.TypeString(t, nil), Short: shortName(t), Go: r.exprOf(t)}
	case isString:
		key, _ := r.valueOf(t, s, at)
		return key
	case form.marshalText || form.unmarshalText:
		return r.textOf(t, form, model.GoOther, false)
	case basic != nil && basic.Info()&types.IsInteger != 0:
		return &model.Type{Kind: model.Integer, Bits: bitsOf(basic.Kind()), Unsigned: basic.Info()&types.IsUnsigned != 0, Short: shortName(t), Go: r.exprOf(t)}
	}
	r.refuse(at, "is a %s, and a map's keys must be strings, integers or types that encode themselves as text: use one of these, or a list", types.TypeString(t, r.qualifier()))
	return nil
}

// qualifier writes types as code in the package at hand does.
func (r *resolver) qualifier() types.Qualifier {
	return func(pkg *types.Package) string {
		if pkg.Path() == r.target {
			return ""
		}
		return pkg.Name()
	}
}

func shortName(t types.Type) string {
	return types.TypeString(t, func(pkg *types.Package) string { return pkg.Name() })
}
