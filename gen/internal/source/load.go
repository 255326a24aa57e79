// Package source is the generator's Load stage: it reads Go packages without compiling the packages at hand.
//
// What capgen generates belongs to the packages it reads, so those can't be expected to compile, nor can what imports them:
// they are parsed and type-checked here, in one process, imports first. Everything else is read as export data, which the
// go command has in its build cache. Function bodies are never looked at: no declaration depends on them, and a handler
// that doesn't compile yet, because its declaration has just changed, is no reason to refuse to generate.
package source

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"sync"

	"github.com/capgen/capgen/gen/internal/diag"
)

// Config says what to load.
type Config struct {
	// Dir is the working directory of the go command; patterns are relative to it. Empty means the process's own.
	Dir string
	// Patterns are package patterns as the go command knows them. None means the package in Dir.
	Patterns []string
	// BuildFlags are passed to the go command, such as -tags=lab.
	BuildFlags []string
	// Env is the go command's environment. Nil means the process's own.
	Env []string
	// Imports are packages whose export data is expected to be needed, so that it is asked for early. They may be wrong.
	Imports []string
}

// Program is what was loaded. It is not safe for concurrent use.
type Program struct {
	// Fset resolves every position of every file and object here. File names are absolute.
	Fset *token.FileSet
	// ModulePath and ModuleDir describe the main module, the one that holds the packages that the patterns match.
	ModulePath, ModuleDir string
	// Targets are the matched packages that hold a capgen directive or something near one, and those of the main module that may
	// hold the marker of a capability instead, imports first.
	Targets []*Package
	// Orphans are the directories of matched packages that hold our output, or a folder schemas, and no directive, sorted.
	Orphans []string
	// Unmatched are the patterns that match no package.
	Unmatched []string
	// Diagnostics holds what is wrong in the packages themselves: what doesn't parse, resolve or type-check.
	Diagnostics diag.List

	listing *Listing
	exports exports             // what was read from export data
	schemas map[string]string   // digests of the files that ReadFile read, by path
	fromSrc map[string]*Package // type-checked from source, by import path
	syntax  map[string]*Package // parsed, by import path; nil for what can't be
	specs   map[string]typeSpecs
}

// Package is one package of a [Program].
type Package struct {
	Path, Name, Dir string
	// Main reports whether the package is the main module's, or a workspace's, and so ours to write into.
	Main bool
	// Files are the files of the build context, sorted by name, with comments. Tests and our own output are left out.
	Files []*ast.File
	// Types and Info are nil when the package was only parsed. Function bodies have no entries.
	Types *types.Package
	Info  *types.Info

	listed  *listed
	invalid bool      // it has syntax errors, which are reported
	broken  bool      // it has no export data because it doesn't compile by itself
	stub    *ast.File // declares what our output will, if somebody refers to it
}

// Load loads the packages that match the patterns, as far as the generator needs them. The error is the go command's: no
// module, no such package. What is wrong inside the packages is in [Program.Diagnostics].
func Load(ctx context.Context, config Config) (*Program, error) {
	// 1. The packages, their files and their imports; and at the same time export data, by a guess at step 3.
	listing, err := List(ctx, config)
	if err != nil {
		return nil, err
	}
	defer listing.Close()
	return listing.Load(ctx)
}

// Load is what [Load] does after [List]. It may be called once.
func (l *Listing) Load(ctx context.Context) (*Program, error) {
	p := &Program{
		Fset:      token.NewFileSet(),
		Orphans:   l.orphans(),
		Unmatched: l.unmatched,
		listing:   l,
		schemas:   make(map[string]string),
		fromSrc:   make(map[string]*Package),
		syntax:    make(map[string]*Package),
		specs:     make(map[string]typeSpecs),
	}
	p.ModulePath, p.ModuleDir = l.mainModule(l.config.Dir)

	// 2. Which of them must be read from source, and which imports that leaves.
	plan := split(l)

	// 3. Export data of those imports, while the sources are parsed.
	var parsing sync.WaitGroup
	parsing.Go(func() { p.parse(plan.source) })
	exports, err := l.guessed.complete(ctx, l.config, plan.imports())
	parsing.Wait()
	if err != nil {
		return nil, err
	}

	// 4. An import that doesn't compile has none: read it from source too, and say what is wrong with it.
	if exports.incomplete(plan.imports()) {
		if exports, err = exportDataOfAll(ctx, l.config, plan.imports()); err != nil {
			return nil, err
		}
		p.parse(plan.addBroken(exports))
	}

	// 5. Types, imports first.
	p.exports = exports
	newChecker(p, l.config, exports).check(plan.source)
	p.Targets = p.targets(plan)
	return p, nil
}

// targets picks the matched packages that do hold a directive, of which the plan only knows which may, or may hold a marker.
func (p *Program) targets(plan *plan) []*Package {
	var targets []*Package
	for _, l := range plan.source {
		if pkg := p.fromSrc[l.ImportPath]; !l.DepOnly && pkg != nil && (l.marked || pkg.holdsDirective()) {
			targets = append(targets, pkg)
		}
	}
	return targets
}

// mainModule returns the path and directory of the main module; in a workspace, of the module that dir is in.
func (l *Listing) mainModule(dir string) (path, moduleDir string) {
	dir, _ = filepath.Abs(dir)
	for _, pkg := range l.packages {
		if m := pkg.Module; m != nil && m.Main && (path == "" || within(m.Dir, dir) && len(m.Dir) > len(moduleDir)) {
			path, moduleDir = m.Path, m.Dir
		}
	}
	return path, moduleDir
}

// within reports whether dir is parent or lies below it.
func within(parent, dir string) bool {
	return dir == parent || strings.HasPrefix(dir, strings.TrimSuffix(parent, string(filepath.Separator))+string(filepath.Separator))
}
