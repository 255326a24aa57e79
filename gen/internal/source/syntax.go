package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"slices"
)

// typeSpecs holds a package's type declarations by name.
type typeSpecs map[string]typeSpec

type typeSpec struct {
	decl *ast.GenDecl
	spec *ast.TypeSpec
}

// Syntax returns the package at an import path with its files, which hold what export data lacks: comments, directives and how
// constants are grouped. It is any package that a target imports, however indirectly; its Types are nil unless it was read from
// source. The result is nil for a package that is unknown or doesn't parse.
func (p *Program) Syntax(path string) *Package {
	if pkg := p.fromSrc[path]; pkg != nil {
		return pkg
	}
	if pkg, ok := p.syntax[path]; ok {
		return pkg
	}
	var pkg *Package
	if l := p.listing.byPath[path]; l != nil && l.hasFiles() {
		parsed, found := p.parsePackage(l)
		if len(found) == 0 {
			pkg = parsed
		}
	}
	p.syntax[path] = pkg
	return pkg
}

// TypeSpec returns the declaration of a type at package level, whether it was read from source or from export data, and the
// package that holds it. All are nil for a predeclared or local type, a type parameter, or one whose source can't be read.
func (p *Program) TypeSpec(name *types.TypeName) (*Package, *ast.GenDecl, *ast.TypeSpec) {
	if name.Pkg() == nil || name.Parent() != name.Pkg().Scope() {
		return nil, nil, nil
	}
	path := name.Pkg().Path()
	pkg := p.Syntax(path)
	if pkg == nil {
		return nil, nil, nil
	}
	specs, ok := p.specs[path]
	if !ok {
		specs = findTypeSpecs(pkg)
		p.specs[path] = specs
	}
	found, ok := specs[name.Name()]
	if !ok {
		return nil, nil, nil
	}
	return pkg, found.decl, found.spec
}

func findTypeSpecs(pkg *Package) typeSpecs {
	specs := make(typeSpecs)
	for _, file := range pkg.Files {
		for _, decl := range file.Decls {
			decl, ok := decl.(*ast.GenDecl)
			if !ok || decl.Tok != token.TYPE {
				continue
			}
			for _, spec := range decl.Specs {
				spec := spec.(*ast.TypeSpec)
				specs[spec.Name.Name] = typeSpec{decl, spec}
			}
		}
	}
	return specs
}

// Field returns the declaration of the i-th field of a struct type, counted as [types.Struct.Field] does: a line that declares
// two names is the declaration of two fields. It is nil when there is no such field.
func Field(spec *ast.StructType, i int) *ast.Field {
	for _, field := range spec.Fields.List {
		if n := max(1, len(field.Names)); i < n {
			return field
		} else {
			i -= n
		}
	}
	return nil
}

// directives yields the arguments of the group's capgen directives of that name.
func directives(group *ast.CommentGroup, name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if group == nil {
			return
		}
		for _, c := range group.List {
			if d, ok := ast.ParseDirective(c.Slash, c.Text); ok && d.Tool == "capgen" && d.Name == name && !yield(d.Args) {
				return
			}
		}
	}
}

// Standard reports whether a package that a target imports is the standard library's.
func (p *Program) Standard(path string) bool {
	l := p.listing.byPath[path]
	return l != nil && l.Standard
}

// Sources returns the main module's packages that were read from source, by import path.
func (p *Program) Sources() []*Package {
	var sources []*Package
	for _, path := range slices.Sorted(maps.Keys(p.fromSrc)) {
		if pkg := p.fromSrc[path]; pkg.Main && pkg.Types != nil {
			sources = append(sources, pkg)
		}
	}
	return sources
}
