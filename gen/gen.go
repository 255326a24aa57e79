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
}

// Generate plans what the packages' generated files must hold. It writes nothing: see [Plan.Apply] and [Plan.Diff]. The error is
// an [Errors] when declarations are wrong, and the go command's when it cannot find or read the packages.
func Generate(ctx context.Context, config Config) (*Plan, error) {
	packages, program, report, err := read(ctx, config)
	if err != nil {
		return nil, err
	}
	// 5. Render each package's code and contracts.
	files := map[string][]byte{}
	for _, pkg := range packages {
		if err := render(pkg, files); err != nil {
			return nil, err
		}
	}
	// 6. Compare with what the disk holds.
	return newPlan(config, program, report, files, foldersOf(packages, program))
}

// read runs the stages up to a checked model.
func read(ctx context.Context, config Config) ([]*model.Package, *source.Program, *diag.List, error) {
	// 1. Load the packages' syntax and types, without compiling them.
	program, err := source.Load(ctx, source.Config{Dir: config.Dir, Patterns: config.Patterns, BuildFlags: config.BuildFlags})
	if err != nil {
		return nil, nil, nil, err
	}
	if config.Strict && len(program.Unmatched) > 0 {
		return nil, nil, nil, unmatched(program.Unmatched)
	}
	report := &program.Diagnostics

	// 2. Parse the directives, and 3. resolve the types they stand on.
	packages := resolve.Packages(program, report)

	// 4. Check names, constraints and defaults.
	check.Packages(packages, check.Options{Valid: validator(), Descriptions: !config.NoDescriptions}, report)
	if config.Strict && len(report.All()) > 0 || report.HasErrors() {
		return nil, nil, nil, newErrors(config, report)
	}
	return packages, program, report, nil
}
