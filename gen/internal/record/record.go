// Package record remembers clean runs of the generator, so that one that finds everything as an earlier one left it can end there.
//
// For a package of a thousand structs all but the listing is then saved, and most runs change nothing: go generate ./... runs in every
// package after an edit in one. What is remembered is what the run depended on and what it left, as digests of contents. Times of change
// are not looked at, since a checkout, a copy or an unpacked archive sets them as it likes.
//
// A record is never a reason to fail. What cannot be read, or is not what this program wrote, is no record; what cannot be written is
// not written.
package record

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Run is a run that had nothing to complain of. Digests are the SHA-256 in hex of contents, and "" for a file that cannot be read.
type Run struct {
	// Program names the program that ran; see [Program].
	Program string
	// Listing and Exports are what the go command said: a digest, and names of contents by import path.
	Listing string
	Exports map[string]string
	// Inputs are the digests of the files that were read, by absolute path.
	Inputs map[string]string
	// Folders are those that the run answers for, and Outputs the digests of every file in them that may be a generated one.
	Folders []string
	Outputs map[string]string
	// Parts tell where in an output is what was formatted, by the digest of what it was before.
	Parts map[string]map[string]Span
}

// Span is a part of a text, in bytes.
type Span struct{ Offset, Length int }

// Store keeps the last run of one configuration.
type Store struct {
	path string
}

// Open returns the store of a configuration, which is named by the key, in a folder. The folder need not exist.
func Open(folder string, key ...string) *Store {
	text, _ := json.Marshal(key) // strings always have a form
	return &Store{path: filepath.Join(folder, prefix+Digest(text)+suffix)}
}

// The names of records, by which a folder's other files are told from them.
const (
	prefix = "capgen-run-"
	suffix = ".json"
)

// Last returns the run that was saved last, or nil.
func (s *Store) Last() *Run {
	text, err := os.ReadFile(s.path)
	if err != nil {
		return nil
	}
	run := new(Run)
	if json.Unmarshal(text, run) != nil {
		return nil
	}
	return run
}

// Save makes a run the last one. Processes may save at the same time: then one of them is the last.
func (s *Store) Save(run *Run) {
	folder := filepath.Dir(s.path)
	text, err := json.Marshal(run)
	if err != nil || os.MkdirAll(folder, 0o700) != nil {
		return
	}
	if _, err := os.Stat(s.path); err != nil {
		removeOld(folder) // so that records do not grow in number: who adds one sweeps
	}
	temporary, err := os.CreateTemp(folder, prefix+"*.tmp")
	if err != nil {
		return
	}
	_, err = temporary.Write(text)
	if closeErr := temporary.Close(); err != nil || closeErr != nil || os.Rename(temporary.Name(), s.path) != nil {
		os.Remove(temporary.Name())
	}
}

// Records that nobody used for so long go; that they are used is noted once a day.
const (
	kept  = 30 * 24 * time.Hour
	noted = 24 * time.Hour
)

// Used notes that the last run was of use.
func (s *Store) Used() {
	now := time.Now()
	if stat, err := os.Stat(s.path); err == nil && now.Sub(stat.ModTime()) > noted {
		_ = os.Chtimes(s.path, now, now)
	}
}

// removeOld removes old records from a folder, and what killed processes left of new ones.
func removeOld(folder string) {
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), prefix) {
			continue
		}
		if stat, err := entry.Info(); err == nil && stat.Mode().IsRegular() && time.Since(stat.ModTime()) > kept {
			os.Remove(filepath.Join(folder, entry.Name()))
		}
	}
}

// Same reports whether files still have the digests that are on record.
func Same(digests map[string]string) bool {
	for path, before := range digests {
		now := ""
		if text, err := os.ReadFile(path); err == nil {
			now = Digest(text)
		}
		if now != before {
			return false
		}
	}
	return true
}

// Read returns a file's content if it has the digest, and nothing otherwise.
func Read(path, digest string) []byte {
	text, err := os.ReadFile(path)
	if err != nil || digest == "" || Digest(text) != digest {
		return nil
	}
	return text
}

// Digest returns a content's digest.
func Digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
