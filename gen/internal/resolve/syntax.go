package resolve

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/capgen/capgen/gen/internal/source"
)

// syntax is a type's expression and the package it stands in. The zero syntax is a type whose source is not at hand; its texts and
// positions are missing then, and nothing else.
type syntax struct {
	pkg  *source.Package
	expr ast.Expr
}

// main reports whether the type is one of the main module's.
func (s syntax) main() bool { return s.pkg != nil && s.pkg.Main }

// declared returns the syntax of a named type's declaration.
func (r *resolver) declared(name *types.TypeName) (syntax, *ast.TypeSpec) {
	pkg, _, spec := r.program.TypeSpec(name)
	if spec == nil {
		return syntax{}, nil
	}
	return syntax{pkg, spec.Type}, spec
}

// elem returns the syntax of what a pointer, slice, array or map type holds.
func (s syntax) elem() syntax {
	switch e := ast.Unparen(orNil(s.expr)).(type) {
	case *ast.StarExpr:
		return syntax{s.pkg, e.X}
	case *ast.ArrayType:
		return syntax{s.pkg, e.Elt}
	case *ast.MapType:
		return syntax{s.pkg, e.Value}
	}
	return syntax{}
}

func (s syntax) key() syntax {
	if e, ok := ast.Unparen(orNil(s.expr)).(*ast.MapType); ok {
		return syntax{s.pkg, e.Key}
	}
	return syntax{}
}

func orNil(e ast.Expr) ast.Expr {
	if e == nil {
		return (*ast.BadExpr)(nil)
	}
	return e
}

// fieldSyntax is one field of a struct type.
type fieldSyntax struct {
	*ast.Field
	// Name is the field's own identifier, or nil for an embedded one.
	Name *ast.Ident
	pkg  *source.Package
}

// structSyntax returns the fields of a struct type, one for each name, in the order of go/types. A type that is defined as another
// one is followed to the struct itself.
func (r *resolver) structSyntax(s syntax) []fieldSyntax {
	for range 100 {
		switch e := ast.Unparen(orNil(s.expr)).(type) {
		case *ast.StructType:
			return flatten(s.pkg, e)
		case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
			if name := s.typeName(e); name != nil {
				s, _ = r.declared(name)
			} else {
				s = s.sibling(e)
			}
		default:
			return nil
		}
	}
	return nil
}

func flatten(pkg *source.Package, structType *ast.StructType) []fieldSyntax {
	var fields []fieldSyntax
	for _, field := range structType.Fields.List {
		if len(field.Names) == 0 {
			fields = append(fields, fieldSyntax{Field: field, pkg: pkg})
		}
		for _, name := range field.Names {
			fields = append(fields, fieldSyntax{Field: field, Name: name, pkg: pkg})
		}
	}
	return fields
}

// typeName returns the type that an identifier of a source-checked package names, or nil.
func (s syntax) typeName(e ast.Expr) *types.TypeName {
	switch x := e.(type) {
	case *ast.IndexExpr:
		e = x.X
	case *ast.IndexListExpr:
		e = x.X
	}
	if selector, ok := e.(*ast.SelectorExpr); ok {
		e = selector.Sel
	}
	ident, ok := e.(*ast.Ident)
	if !ok || s.pkg == nil || s.pkg.Info == nil {
		return nil
	}
	name, _ := s.pkg.Info.Uses[ident].(*types.TypeName)
	return name
}

// sibling returns the declaration of a type of the same package, by its name alone: of a package that was not read from source
// there is no more to go by.
func (s syntax) sibling(e ast.Expr) syntax {
	ident, ok := e.(*ast.Ident)
	if !ok || s.pkg == nil || s.pkg.Info != nil {
		return syntax{}
	}
	for _, file := range s.pkg.Files {
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.TYPE {
				continue
			}
			for _, spec := range gen.Specs {
				if spec := spec.(*ast.TypeSpec); spec.Name.Name == ident.Name {
					return syntax{s.pkg, spec.Type}
				}
			}
		}
	}
	return syntax{}
}

// doc returns a field's description: its doc comment, or else the comment at the end of its line.
func (f fieldSyntax) doc() string {
	if text := docText(f.Doc); text != "" {
		return text
	}
	return docText(f.Comment)
}

// docText returns a comment's text without directives and without the line break at its end.
func docText(group *ast.CommentGroup) string {
	return strings.TrimRight(group.Text(), "\n")
}

// specDoc returns the comment of a type's declaration.
func specDoc(pkg *source.Package, spec *ast.TypeSpec) *ast.CommentGroup {
	if spec.Doc != nil || pkg == nil {
		return spec.Doc
	}
	for _, file := range pkg.Files {
		if file.FileStart <= spec.Pos() && spec.Pos() <= file.FileEnd {
			i, _ := slices.BinarySearchFunc(file.Decls, spec.Pos(), func(decl ast.Decl, at token.Pos) int { return cmp.Compare(decl.End(), at) })
			if gen, ok := file.Decls[i].(*ast.GenDecl); ok && !gen.Lparen.IsValid() {
				return gen.Doc
			}
		}
	}
	return nil
}
