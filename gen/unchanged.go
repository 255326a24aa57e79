package gen

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/capgen/capgen/gen/internal/output"
	"github.com/capgen/capgen/gen/internal/record"
	"github.com/capgen/capgen/gen/internal/source"
)

// memory is a configuration's run on record. Nil is the memory of a configuration that wants no record.
type memory struct {
	store *record.Store
	last  *record.Run // nil: there is none
}

// recall opens the record of a configuration.
func recall(config Config) *memory {
	dir, err := filepath.Abs(config.Dir)
	if config.Cache == "" || err != nil {
		return nil
	}
	store := record.Open(config.Cache, keyOf(config, dir)...)
	return &memory{store: store, last: store.Last()}
}

// keyOf names a configuration by what a run depends on and is in no file.
func keyOf(config Config, dir string) []string {
	key := []string{dir, fmt.Sprintf("%q %q %t %t", config.Patterns, config.BuildFlags, config.Strict, config.NoDescriptions)}
	for _, variable := range slices.Sorted(slices.Values(os.Environ())) {
		if strings.HasPrefix(variable, "GO") || strings.HasPrefix(variable, "CGO_") {
			key = append(key, variable)
		}
	}
	return key
}

// imports returns what the last run needed export data of.
func (m *memory) imports() []string {
	if m == nil || m.last == nil {
		return nil
	}
	return slices.Collect(maps.Keys(m.last.Exports))
}

// unchanged reports whether everything is as the last run left it. No comparison is there for speed alone: each sees a change that
// the others do not.
func (m *memory) unchanged(ctx context.Context, listing *source.Listing) bool {
	if m == nil || m.last == nil {
		return false
	}
	same := m.last.Program == record.Program() &&
		m.last.Listing == listing.Digest() &&
		record.Same(m.last.Inputs) &&
		record.Same(m.last.Outputs) &&
		!m.joined() &&
		maps.Equal(m.last.Exports, listing.Exports(ctx, m.imports()))
	if same {
		m.store.Used()
	}
	return same
}

// joined reports whether a file has come into the folders that may be a generated one.
func (m *memory) joined() bool {
	for _, folder := range m.last.Folders {
		candidates, err := output.Candidates(folder)
		if err != nil || slices.ContainsFunc(candidates, func(path string) bool { return m.last.Outputs[path] == "" }) {
			return true
		}
	}
	return false
}

// remember returns what puts a run on record once its plan has been applied; nil for a run that is not to be remembered.
func (m *memory) remember(program *source.Program, folders []string, plan *Plan) func() {
	if m == nil || len(plan.Warnings) > 0 || len(plan.Unmatched) > 0 {
		return nil
	}
	in, ok := program.Inputs()
	if !ok {
		return nil
	}
	return func() {
		// These are the contents that the plan knows of. What the disk holds by now may be somebody else's work since.
		outputs := make(map[string]string, len(plan.files))
		for _, f := range plan.files {
			if f.Content != nil {
				outputs[f.Path] = record.Digest(f.Content)
			}
		}
		if name := record.Program(); name != "" {
			m.store.Save(&record.Run{
				Program: name, Listing: in.Listing, Exports: in.Exports, Inputs: in.Files, Folders: folders, Outputs: outputs,
			})
		}
	}
}
