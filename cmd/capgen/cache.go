package main

import (
	"os"
	"path/filepath"
)

// cacheFolder returns the folder in which generate keeps records of its runs, or "" where there shall be none.
func cacheFolder() (string, error) {
	switch folder := os.Getenv("CAPGEN_CACHE"); {
	case folder == "off":
		return "", nil
	case folder == "":
		user, err := os.UserCacheDir()
		if err != nil {
			return "", nil // a record saves time only
		}
		return filepath.Join(user, "capgen"), nil
	case filepath.IsAbs(folder):
		return folder, nil
	default:
		// Taken as relative, it would be another folder for every package that go generate runs in, and among its source files.
		return "", usagef("CAPGEN_CACHE is %q, which is no absolute path: write one, or off", folder)
	}
}
