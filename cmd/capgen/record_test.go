package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// early runs a command and fails unless it found everything as the run on record left it; with ! it fails if it did. A run that works
// puts itself on record, in a new file.
func early(ts *testscript.TestScript, neg bool, args []string) {
	before := records(ts)
	ts.Check(ts.Exec(args[0], args[1:]...))
	after := records(ts)
	same := len(before) > 0 && maps.EqualFunc(before, after, os.SameFile)
	if same == neg {
		ts.Fatalf("%v: ended early is %t; records were %v, are %v", args, same, slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
	}
}

// records returns the records of a scenario by name.
func records(ts *testscript.TestScript) map[string]os.FileInfo {
	found := map[string]os.FileInfo{}
	names, err := filepath.Glob(filepath.Join(ts.Getenv("CAPGEN_CACHE"), "*"))
	ts.Check(err)
	for _, name := range names {
		info, err := os.Stat(name)
		ts.Check(err)
		found[name] = info
	}
	return found
}

// rebuild puts a capgen into a folder that is the same program but for its build ID.
func rebuild(ts *testscript.TestScript, _ bool, args []string) {
	name, err := exec.LookPath("capgen") // TestMain has put it there
	ts.Check(err)
	program, err := os.ReadFile(name)
	ts.Check(err)
	id, err := exec.Command("go", "tool", "buildid", name).Output()
	ts.Check(err)
	id = bytes.TrimSpace(id)
	other := append([]byte{id[0] ^ 1}, id[1:]...)
	if !bytes.Contains(program, id) {
		ts.Fatalf("%s does not hold its build ID %s", name, id)
	}
	folder := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(folder, 0o777))
	ts.Check(os.WriteFile(filepath.Join(folder, filepath.Base(name)), bytes.ReplaceAll(program, id, other), 0o777))
}

// TestCacheFolder tells where records go.
func TestCacheFolder(t *testing.T) {
	absolute := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", absolute)
	t.Setenv("HOME", absolute)
	t.Setenv("LocalAppData", absolute)
	user, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ value, want, err string }{
		{"", filepath.Join(user, "capgen"), ""},
		{"off", "", ""},
		{absolute, absolute, ""},
		{".cache", "", `CAPGEN_CACHE is ".cache", which is no absolute path: write one, or off`},
	} {
		t.Setenv("CAPGEN_CACHE", test.value)
		got, err := cacheFolder()
		said := ""
		if err != nil {
			said = err.Error()
		}
		if got != test.want || said != test.err {
			t.Errorf("CAPGEN_CACHE=%s: %q, %v", test.value, got, err)
		}
	}
}

// edit replaces a text in a file, which must hold it: edit [-keep-time] FILE OLD NEW.
func edit(ts *testscript.TestScript, _ bool, args []string) {
	keep := args[0] == "-keep-time"
	if keep {
		args = args[1:]
	}
	name := ts.MkAbs(args[0])
	info, err := os.Stat(name)
	ts.Check(err)
	text, err := os.ReadFile(name)
	ts.Check(err)
	edited := bytes.ReplaceAll(text, []byte(args[1]), []byte(args[2]))
	if bytes.Equal(edited, text) {
		ts.Fatalf("%s does not hold %q", name, args[1])
	}
	ts.Check(os.WriteFile(name, edited, 0o666))
	if keep {
		ts.Check(os.Chtimes(name, info.ModTime(), info.ModTime()))
	}
}

// spoil leaves half of each record.
func spoil(ts *testscript.TestScript, _ bool, _ []string) {
	for name, info := range records(ts) {
		ts.Check(os.Truncate(name, info.Size()/2))
	}
}
