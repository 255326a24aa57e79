package output

import (
	"fmt"
	"os"
	"path/filepath"
)

// Apply makes the disk hold what the files say. A file that is what it must be is not touched; another is written beside its place
// and then renamed into it, so that no reader sees half of one.
func Apply(files []File) error {
	for _, f := range files {
		if !f.Stale() {
			continue
		}
		if f.Content == nil {
			if err := remove(f.Path); err != nil {
				return err
			}
			continue
		}
		if err := replace(f.Path, f.Content); err != nil {
			return fmt.Errorf("cannot write %s: %w", f.Path, err)
		}
	}
	return nil
}

func replace(path string, content []byte) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	// The name begins with a dot, so that the go command does not look at what a killed run leaves behind.
	temporary, err := os.CreateTemp(folder, ".capgen-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // fails once it was renamed, as it should
	_, err = temporary.Write(content)
	if closeErr := temporary.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Chmod(temporary.Name(), mode(path))
	}
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}

// mode returns the permissions of the file that is replaced, or those of a new one.
func mode(path string) os.FileMode {
	if info, err := os.Stat(path); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}

// remove deletes an orphan, and the schema folders that it leaves empty.
func remove(path string) error {
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("cannot remove %s, which nothing generates any more: %w", path, err)
	}
	for folder := filepath.Dir(path); filepath.Base(folder) == "schemas" || filepath.Base(filepath.Dir(folder)) == "schemas"; folder = filepath.Dir(folder) {
		if os.Remove(folder) != nil {
			break // not empty
		}
	}
	return nil
}
