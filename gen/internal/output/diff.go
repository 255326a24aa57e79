package output

import (
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff returns a unified diff from what the disk holds to what it must hold, file names relative to dir. It is empty when
// nothing is stale.
func Diff(files []File, dir string) []byte {
	var out []byte
	for _, f := range files {
		if !f.Stale() {
			continue
		}
		name := f.Path
		if relative, err := filepath.Rel(dir, f.Path); err == nil {
			name = filepath.ToSlash(relative)
		}
		before, after := name, name
		if f.Before == nil {
			before = "/dev/null"
		}
		if f.Content == nil {
			after = "/dev/null"
		}
		out = append(out, diff.Diff(before, f.Before, after, f.Content)...)
	}
	return out
}
