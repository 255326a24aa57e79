package record

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

var run = &Run{
	Program: "p", Listing: "l", Exports: map[string]string{"context": "c"}, Inputs: map[string]string{"/a": "1", "/gone": ""},
	Folders: []string{"/f"}, Outputs: map[string]string{"/f/x": "2"},
}

func TestStore(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "not", "made")
	store := Open(folder, "a", "b")
	if last := store.Last(); last != nil {
		t.Errorf("before a run is saved the last one is %v", last)
	}
	store.Save(&Run{Program: "old"})
	store.Save(run)
	if last := Open(folder, "a", "b").Last(); !reflect.DeepEqual(last, run) {
		t.Errorf("last run is %v, want %v", last, run)
	}
	for _, key := range [][]string{{"a"}, {"a", "b", ""}, {"ab"}, {"b", "a"}, {`a","b`}, nil} {
		if last := Open(folder, key...).Last(); last != nil {
			t.Errorf("%q has the run of another key", key)
		}
	}
	if names := list(t, folder); len(names) != 1 {
		t.Errorf("there is more than one record: %q", names)
	}
}

// TestSpoilt cuts a record anywhere: what is left is none.
func TestSpoilt(t *testing.T) {
	folder := t.TempDir()
	store := Open(folder)
	store.Save(run)
	text, err := os.ReadFile(store.path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range text {
		if err := os.WriteFile(store.path, text[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if last := store.Last(); last != nil {
			t.Fatalf("%s is read as %v", text[:n], last)
		}
	}
}

// TestNowhere saves where that is not possible.
func TestNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{file, filepath.Join(file, "below"), "\x00"} {
		store := Open(folder)
		store.Save(run)
		store.Used()
		if last := store.Last(); last != nil {
			t.Errorf("%q holds %v", folder, last)
		}
	}
}

// TestProcesses saves and reads at the same time: a reader sees one of the runs, whole.
func TestProcesses(t *testing.T) {
	store := Open(t.TempDir())
	store.Save(run)
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for range 50 {
				store.Save(run)
			}
		})
	}
	for range 200 {
		if last := store.Last(); !reflect.DeepEqual(last, run) {
			t.Errorf("last run is %v", last)
		}
	}
	writers.Wait()
}

// TestOld keeps the number of records bounded, and leaves everybody else's files alone.
func TestOld(t *testing.T) {
	folder := t.TempDir()
	used, unused, fresh := Open(folder, "used"), Open(folder, "unused"), Open(folder, "fresh")
	for _, store := range []*Store{used, unused, fresh} {
		store.Save(run)
	}
	old := time.Now().Add(-kept - time.Hour)
	left := filepath.Join(folder, prefix+"123.tmp")
	others := []string{"notes.json", "run.tmp"}
	for _, name := range append([]string{filepath.Base(left)}, others...) {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range list(t, folder) {
		if name != filepath.Base(fresh.path) {
			if err := os.Chtimes(filepath.Join(folder, name), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	used.Used()
	unused.Save(run) // it is there already
	if err := os.Chtimes(unused.path, old, old); err != nil {
		t.Fatal(err)
	}
	if names := list(t, folder); len(names) != 6 {
		t.Errorf("a record that is replaced removed some: %q", names)
	}
	Open(folder, "new").Save(run)
	if names := list(t, folder); len(names) != 5 || unused.Last() != nil || used.Last() == nil || fresh.Last() == nil {
		t.Errorf("a new record leaves %q", names)
	}
	for _, name := range others {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestSame(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		digests map[string]string
		want    bool
	}{
		{nil, true},
		{map[string]string{name: Digest([]byte("text"))}, true},
		{map[string]string{name: Digest([]byte("taxt"))}, false},
		{map[string]string{name: ""}, false},
		{map[string]string{name + "2": ""}, true},
		{map[string]string{name: Digest([]byte("text")), name + "2": Digest(nil)}, false},
	} {
		if got := Same(test.digests); got != test.want {
			t.Errorf("%v: %t", test.digests, got)
		}
	}
}

func TestNameProgram(t *testing.T) {
	const id = "BA6SJdMdnp7wYkra609t/FH2Jm03CSXCQXXieGh1-/VP1TDwJEA_XmLiOof9TN/CCcMZd6Wnxo-RMoSlHGf"
	text := "\xff Go build ID: \"" + id + "\"\n \xff code"
	note := "\x7fELF\x04\x00\x00\x00S\x00\x00\x00\x04\x00\x00\x00Go\x00\x00" + id + "\x00code"
	for _, test := range []struct{ program, want string }{
		{text, id},
		{note, id},
		{strings.Repeat("\x00", 4096) + text, id},
		// No digests, or too many characters to be one.
		{strings.ReplaceAll(text, id, "redacted"), ""},
		{strings.ReplaceAll(text, id, id+"1"), ""},
		{strings.ReplaceAll(text, id, id[:62]), ""},
		{"code", ""},
		{strings.Repeat("\x00", 64<<10) + text, ""},
	} {
		want := test.want
		if want == "" {
			want = Digest([]byte(test.program))
		}
		if got := nameProgram(strings.NewReader(test.program)); got != want {
			t.Errorf("%.40q: %s, want %s", test.program, got, want)
		}
	}
	if Program() == "" {
		t.Error("the program that runs the test has no name")
	}
}

func list(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names
}
