package resolve

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/capgen/capgen/gen/internal/source"
)

// marker is the embedded Returns of a capability.
type marker struct {
	output       types.Type
	outputSyntax syntax
	outputPos    token.Pos
}

// findMarker finds the marker by its type, so that an alias of it counts.
func (r *resolver) findMarker(target *source.Package, spec *ast.TypeSpec, structType *types.Struct) (marker, bool) {
	fields := r.structSyntax(syntax{target, spec.Type})
	var found []marker
	broken := false
	for i := range structType.NumFields() {
		field := structType.Field(i)
		broken = broken || field.Type() == types.Typ[types.Invalid]
		named, is := namedAs(field.Type(), "Returns")
		if !is || !field.Embedded() {
			continue
		}
		m := marker{output: named.TypeArgs().At(0), outputPos: spec.Name.Pos()}
		if i < len(fields) && fields[i].pkg.Main {
			m.outputPos = fields[i].Type.Pos()
			if index, ok := ast.Unparen(fields[i].Type).(*ast.IndexExpr); ok {
				m.outputSyntax, m.outputPos = syntax{fields[i].pkg, index.Index}, index.Index.Pos()
			}
		}
		if found = append(found, m); i > 0 && len(found) == 1 {
			r.report.Warnf(r.position(m.outputPos), "the marker is not the first field: embed it first, where readers look for it and where it costs no padding")
		}
	}
	switch {
	case len(found) == 1:
		return found[0], true
	case len(found) > 1:
		r.report.Errorf(r.position(found[1].outputPos), "%s says twice what it returns: keep one marker", spec.Name.Name)
	case !broken: // else the type checker has said what is wrong
		r.report.Errorf(r.position(spec.Name.Pos()),
			"%s does not say what it returns: embed capabilities.Returns[Out] as its first field, with the result's type for Out, or capabilities.Returns[capabilities.Nothing]", spec.Name.Name)
	}
	return marker{}, false
}

// checkOwnNames refuses fields and methods that would hide what the generator adds to the struct.
func (r *resolver) checkOwnNames(target *source.Package, spec *ast.TypeSpec, structType *types.Struct) bool {
	ok := true
	for i := range structType.NumFields() {
		field := structType.Field(i)
		if field.Type() == types.Typ[types.Invalid] {
			continue
		}
		_, isMarker := namedAs(field.Type(), "Returns")
		if field.Name() == "Capability" || field.Name() == "Returns" && !(isMarker && field.Embedded()) {
			remedy := "rename the Go field and keep its JSON name with a json tag"
			if field.Embedded() {
				remedy = "rename the embedded type, or embed it under an alias"
			}
			r.report.Errorf(r.position(field.Pos()), "a field cannot be named %s here, since the capability needs that name: %s", field.Name(), remedy)
			ok = false
		}
	}
	for _, file := range target.Files {
		for _, decl := range file.Decls {
			method, is := decl.(*ast.FuncDecl)
			if is && method.Recv != nil && method.Name.Name == "Capability" && receiverName(method) == spec.Name.Name {
				r.report.Errorf(r.position(method.Name.Pos()), "%s has a method Capability of its own, which is the name of the one that is generated: rename it", spec.Name.Name)
				ok = false
			}
		}
	}
	return ok
}

func receiverName(method *ast.FuncDecl) string {
	t := method.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if ident, ok := t.(*ast.Ident); ok {
		return ident.Name
	}
	return ""
}
