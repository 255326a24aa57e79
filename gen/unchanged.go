package gen

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/capgen/capgen/gen/internal/emit"
	"github.com/capgen/capgen/gen/internal/output"
	"github.com/capgen/capgen/gen/internal/record"
	"github.com/capgen/capgen/gen/internal/source"
)

// memory is a configuration's run on record. Nil is the memory of a configuration that wants no record.
type memory struct {
	store *record.Store
	last  *record.Run // nil: there is none
	parts map[string]map[string]record.Span
}

// recall opens the record of a configuration.
func recall(config Config) *memory {
	dir, err := filepath.Abs(config.Dir)
	if config.Cache == "" || err != nil {
		return nil
	}
	store := record.Open(config.Cache, keyOf(config, dir)...)
	return &memory{store: store, last: store.Last(), parts: map[string]map[string]record.Span{}}
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

// formatted returns the parts of a generated file that this program formatted in the last run, if the file is still as that left it.
func (m *memory) formatted(path string) emit.Formatted {
	if m == nil || m.last == nil || len(m.last.Parts[path]) == 0 || m.last.Program != record.Program() {
		return nil
	}
	text := record.Read(path, m.last.Outputs[path])
	known := make(emit.Formatted, len(m.last.Parts[path]))
	for digest, span := range m.last.Parts[path] {
		if 0 <= span.Offset && 0 < span.Length && span.Length <= len(text)-span.Offset {
			known[digest] = text[span.Offset : span.Offset+span.Length]
		}
	}
	return known
}

// format notes where the parts of a generated file are.
func (m *memory) format(path string, parts map[string]emit.Span) {
	if m == nil {
		return
	}
	m.parts[path] = make(map[string]record.Span, len(parts))
	for digest, span := range parts {
		m.parts[path][digest] = record.Span(span)
	}
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
				Program: name, Listing: in.Listing, Exports: in.Exports, Inputs: in.Files, Folders: folders, Outputs: outputs, Parts: m.parts,
			})
		}
	}
}
