package resolve

import (
	"go/types"
	"slices"
	"strings"

	"github.com/capgen/capgen/gen/internal/model"
)

// unionOf resolves an interface that is declared a union, or returns nil for one that is not or is declared wrongly, which is
// then reported.
func (r *resolver) unionOf(named *types.Named, resolved *model.Type, at place) (union, ok bool) {
	s, spec := r.declared(named.Obj())
	if spec == nil || !s.pkg.Main {
		return false, true
	}
	d := directiveNamed(r.directivesOf(s.pkg, spec), "union")
	if d == nil {
		return false, true
	}
	where := place{path: named.Obj().Name()}.moved(r.position(d.Pos))
	discriminator, given := d.Arg("discriminator")
	sealed := false
	iface := named.Underlying().(*types.Interface)
	for method := range iface.Methods() {
		sealed = sealed || !method.Exported()
	}
	switch {
	case !given:
		return true, false
	case !sealed:
		r.refuse(where, "is a union, so nobody else may implement it: add a method whose name begins with a small letter")
		return true, false
	}
	*resolved = model.Type{
		Kind: model.Union, Name: types.TypeString(named, nil), Short: shortName(named), Go: r.exprOf(named),
		Doc: docText(specDoc(s.pkg, spec)), Discriminator: discriminator.Value, Position: r.position(spec.Name.Pos()),
	}
	return true, r.addVariants(resolved, named, iface, where)
}

// addVariants finds the types of the union's package that implement it, by name.
func (r *resolver) addVariants(union *model.Type, named *types.Named, iface *types.Interface, at place) bool {
	scope := named.Obj().Pkg().Scope()
	taken := map[string]string{}
	ok := true
	for _, name := range scope.Names() {
		obj, isType := scope.Lookup(name).(*types.TypeName)
		if !isType || obj.IsAlias() || obj == named.Obj() {
			continue
		}
		candidate, isNamed := obj.Type().(*types.Named)
		if !isNamed || candidate.TypeParams() != nil || types.IsInterface(candidate) {
			continue
		}
		byValue := types.Implements(candidate, iface)
		if !byValue && !types.Implements(types.NewPointer(candidate), iface) {
			continue
		}
		v, good := r.variantOf(union, candidate)
		ok = ok && good
		if !good {
			continue
		}
		v.Pointer = !byValue
		if other, twice := taken[v.Name]; twice {
			r.refuse(place{path: obj.Name()}.moved(r.position(obj.Pos())), "has the variant name %q, which is that of %s: give one another name with //capgen:variant", v.Name, other)
			ok = false
		}
		taken[v.Name] = obj.Name()
		union.Variants = append(union.Variants, v)
	}
	if ok && len(union.Variants) == 0 {
		r.refuse(at, "is a union that no type of its package implements: declare at least one struct with its methods")
		return false
	}
	slices.SortFunc(union.Variants, func(a, b model.Variant) int { return strings.Compare(a.Name, b.Name) })
	return ok
}

// variantOf resolves one implementation, which must be a struct.
func (r *resolver) variantOf(union *model.Type, named *types.Named) (model.Variant, bool) {
	v := model.Variant{Name: named.Obj().Name()}
	where := place{path: named.Obj().Name()}.moved(r.position(named.Obj().Pos()))
	if s, spec := r.declared(named.Obj()); spec != nil {
		if d := directiveNamed(r.directivesOf(s.pkg, spec), "variant"); d != nil {
			if word, given := d.Word(); given {
				v.Name = word.Value
			}
		}
	}
	if v.Type = r.namedOf(named, where); v.Type == nil {
		return v, false
	}
	if v.Type.Kind != model.Struct && v.Type.Kind != model.Invalid {
		r.refuse(where, "is a variant of %s and no struct, so it cannot hold the member %s: make it a struct", union.Short, union.Discriminator)
		return v, false
	}
	return v, true
}
