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
	if name == "time.Time" {
		return &model.Type{Kind: model.Time, Name: name, Short: "time.Time"}
	}
	if name == "encoding/json.Number" {
		r.refuse(at, "is a json.Number, which is not yet supported: use a number type, or a string")
		return nil
	}
	if r.failed[failure{name, at.pos}] {
		return nil
	}
	// The type is known before its parts are, so that it may refer to itself.
	resolved := &model.Type{Name: name}
	r.types[name] = resolved

	s, spec := r.declared(named.Obj())
	faults := r.faults
	var parts *model.Type
	if !r.refuseOwnForm(named, s, at) {
		parts = r.unnamedOf(named.Underlying(), s, at)
	}
	if parts == nil || r.faults > faults && !s.main() {
		delete(r.types, name)
		r.failed[failure{name, at.pos}] = true
	}
	if parts == nil {
		return nil
	}
	*resolved = *parts
	resolved.Name, resolved.Short = name, shortName(named)
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
		if isByte(t.Elem()) {
			r.refuse(at, "is a slice of bytes, which is not yet supported: use a string")
			return nil
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
		r.refuse(at, "is an interface, which is not yet supported: use a struct or another type that says what it holds")
	case *types.Chan, *types.Signature:
		r.refuse(at, "is a %s, which has no JSON form: remove the field or leave it out with json:\"-\"", types.TypeString(t, r.qualifier()))
	default:
		r.refuse(at, "is a %s, which has no JSON form: remove the field or leave it out with json:\"-\"", types.TypeString(t, r.qualifier()))
	}
	return nil
}

func (r *resolver) basicOf(t *types.Basic, at place) *model.Type {
	resolved := &model.Type{Unsigned: t.Info()&types.IsUnsigned != 0, Short: t.Name()}
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
	key, pointer := r.valueOf(t.Key(), s.key(), at.below("{key}"))
	if key == nil {
		return nil
	}
	if pointer {
		r.refuse(at, "is a map whose keys are pointers, which have no JSON form: use a map with string keys")
		return nil
	}
	if key.Kind != model.String {
		r.refuse(at, "is a map whose keys are not strings, which is not yet supported: use a map with string keys, or a list")
		return nil
	}
	held, nullable := r.valueOf(t.Elem(), s.elem(), at.below("{}"))
	if held == nil {
		return nil
	}
	return &model.Type{Kind: model.Map, Key: key, Elem: held, ElemNullable: nullable}
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

func shortName(named *types.Named) string {
	return types.TypeString(named, func(pkg *types.Package) string { return pkg.Name() })
}
