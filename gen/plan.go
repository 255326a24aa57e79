package gen

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/capgen/capgen/gen/internal/diag"
	"github.com/capgen/capgen/gen/internal/output"
	"github.com/capgen/capgen/gen/internal/source"
)

// Plan is what the generated files must hold, compared with what they hold. A plan is made by [Generate].
type Plan struct {
	// Warnings are findings that stop nothing, each as one line.
	Warnings []string
	// Unmatched are the patterns that match no package.
	Unmatched []string

	dir     string
	files   []output.File
	applied func() // what to do once it has been applied; nil means nothing
}

// emptyPlan is the plan where nothing is to be done.
func emptyPlan(config Config) (*Plan, error) {
	dir, err := filepath.Abs(config.Dir)
	return &Plan{dir: dir}, err
}

func newPlan(config Config, program *source.Program, report *diag.List, files map[string][]byte, folders []string) (*Plan, error) {
	dir, err := filepath.Abs(config.Dir)
	if err != nil {
		return nil, err
	}
	compared, err := output.Compare(files, folders, ours, report)
	if err != nil {
		return nil, err
	}
	if report.HasErrors() {
		return nil, newErrors(config, report)
	}
	return &Plan{Warnings: lines(dir, report), Unmatched: program.Unmatched, dir: dir, files: compared}, nil
}

// Apply writes every file that is not what it must be, and removes generated files that nothing generates any more. Files that
// are current are not touched.
func (p *Plan) Apply() error {
	if err := output.Apply(p.files); err != nil {
		return err
	}
	if p.applied != nil {
		p.applied()
	}
	return nil
}

// Diff returns a unified diff from what the files hold to what they must hold, with names relative to the folder of the
// configuration. It is empty when everything is current.
func (p *Plan) Diff() []byte { return output.Diff(p.files, p.dir) }

// Stale returns the names of the files that Apply would write or remove, relative to the folder of the configuration.
func (p *Plan) Stale() []string {
	var names []string
	for _, f := range p.files {
		if f.Stale() {
			name, err := filepath.Rel(p.dir, f.Path)
			if err != nil {
				name = f.Path
			}
			names = append(names, filepath.ToSlash(name))
		}
	}
	return names
}

// Errors are the findings that stop the generator, and the warnings beside them, in the order of their positions.
type Errors struct {
	// Lines are the findings, each as file:line:col: message.
	Lines []string
}

// Error returns the findings, one a line.
func (e *Errors) Error() string { return strings.Join(e.Lines, "\n") }

func newErrors(config Config, report *diag.List) error {
	dir, err := filepath.Abs(config.Dir)
	if err != nil {
		return err
	}
	return &Errors{Lines: lines(dir, report)}
}

// unmatched is the error of patterns that match no package.
func unmatched(patterns []string) error {
	errs := make([]error, len(patterns))
	for i, pattern := range patterns {
		errs[i] = fmt.Errorf("%q matched no packages", pattern)
	}
	return errors.Join(errs...)
}

func lines(dir string, report *diag.List) []string {
	var all []string
	for _, d := range report.All() {
		all = append(all, d.Format(dir))
	}
	return all
}
