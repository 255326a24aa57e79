package resolve

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/capgen/capgen/gen/internal/diag"
	"github.com/capgen/capgen/gen/internal/source"
)

// warnOfStrays tells of structs that have the marker and no directive, for which nothing is generated. A struct that another type is
// defined as gives it its marker, a generic one may do so in packages that are not at hand, and one with its own method Capability is
// declared by hand: none of these is warned of.
func (r *resolver) warnOfStrays(targets map[*source.Package]bool) {
	moulds := r.moulds()
	for target := range targets {
		r.warnOfStraysIn(target, moulds)
	}
}

func (r *resolver) warnOfStraysIn(target *source.Package, moulds map[*types.TypeName]bool) {
	namespace := "namespace:"
	if r.packageDirectives(target).Namespace != "" {
		namespace = ""
	}
	for _, file := range target.Files {
		after := file.Package
		for _, decl := range file.Decls {
			declared, ok := decl.(*ast.GenDecl)
			if !ok || declared.Tok != token.TYPE {
				after = decl.End()
				continue
			}
			for _, spec := range declared.Specs {
				spec := spec.(*ast.TypeSpec)
				marker := r.strayMarker(target, spec, moulds)
				// A directive there that is reported was meant to be this one.
				if marker != nil && !r.faultBetween(after, spec.End()) && !r.faultIn(declared.Doc) {
					r.report.Warnf(r.position(marker.Pos()),
						"%s says what it returns and is not declared a capability, so nothing is generated for it: write //capgen:capability %sname@1 risk=… access=… above the type, or remove the marker",
						spec.Name.Name, namespace)
				}
				after = spec.End()
			}
		}
	}
}

// strayMarker returns the marker that a struct embeds for nothing, or nil.
func (r *resolver) strayMarker(target *source.Package, spec *ast.TypeSpec, moulds map[*types.TypeName]bool) ast.Expr {
	structType, isStruct := ast.Unparen(spec.Type).(*ast.StructType)
	obj, _ := target.Info.Defs[spec.Name].(*types.TypeName)
	if !isStruct || obj == nil || spec.TypeParams != nil || moulds[obj] ||
		directiveNamed(r.directivesOf(target, spec), "capability") != nil {
		return nil
	}
	if _, index, _ := types.LookupFieldOrMethod(obj.Type(), true, target.Types, "Capability"); len(index) == 1 {
		return nil
	}
	for _, field := range structType.Fields.List {
		if _, is := namedAs(target.Info.TypeOf(field.Type), "Returns"); is && len(field.Names) == 0 {
			return field.Type
		}
	}
	return nil
}

// moulds returns the types that a capability is defined as: A, where type B A is one.
func (r *resolver) moulds() map[*types.TypeName]bool {
	found := map[*types.TypeName]bool{}
	for _, pkg := range r.program.Sources() {
		for _, file := range pkg.Files {
			for spec, directives := range r.directives(file).Types {
				if directiveNamed(directives, "capability") == nil {
					continue
				}
				s := syntax{pkg, spec.Type}
				for name := s.typeName(ast.Unparen(s.expr)); name != nil && !found[name]; name = s.typeName(ast.Unparen(orNil(s.expr))) {
					found[name] = true
					s, _ = r.declared(name)
				}
			}
		}
	}
	return found
}

func (r *resolver) faultIn(doc *ast.CommentGroup) bool {
	return doc != nil && r.faultBetween(doc.Pos(), doc.End())
}

// faultBetween reports whether something wrong is reported between two places of a file.
func (r *resolver) faultBetween(from, to token.Pos) bool {
	first, last := r.position(from), r.position(to)
	return slices.ContainsFunc(r.report.All(), func(d diag.Diagnostic) bool {
		return !d.Warning && d.Position.Filename == first.Filename && first.Offset <= d.Position.Offset && d.Position.Offset <= last.Offset
	})
}
