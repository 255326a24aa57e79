package source

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/capgen/capgen/gen/internal/diag"
)

// checker type-checks the packages of a program.
type checker struct {
	program *Program
	exports exports
	known   map[string]*types.Package // read from export data
	sizes   types.Sizes
	follow  []diag.Diagnostic // errors that are there only because of others
	partial bool              // a package's stub lacks a method
}

func newChecker(p *Program, config Config, exports exports) *checker {
	return &checker{
		program: p,
		exports: exports,
		known:   make(map[string]*types.Package),
		sizes:   types.SizesFor("gc", goarch(config.Env)),
	}
}

// check checks the packages, which come imports first, and reports what is wrong with them.
func (c *checker) check(packages []*listed) {
	imported := make(map[string]bool)
	for _, l := range packages {
		for _, path := range l.Imports {
			imported[path] = true
		}
	}
	for _, l := range packages {
		pkg := c.program.fromSrc[l.ImportPath]
		pkg.broken = c.exports.broken(l.ImportPath)
		if !pkg.invalid {
			c.report(c.checkPackage(pkg, imported[l.ImportPath]))
		}
	}
	// What only the go command objects to, such as the import of another module's internal package. It says the rest, too,
	// and tells of tests, which are none of our business.
	if !c.program.Diagnostics.HasErrors() {
		for _, l := range packages {
			if at, ok := l.errorPosition(); ok {
				c.program.Diagnostics.Errorf(at, "%s", oneLine(l.Error.Err))
			}
		}
	}
	if !c.program.Diagnostics.HasErrors() {
		c.program.Diagnostics.Add(c.follow...)
	}
}

// checkPackage type-checks one package and returns its errors. Its own declarations never depend on what we generate; but
// others may, and then it is checked a second time together with a stub of that.
func (c *checker) checkPackage(pkg *Package, imported bool) []types.Error {
	found := c.checkFiles(pkg, pkg.Files)
	if len(found) == 0 && !imported {
		return nil
	}
	stub := newStub(pkg)
	c.partial = c.partial || stub.partial
	if stub.empty() {
		return found
	}
	pkg.stub = stub.parse(c.program.Fset)
	found = c.checkFiles(pkg, append(slices.Clip(pkg.Files), pkg.stub))
	return slices.DeleteFunc(found, func(err types.Error) bool { return pkg.inStub(err.Pos) })
}

// checkFiles type-checks files as the package.
func (c *checker) checkFiles(pkg *Package, files []*ast.File) []types.Error {
	var found []types.Error
	imports := &importer{checker: c, listed: pkg.listed, failed: make(map[string]error)}
	config := types.Config{
		GoVersion:        goVersion(pkg.listed.Module),
		IgnoreFuncBodies: !pkg.broken,
		FakeImportC:      true,
		Importer:         imports,
		Sizes:            c.sizes,
		Error: func(err error) {
			var e types.Error
			if errors.As(err, &e) && imports.explain(&e) {
				found = append(found, e)
			}
		},
	}
	pkg.Info = &types.Info{
		Defs:       make(map[*ast.Ident]types.Object),
		Uses:       make(map[*ast.Ident]types.Object),
		Types:      make(map[ast.Expr]types.TypeAndValue),
		Selections: make(map[*ast.SelectorExpr]*types.Selection),
		Instances:  make(map[*ast.Ident]types.Instance),
	}
	pkg.Types, _ = config.Check(pkg.Path, c.program.Fset, files, pkg.Info)
	return found
}

// report turns type errors into diagnostics. A further place of the same error, which go/types reports by itself, is told in
// one line with it.
func (c *checker) report(found []types.Error) {
	var diagnostics []diag.Diagnostic
	for _, err := range found {
		at := c.program.Fset.Position(err.Pos)
		if more, ok := strings.CutPrefix(err.Msg, "\t"); ok && len(diagnostics) > 0 {
			last := &diagnostics[len(diagnostics)-1]
			at.Filename = filepath.Base(at.Filename)
			last.Message += fmt.Sprintf(" (%s at %s)", more, at)
			continue
		}
		diagnostics = append(diagnostics, diag.Diagnostic{Position: at, Message: oneLine(err.Msg)})
	}
	for _, d := range diagnostics {
		if c.partial && aboutOutput(d.Message) {
			c.follow = append(c.follow, d)
			continue
		}
		c.program.Diagnostics.Add(d)
	}
}

// errReported says that a package can't be imported for a reason that is reported where it arises.
var errReported = errors.New("reported")

// importer resolves the imports of one package.
type importer struct {
	*checker
	listed *listed
	failed map[string]error // by import path as written
}

// Import implements [types.Importer].
func (i *importer) Import(path string) (*types.Package, error) {
	pkg, err := i.resolve(cmp.Or(i.listed.ImportMap[path], path))
	if err != nil {
		i.failed[path] = err
	}
	return pkg, err
}

func (i *importer) resolve(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if pkg := i.program.fromSrc[path]; pkg != nil {
		switch {
		case pkg.invalid:
			return nil, errReported
		case pkg.Types == nil: // its turn comes later
			return nil, errors.New("import cycle not allowed")
		}
		return pkg.Types, nil
	}
	if l := i.program.listing.byPath[path]; l != nil && l.Error != nil && i.exports[path] == "" {
		return nil, errors.New(l.Error.Err)
	}
	return i.exports.read(i.program.Fset, i.known, path)
}

// explain makes an import error say what the go command says of it, and reports whether it is worth reporting.
func (i *importer) explain(err *types.Error) bool {
	rest, ok := strings.CutPrefix(err.Msg, "could not import ")
	if !ok {
		return true
	}
	path, _, _ := strings.Cut(rest, " (")
	reason := i.failed[path]
	if reason != nil {
		err.Msg = reason.Error()
	}
	return reason != errReported
}

// errorPosition returns where in the package's files the go command sees an error, if it does. It gives file:line:col, and of
// the file, relative to its own directory or not, only the base is sure to be ours.
func (l *listed) errorPosition() (token.Position, bool) {
	if l.Error == nil {
		return token.Position{}, false
	}
	parts := strings.Split(filepath.Base(l.Error.Pos), ":")
	if len(parts) != 3 || !slices.Contains(slices.Concat(l.GoFiles, l.CgoFiles), parts[0]) {
		return token.Position{}, false
	}
	line, _ := strconv.Atoi(parts[1])
	column, _ := strconv.Atoi(parts[2])
	return token.Position{Filename: filepath.Join(l.Dir, parts[0]), Line: line, Column: column}, true
}

func goVersion(m *module) string {
	if m == nil || m.GoVersion == "" {
		return ""
	}
	return "go" + m.GoVersion
}

// goarch returns the architecture that the go command builds for.
func goarch(env []string) string {
	if env == nil {
		env = os.Environ()
	}
	arch := runtime.GOARCH
	for _, entry := range env { // the last one counts
		if value, ok := strings.CutPrefix(entry, "GOARCH="); ok && value != "" {
			arch = value
		}
	}
	return arch
}
