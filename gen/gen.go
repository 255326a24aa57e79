// Package gen is the generator: it reads annotated Go packages and plans the files that go with them.
package gen

import (
	"context"

	"github.com/capgen/capgen/gen/internal/check"
	"github.com/capgen/capgen/gen/internal/diag"
	"github.com/capgen/capgen/gen/internal/model"
	"github.com/capgen/capgen/gen/internal/resolve"
	"github.com/capgen/capgen/gen/internal/source"
)

// Config says what to generate for.
type Config struct {
	// Dir is the folder that patterns and messages are relative to. Empty means the process's own.
	Dir string
	// Patterns name packages as the go command's do. None means the package in Dir.
	Patterns []string
	// BuildFlags go to the go command, such as -tags=lab. Nil means none.
	BuildFlags []string
	// Strict makes warnings errors, and patterns that match no package.
	Strict bool
	// NoDescriptions leaves out the warnings of fields without a description.
	NoDescriptions bool
	// Cache is a folder for records of clean runs. A [Generate] that finds everything as the run on record left it ends after listing the
	// packages, with a plan that is empty; [Plan.Apply] puts a run on record. The folder is made when it is needed, and may be shared by
	// any number of configurations and processes. Empty means that there are no records, and every run does all the work.
	Cache string
}

// Generate plans what the packages' generated files must hold. It writes nothing: see [Plan.Apply] and [Plan.Diff]. The error is
// an [Errors] when declarations are wrong, and the go command's when it cannot find or read the packages.
func Generate(ctx context.Context, config Config) (*Plan, error) {
	// 1. List the packages. Where everything is as the run on record left it, that is all.
	last := recall(config)
	listing, err := source.List(ctx, config.source(last.imports()))
	if err != nil {
		return nil, err
	}
	defer listing.Close()
	if last.unchanged(ctx, listing) {
		return emptyPlan(config)
	}
	// 2. Load the packages' syntax and types, without compiling them.
	program, err := listing.Load(ctx)
	if err != nil {
		return nil, err
	}
	packages, report, err := read(config, program)
	if err != nil {
		return nil, err
	}
	// 6. Render each package's code and contracts, and its reference where it asks for one.
	files := map[string][]byte{}
	for _, pkg := range packages {
		if err := render(pkg, last, files); err != nil {
			return nil, err
		}
	}
	if err := renderDocs(ctx, config, packages, report, files); err != nil {
		return nil, err
	}
	// 7. Compare with what the disk holds.
	folders := foldersOf(packages, program)
	plan, err := newPlan(config, program, report, files, folders)
	if err != nil {
		return nil, err
	}
	if !documentOthers(packages) {
		plan.applied = last.remember(program, folders, plan)
	}
	return plan, nil
}

// source is the part of the configuration that says what to load. Imports are those whose export data the run is expected to need.
func (c Config) source(imports []string) source.Config {
	return source.Config{Dir: c.Dir, Patterns: c.Patterns, BuildFlags: c.BuildFlags, Imports: imports}
}

// read runs the stages from a program to a checked model.
func read(config Config, program *source.Program) ([]*model.Package, *diag.List, error) {
	if config.Strict && len(program.Unmatched) > 0 {
		return nil, nil, unmatched(program.Unmatched)
	}
	report := &program.Diagnostics

	// 3. Parse the directives, and 4. resolve the types they stand on.
	packages := resolve.Packages(program, report)

	// 5. Check names, constraints and defaults.
	check.Packages(packages, check.Options{Valid: validator(), Descriptions: !config.NoDescriptions}, report)
	if config.Strict && len(report.All()) > 0 || report.HasErrors() {
		return nil, nil, newErrors(config, report)
	}
	return packages, report, nil
}
