// Package output is the stage that compares what was rendered with what is on the disk, and writes it. No other stage writes.
package output

import (
	"bytes"
	"errors"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/capgen/capgen/gen/internal/diag"
)

// File is one generated file.
type File struct {
	// Path is absolute.
	Path string
	// Content is what the file must hold; nil means that it must not exist.
	Content []byte
	// Before is what it holds now; nil means that it does not exist.
	Before []byte
}

// Stale reports whether the file is not what it must be.
func (f File) Stale() bool {
	return (f.Content == nil) != (f.Before == nil) || !bytes.Equal(f.Content, f.Before)
}

// Compare reads what the disk holds. Files are by absolute path; folders are those whose other generated files are orphans, to be
// removed. The result is sorted by path. Files of somebody else's that are in the way go to the report.
func Compare(files map[string][]byte, folders []string, ours func(path string, content []byte) bool, report *diag.List) ([]File, error) {
	var plan []File
	for path, content := range files {
		before, err := os.ReadFile(path)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			report.Errorf(token.Position{Filename: path}, "what is here cannot be read, so it is not overwritten (%v): move or remove it", reason(err))
		case len(before) > 0 && !ours(path, before):
			report.Errorf(token.Position{Filename: path}, "capgen did not generate this file, so it is not overwritten: move or remove it")
		case err == nil && before == nil:
			before = []byte{}
		}
		plan = append(plan, File{Path: path, Content: content, Before: before})
	}
	for _, folder := range folders {
		orphans, err := findOrphans(folder, files, ours)
		if err != nil {
			return nil, err
		}
		plan = append(plan, orphans...)
	}
	slices.SortFunc(plan, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(plan, func(a, b File) bool { return a.Path == b.Path }), nil
}

// findOrphans returns the generated files of a package's folder that nothing generates any more.
func findOrphans(folder string, files map[string][]byte, ours func(string, []byte) bool) ([]File, error) {
	var candidates []string
	direct, err := filepath.Glob(filepath.Join(globEscape(folder), "*_gen.go"))
	if err != nil {
		return nil, err
	}
	candidates = append(candidates, direct...)
	// No deeper: below that another package, in a folder named schemas, may have its own.
	contracts, err := filepath.Glob(filepath.Join(globEscape(folder), "schemas", "*", "*.json"))
	if err != nil {
		return nil, err
	}
	candidates = append(candidates, contracts...)
	var orphans []File
	for _, path := range candidates {
		if _, wanted := files[path]; wanted {
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if ours(path, content) {
			orphans = append(orphans, File{Path: path, Before: content})
		}
	}
	return orphans, nil
}

// reason returns what is wrong with a file without its name.
func reason(err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// globEscape quotes what filepath.Glob would read as a pattern.
func globEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
