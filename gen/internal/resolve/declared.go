package resolve

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/capgen/capgen/gen/internal/directive"
	"github.com/capgen/capgen/gen/internal/source"
)

// declaredSchema is a schema that somebody wrote for a type that encodes itself.
type declaredSchema struct {
	text string
	// jsonType is the one type that it names, or "".
	jsonType string
	// null says that it admits null.
	null bool
	// doubts are what to warn of, each a predicate of the file.
	doubts []string
	// broken says that something is wrong with it, which is reported, and there is no more to it.
	broken bool

	// pkg is the package whose clause declares it, if one does, and typePos where it names the type.
	pkg     *source.Package
	typePos token.Pos
	used    bool
}

// collectSchemas reads the schemas that package clauses declare for types of other packages.
func (r *resolver) collectSchemas(pkg *source.Package, schemas []directive.Schema) {
	for _, s := range schemas {
		read := r.readSchema(pkg, s)
		other := r.schemas[s.Type]
		if read.broken && other != nil {
			continue
		}
		if other != nil && !other.broken && other.text != read.text {
			r.report.Errorf(r.position(s.TypePos), "%s has another schema already, in %s: a type has one JSON form, so declare one", s.Type, r.beside(other, pkg))
			continue
		}
		read.pkg, read.typePos = pkg, s.TypePos
		r.schemas[s.Type] = read
	}
}

// beside says where a schema is declared, seen from a package.
func (r *resolver) beside(s *declaredSchema, pkg *source.Package) string {
	at := r.position(s.typePos)
	at.Filename = filepath.Base(at.Filename)
	if s.pkg != pkg {
		return s.pkg.Path + " (" + at.String() + ")"
	}
	return at.String()
}

// schemaFor returns the schema that is declared for a type, on itself or elsewhere, or nil.
func (r *resolver) schemaFor(named *types.Named) *declaredSchema {
	s, spec := r.declared(named.Obj())
	declared := r.schemaOn(s, spec)
	if declared == nil {
		declared = r.schemas[types.TypeString(named, nil)]
	}
	if declared != nil {
		declared.used = true
	}
	return declared
}

// schemaOn returns the schema that a type's own //capgen:schema file= declares, or nil.
func (r *resolver) schemaOn(s syntax, spec *ast.TypeSpec) *declaredSchema {
	if spec == nil || !s.pkg.Main {
		return nil
	}
	d := directiveNamed(r.directivesOf(s.pkg, spec), "schema")
	if d == nil {
		return nil
	}
	said, ok := directive.ParseSchema(*d, r.position, r.report)
	if !ok {
		return nil
	}
	return r.readSchema(s.pkg, said)
}

// readSchema reads, compiles and checks a schema's file. The result is broken after a diagnostic.
func (r *resolver) readSchema(pkg *source.Package, s directive.Schema) *declaredSchema {
	at, broken := r.position(s.FilePos), &declaredSchema{broken: true}
	if !filepath.IsLocal(filepath.FromSlash(s.File)) {
		r.report.Errorf(at, "the schema's file %s is not below the package's folder: move it there", s.File)
		return broken
	}
	text, err := r.program.ReadFile(filepath.Join(pkg.Dir, filepath.FromSlash(s.File)))
	if err != nil {
		r.report.Errorf(at, "the schema's file %s cannot be read: %v", s.File, errors.Unwrap(err))
		return broken
	}
	read, faults := parseSchema(text)
	for _, fault := range faults {
		r.report.Errorf(at, "%s %s", s.File, strings.ReplaceAll(fault.Error(), "\n", `\n`))
	}
	if len(faults) > 0 {
		return broken
	}
	for _, doubt := range read.doubts {
		r.report.Warnf(at, "%s %s", s.File, strings.ReplaceAll(doubt, "\n", `\n`))
	}
	return read
}

// reportUnused tells of schemas that no type asked for: the type's name is wrong, or nothing leads to it. Packages that only declare
// schemas do that for others, which need not be among those at hand.
func (r *resolver) reportUnused(declaring map[*source.Package]bool) {
	for _, name := range slices.Sorted(maps.Keys(r.schemas)) {
		s := r.schemas[name]
		if s.used {
			continue
		}
		at := r.position(s.typePos)
		plain, _, _ := strings.Cut(name, "[")
		path, typeName := "", plain
		if i := strings.LastIndexByte(plain, '.'); i > strings.LastIndexByte(plain, '/') {
			path, typeName = plain[:i], plain[i+1:]
		}
		pkg := r.program.Syntax(path)
		specs := typeSpecsOf(pkg)
		spec := specs[typeName]
		switch {
		case path == "":
			r.report.Errorf(at, "type= %s has no import path: write one, as in time.Time", name)
		case pkg == nil && declaring[s.pkg]:
			r.report.Warnf(at, "no capability here leads to the package %s, so its schema is for nothing: remove it, or correct the import path", path)
		case pkg == nil:
		case spec == nil:
			instead := directive.Nearest(typeName, slices.Sorted(maps.Keys(specs)))
			if instead != "" {
				instead = ": did you mean " + path + "." + instead + "?"
			}
			r.report.Errorf(at, "package %s has no type %s%s", path, typeName, instead)
		case spec.Assign.IsValid():
			r.report.Errorf(at, "%s is an alias: name the type that it stands for", name)
		case declaring[s.pkg]:
			r.report.Warnf(at, "no capability here leads to %s, so its schema is for nothing: remove it", name)
		}
	}
}

// typeSpecsOf returns a package's type declarations by name.
func typeSpecsOf(pkg *source.Package) map[string]*ast.TypeSpec {
	specs := map[string]*ast.TypeSpec{}
	if pkg == nil {
		return specs
	}
	for _, file := range pkg.Files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.GenDecl); ok && decl.Tok == token.TYPE {
				for _, spec := range decl.Specs {
					specs[spec.(*ast.TypeSpec).Name.Name] = spec.(*ast.TypeSpec)
				}
			}
		}
	}
	return specs
}
