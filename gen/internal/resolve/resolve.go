// Package resolve is the stage that turns checked Go types and their directives into the model.
package resolve

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/capgen/capgen/gen/internal/diag"
	"github.com/capgen/capgen/gen/internal/directive"
	"github.com/capgen/capgen/gen/internal/model"
	"github.com/capgen/capgen/gen/internal/source"
)

// Vocabulary is the import path of the package whose marker makes a struct a capability.
const Vocabulary = "github.com/capgen/capgen/capabilities"

// Packages returns the model of every target of the program. What is wrong goes to the report; a capability with something wrong
// is left out.
func Packages(program *source.Program, report *diag.List) []*model.Package {
	r := &resolver{
		program:  program,
		report:   report,
		types:    map[string]*model.Type{},
		scanned:  map[*ast.File]directive.File{},
		complete: map[string]bool{},
	}
	var packages []*model.Package
	for _, target := range program.Targets {
		packages = append(packages, r.resolvePackage(target))
	}
	return packages
}

type resolver struct {
	program *source.Program
	report  *diag.List
	// types holds every named type met so far, by its full name.
	types map[string]*model.Type
	// scanned holds each file's directives, so that a file is reported on once.
	scanned  map[*ast.File]directive.File
	complete map[string]bool
}

func (r *resolver) position(pos token.Pos) token.Position {
	if !pos.IsValid() {
		return token.Position{}
	}
	return r.program.Fset.Position(pos)
}

func (r *resolver) directives(file *ast.File) directive.File {
	scanned, ok := r.scanned[file]
	if !ok {
		scanned = directive.Scan(r.program.Fset, file, r.report)
		r.scanned[file] = scanned
	}
	return scanned
}

func (r *resolver) resolvePackage(target *source.Package) *model.Package {
	pkg := &model.Package{Path: target.Path, Name: target.Name, Dir: target.Dir, Declared: map[string]token.Position{}}
	var files []directive.File
	for _, file := range target.Files {
		files = append(files, r.directives(file))
		r.collectDeclared(file, pkg)
	}
	said := directive.ParsePackage(files, r.position, r.report)
	pkg.Handlers, pkg.HandlersPosition = said.Handlers, r.position(said.HandlersPos)
	pkg.Bind, pkg.BindPosition = said.Bind, r.position(said.BindPos)
	for _, file := range files {
		for spec, directives := range file.Types {
			if capability := r.resolveDeclaration(target, spec, directives, said.Namespace); capability != nil {
				pkg.Capabilities = append(pkg.Capabilities, capability)
			}
		}
	}
	slices.SortFunc(pkg.Capabilities, func(a, b *model.Capability) int { return strings.Compare(a.ID.String(), b.ID.String()) })
	return pkg
}

// collectDeclared notes the package's own names, which generated ones must not take.
func (r *resolver) collectDeclared(file *ast.File, pkg *model.Package) {
	add := func(name *ast.Ident) { pkg.Declared[name.Name] = r.position(name.Pos()) }
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					add(s.Name)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						add(name)
					}
				}
			}
		}
	}
	for _, imported := range file.Imports {
		if imported.Name != nil && imported.Name.Name != "_" && imported.Name.Name != "." {
			add(imported.Name)
		}
	}
}

// namedAs reports whether a type is the vocabulary's type of that name.
func namedAs(t types.Type, name string) (*types.Named, bool) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil, false
	}
	obj := named.Obj()
	return named, obj.Name() == name && obj.Pkg() != nil && obj.Pkg().Path() == Vocabulary
}
