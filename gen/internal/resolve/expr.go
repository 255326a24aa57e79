package resolve

import (
	"go/token"
	"go/types"

	"github.com/capgen/capgen/gen/internal/model"
)

// exprOf returns how generated code writes a type.
func (r *resolver) exprOf(t types.Type) model.Expr {
	switch t := t.(type) {
	case *types.Basic:
		return model.Expr{Form: model.Named, Name: t.Name()}
	case *types.Alias:
		return r.namedExpr(t.Obj(), t.TypeArgs())
	case *types.Named:
		return r.namedExpr(t.Obj(), t.TypeArgs())
	case *types.Pointer:
		return r.holding(model.PointerTo, t.Elem())
	case *types.Slice:
		return r.holding(model.SliceOf, t.Elem())
	case *types.Array:
		e := r.holding(model.ArrayOf, t.Elem())
		e.Len = t.Len()
		return e
	case *types.Map:
		e := r.holding(model.MapOf, t.Elem())
		key := r.exprOf(t.Key())
		e.Key = &key
		return e
	}
	return model.Expr{Form: model.Other, Name: types.TypeString(t, nil)}
}

func (r *resolver) holding(form model.Form, elem types.Type) model.Expr {
	e := r.exprOf(elem)
	return model.Expr{Form: form, Elem: &e}
}

func (r *resolver) namedExpr(name *types.TypeName, args *types.TypeList) model.Expr {
	e := model.Expr{Form: model.Named, Name: name.Name()}
	if name.Pkg() != nil {
		e.Package, e.PackageName = name.Pkg().Path(), name.Pkg().Name()
		e.Standard = r.program.Standard(e.Package)
	}
	for i := range args.Len() {
		e.Args = append(e.Args, r.exprOf(args.At(i)))
	}
	return e
}

// unwritable returns the part of an expression that a package cannot write, since it has no name or another package keeps the name to
// itself; or "".
func unwritable(e model.Expr, path string) string {
	switch {
	case e.Form == model.Other:
		return e.Name
	case e.Package != "" && e.Package != path && !token.IsExported(e.Name):
		return e.PackageName + "." + e.Name
	}
	for _, part := range e.Args {
		if hole := unwritable(part, path); hole != "" {
			return hole
		}
	}
	for _, part := range []*model.Expr{e.Key, e.Elem} {
		if part != nil {
			if hole := unwritable(*part, path); hole != "" {
				return hole
			}
		}
	}
	return ""
}
