// Package resolve is the stage that turns checked Go types and their directives into the model.
package resolve

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
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
		program: program,
		report:  report,
		types:   map[string]*model.Type{},
		failed:  map[failure]bool{},
		refused: map[refusal]bool{},
		scanned: map[*ast.File]directive.File{},
		schemas: map[string]*declaredSchema{},
		said:    map[*source.Package]directive.Package{},
	}
	for _, pkg := range program.Sources() {
		r.collectSchemas(pkg, r.packageDirectives(pkg).Schemas)
	}
	var packages []*model.Package
	declaring := map[*source.Package]bool{}
	for _, target := range program.Targets {
		switch {
		case target.Types == nil: // its syntax errors are reported
		case !target.Main:
			r.report.Errorf(r.position(target.Files[0].Name.Pos()), "package %s is not in the main module, so nothing is generated for it: run capgen in its own module", target.Path)
		default:
			pkg := r.resolvePackage(target)
			declaring[target] = len(pkg.Capabilities) > 0
			packages = append(packages, pkg)
		}
	}
	r.warnOfStrays(declaring)
	if !report.HasErrors() {
		r.reportUnused(declaring)
	}
	return packages
}

type resolver struct {
	program *source.Program
	report  *diag.List
	// types holds every named type that is known, or being resolved, by its full name.
	types map[string]*model.Type
	// failed holds the types that are not known, each with the place where it was met, and refused what was said of them.
	failed  map[failure]bool
	refused map[refusal]bool
	// faults counts the refusals, so that a type can tell whether there was one in it.
	faults int
	// target is the import path of the package at hand.
	target string
	// scanned holds each file's directives, so that a file is reported on once.
	scanned map[*ast.File]directive.File
	// schemas holds those that are declared for types of other packages, by the types' full names.
	schemas map[string]*declaredSchema
	// said holds what the directives on each package's clauses say.
	said map[*source.Package]directive.Package
}

// packageDirectives returns what the directives on a package's clauses say.
func (r *resolver) packageDirectives(pkg *source.Package) directive.Package {
	said, known := r.said[pkg]
	if !known {
		var files []directive.File
		for _, file := range pkg.Files {
			files = append(files, r.directives(file))
		}
		said = directive.ParsePackage(files, r.position, r.report)
		r.said[pkg] = said
	}
	return said
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
	pkg := &model.Package{Path: target.Path, Name: target.Name, Dir: target.Dir, Declared: map[string]token.Position{}, Imported: map[string]token.Position{}}
	var files []directive.File
	r.target = target.Path
	for _, file := range target.Files {
		files = append(files, r.directives(file))
		r.collectDeclared(file, pkg)
		r.collectImported(file, target, pkg)
	}
	said := r.packageDirectives(target)
	pkg.Handlers, pkg.HandlersPosition = said.Handlers, r.position(said.HandlersPos)
	pkg.Bind, pkg.BindPosition = said.Bind, r.position(said.BindPos)
	pkg.Client = said.Client
	if said.IsPack {
		pkg.Pack, pkg.PackNamespace, pkg.PackPosition = said.Pack, said.Namespace, r.position(said.NamespacePos)
	}
	if said.Docs.Dir != "" {
		pkg.DocsDir = filepath.Join(target.Dir, filepath.FromSlash(said.Docs.Dir))
		pkg.DocsPatterns, pkg.DocsPosition = said.Docs.Patterns, r.position(said.Docs.Pos)
	}
	for _, file := range files {
		// In the order of the source, since a type that several reach is reported with the path that led there first.
		for _, spec := range slices.SortedFunc(maps.Keys(file.Types), func(a, b *ast.TypeSpec) int { return int(a.Pos() - b.Pos()) }) {
			switch capability, good := r.resolveDeclaration(target, spec, file.Types[spec], said.Namespace); {
			case good && capability.Removed != "":
				pkg.Removed = append(pkg.Removed, capability)
			case good:
				pkg.Capabilities = append(pkg.Capabilities, capability)
			case capability != nil:
				pkg.Misdeclared = append(pkg.Misdeclared, capability)
			}
		}
	}
	for _, list := range [][]*model.Capability{pkg.Capabilities, pkg.Removed} {
		slices.SortFunc(list, func(a, b *model.Capability) int { return strings.Compare(a.ID.String(), b.ID.String()) })
	}
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
}

// collectImported notes the names that a file has from its imports.
func (r *resolver) collectImported(file *ast.File, target *source.Package, pkg *model.Package) {
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		i := slices.IndexFunc(target.Types.Imports(), func(p *types.Package) bool { return p.Path() == path })
		at := r.position(spec.Pos())
		switch {
		case spec.Name != nil && spec.Name.Name != ".":
			pkg.Imported[spec.Name.Name] = at
		case i < 0:
		case spec.Name == nil:
			pkg.Imported[target.Types.Imports()[i].Name()] = at
		default:
			for _, name := range target.Types.Imports()[i].Scope().Names() {
				if token.IsExported(name) {
					pkg.Imported[name] = at
				}
			}
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
