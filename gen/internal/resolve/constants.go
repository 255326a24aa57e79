package resolve

import (
	"go/ast"
	"go/token"
)

// constantSyntax is a constant as its package declares it.
type constantSyntax struct {
	// order counts a package's constants, files by name.
	order int
	// value is its expression, that of an earlier line where it is not repeated; nil if there is none.
	value ast.Expr
}

// constants returns a package's constants by name.
func (r *resolver) constants(path string) map[string]constantSyntax {
	found := map[string]constantSyntax{}
	pkg := r.program.Syntax(path)
	if pkg == nil {
		return found
	}
	for _, file := range pkg.Files {
		for _, decl := range file.Decls {
			if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.CONST {
				addConstants(found, gen)
			}
		}
	}
	return found
}

func addConstants(found map[string]constantSyntax, decl *ast.GenDecl) {
	var values []ast.Expr
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ValueSpec)
		if len(spec.Values) > 0 {
			values = spec.Values
		}
		for i, name := range spec.Names {
			c := constantSyntax{order: len(found) + 1}
			if i < len(values) {
				c.value = values[i]
			}
			found[name.Name] = c
		}
	}
}

// combines reports whether a constant's expression says that the values are bits of a set: 1 << iota, or A | B.
func combines(value ast.Expr) bool {
	found := false
	if value == nil {
		return false
	}
	ast.Inspect(value, func(n ast.Node) bool {
		if binary, ok := n.(*ast.BinaryExpr); ok {
			found = found || binary.Op == token.OR || binary.Op == token.SHL && mentionsIota(binary.Y)
		}
		return !found
	})
	return found
}

func mentionsIota(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if ident, ok := n.(*ast.Ident); ok {
			found = found || ident.Name == "iota"
		}
		return !found
	})
	return found
}
