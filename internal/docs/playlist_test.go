package docs

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/capgen/capgen/internal/testcache"
)

var update = flag.Bool("update", false, "rewrite the expected output of capgen authz")

const playlist = "examples/playlist/testdata"

// The commands of README.md for the example with callers print what its testdata holds.
func TestPlaylist(t *testing.T) {
	if testing.Short() {
		t.Skip("builds capgen")
	}
	testcache.DependOn(t, repository)
	var commands []string
	for _, b := range blocksOf(t) {
		if b.section == "See who may do what" {
			commands = append(commands, strings.TrimSpace(b.text))
		}
	}
	if want := []string{"make run-playlist", "go run ./cmd/capgen authz ./examples/playlist/..."}; !slices.Equal(commands, want) {
		t.Fatalf("the commands are %q, want %q", commands, want)
	}

	authz := filepath.Join(repository, playlist, "authz.txt")
	table := shell(t, repository, commands[1])
	if *update {
		write(t, authz, table)
	}
	if want := read(t, authz); table != want {
		t.Errorf("%s prints\n%s\nwant\n%s", commands[1], table, want)
	}

	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("there is no make")
	}
	// What make would run in the end; the rest of it generates what is generated.
	steps := strings.Split(strings.TrimSpace(shell(t, repository, "make -n --no-print-directory run-playlist")), "\n")
	walked := ported(shell(t, repository, steps[len(steps)-1]))
	if want := ported(read(t, filepath.Join(repository, playlist, "walk.txt"))); walked != want {
		t.Errorf("%s prints\n%s\nwant\n%s", steps[len(steps)-1], walked, want)
	}
}

// ported makes texts of several runs the same.
func ported(text string) string {
	return regexp.MustCompile(`127\.0\.0\.1:\w+`).ReplaceAllString(text, "127.0.0.1:PORT")
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
