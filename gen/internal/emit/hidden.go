package emit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/capgen/capgen/gen/internal/model"
)

// typeExpr writes a type in the body of a function, where a variable may hide a type of the package's own: then by another name, which
// is declared for that.
func (f *functions) typeExpr(e model.Expr) *jen.Statement {
	if !hidden(e, f.pkg.Path) {
		return typeExpr(e)
	}
	return jen.Id(f.name("type", f.exprText(e), func(name string) {
		f.file.Line().Commentf("%s is %s where a variable hides it.", name, f.exprText(e))
		f.file.Type().Id(name).Op("=").Add(typeExpr(e))
	}))
}

// hidden reports whether a type expression has a name of the package that is also a variable's in generated functions.
func hidden(e model.Expr, pkg string) bool {
	return e.Package == pkg && local.MatchString(e.Name) ||
		slices.ContainsFunc(e.Args, func(arg model.Expr) bool { return hidden(arg, pkg) }) ||
		e.Key != nil && hidden(*e.Key, pkg) || e.Elem != nil && hidden(*e.Elem, pkg)
}

// exprText is a type expression as a text that no other one has, for comments and names.
func (f *functions) exprText(e model.Expr) string {
	switch e.Form {
	case model.PointerTo:
		return "*" + f.exprText(*e.Elem)
	case model.SliceOf:
		return "[]" + f.exprText(*e.Elem)
	case model.ArrayOf:
		return "[" + strconv.FormatInt(e.Len, 10) + "]" + f.exprText(*e.Elem)
	case model.MapOf:
		return "map[" + f.exprText(*e.Key) + "]" + f.exprText(*e.Elem)
	}
	text := e.Name
	if e.Package != "" && e.Package != f.pkg.Path {
		text = e.Package + "." + text
	}
	if len(e.Args) > 0 {
		args := make([]string, len(e.Args))
		for i, arg := range e.Args {
			args[i] = f.exprText(arg)
		}
		text += "[" + strings.Join(args, ", ") + "]"
	}
	return text
}
