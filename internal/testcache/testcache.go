// Package testcache keeps go test from answering out of its cache for tests that depend on more than their own binary. The cache
// knows what a test imports and what it opens, and not what the commands read that it runs.
package testcache

import (
	"io/fs"
	"path/filepath"
	"testing"
)

// DependOn makes the calling test's result depend on every file in a folder of this module, so that a change of one runs the test
// anew. It opens the folders, which is what the go command takes note of: names, sizes and times of what they hold.
func DependOn(t testing.TB, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && path != folder && passesOver(entry.Name()) {
			return filepath.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// passesOver says which folders hold no source of ours: those of tools, and what is built or installed.
func passesOver(name string) bool {
	return name[0] == '.' || name == "bin" || name == "node_modules"
}
