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

// File is one generated file, or one of somebody else's that has the name of one: that is as it must be.
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
// removed. The result is sorted by path, and holds all that [Candidates] finds in the folders. Files of somebody else's that are in
// the way go to the report.
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
		others, err := findOthers(folder, files, ours)
		if err != nil {
			return nil, err
		}
		plan = append(plan, others...)
	}
	slices.SortFunc(plan, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(plan, func(a, b File) bool { return a.Path == b.Path }), nil
}

// Candidates returns the files of a package's folder that may be generated ones, by their names.
func Candidates(folder string) ([]string, error) {
	direct, err := filepath.Glob(filepath.Join(globEscape(folder), "*_gen.go"))
	if err != nil {
		return nil, err
	}
	// No deeper: below that another package, in a folder named schemas, may have its own.
	contracts, err := filepath.Glob(filepath.Join(globEscape(folder), "schemas", "*", "*.json"))
	return append(direct, contracts...), err
}

// findOthers returns the candidates of a package's folder that nothing generates: orphans, and the files of somebody else.
func findOthers(folder string, files map[string][]byte, ours func(string, []byte) bool) ([]File, error) {
	candidates, err := Candidates(folder)
	if err != nil {
		return nil, err
	}
	var others []File
	for _, path := range candidates {
		if _, wanted := files[path]; wanted {
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		other := File{Path: path, Content: content, Before: content}
		if ours(path, content) {
			other.Content = nil
		}
		others = append(others, other)
	}
	return others, nil
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
