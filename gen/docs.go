package gen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/capgen/capgen/gen/internal/diag"
	"github.com/capgen/capgen/gen/internal/docs"
	"github.com/capgen/capgen/gen/internal/model"
	"github.com/capgen/capgen/gen/internal/schema"
	"github.com/capgen/capgen/gen/internal/source"
)

// Docs plans the reference of all capabilities that packages declare, as capabilities.md and capabilities.html in a folder, which is
// relative to that of the configuration. It needs no generated file, and has no use for records. It is an error when packages declare no capability;
// the others are those of [Generate].
func Docs(ctx context.Context, config Config, dir string) (*Plan, error) {
	program, err := source.Load(ctx, config.source(nil))
	if err != nil {
		return nil, err
	}
	packages, report, err := read(config, program)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(config.Dir, dir)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if err := renderPage(dir, packages, files); err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(config.Patterns, " "), err)
	}
	return newPlan(config, program, report, files, nil)
}

// renderDocs adds the references that packages ask for.
func renderDocs(ctx context.Context, config Config, packages []*model.Package, report *diag.List, files map[string][]byte) error {
	for _, pkg := range packages {
		if pkg.DocsDir == "" {
			continue
		}
		documented := []*model.Package{pkg}
		if len(pkg.DocsPatterns) > 0 {
			var err error
			if documented, err = readOthers(ctx, config, pkg); err != nil {
				return err
			}
		}
		if _, taken := files[filepath.Join(pkg.DocsDir, docs.HTMLName)]; taken {
			report.Errorf(pkg.DocsPosition, "another package writes its reference there too: choose another folder, or name both in packages= of one of them")
			continue
		}
		if err := renderPage(pkg.DocsDir, documented, files); err != nil {
			report.Errorf(pkg.DocsPosition, "%v", err)
		}
	}
	return nil
}

// readOthers reads the packages that a package's reference is of. What there is to warn of in them is told where they are generated.
func readOthers(ctx context.Context, config Config, pkg *model.Package) ([]*model.Package, error) {
	others := config.source(nil)
	others.Dir, others.Patterns = pkg.Dir, pkg.DocsPatterns
	program, err := source.Load(ctx, others)
	if err != nil {
		return nil, err
	}
	config.Strict, config.NoDescriptions = false, true
	packages, _, err := read(config, program)
	return packages, err
}

// documentOthers reports whether a package has a reference of others. What is read for that is not in the program, so that no record can tell
// whether it has changed.
func documentOthers(packages []*model.Package) bool {
	return slices.ContainsFunc(packages, func(pkg *model.Package) bool { return pkg.DocsDir != "" && len(pkg.DocsPatterns) > 0 })
}

var errNothing = errors.New("there is no capability to document: name packages that declare one")

func renderPage(dir string, packages []*model.Package, files map[string][]byte) error {
	var capabilities []*model.Capability
	for _, pkg := range packages {
		capabilities = append(capabilities, slices.Concat(pkg.Capabilities, pkg.Removed)...)
	}
	if len(capabilities) == 0 {
		return errNothing
	}
	pages, err := docs.Files(capabilities, allows)
	for name, text := range pages {
		files[filepath.Join(dir, name)] = text
	}
	return err
}

// allows reports whether a JSON text is a value of a type.
func allows(t *model.Type, input bool, text string) bool {
	direction := schema.Output
	if input {
		direction = schema.Input
	}
	compiled := compile(string(schema.Of(t, direction).Compact()))
	var value any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return compiled != nil && d.Decode(&value) == nil && compiled.Validate(value) == nil
}
