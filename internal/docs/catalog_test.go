package docs

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/capgen/capgen/internal/testcache"
)

// The command of README.md for packs prints what the example's testdata holds.
func TestCatalog(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the example")
	}
	testcache.DependOn(t, repository)
	var commands []string
	for _, b := range blocksOf(t) {
		if b.section == "Compose packs of contracts" && b.kind == "sh" {
			commands = append(commands, strings.TrimSpace(b.text))
		}
	}
	if want := []string{"make run-catalog"}; !slices.Equal(commands, want) {
		t.Fatalf("the commands are %q, want %q", commands, want)
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("there is no make")
	}
	// What make would run in the end; the rest of it generates what is generated.
	steps := strings.Split(strings.TrimSpace(shell(t, repository, "make -n --no-print-directory run-catalog")), "\n")
	for i, name := range []string{"show", "failures"} {
		step := steps[len(steps)-2+i]
		if printed, want := shell(t, repository, step), read(t, repository+"/examples/catalog/testdata/"+name+".txt"); printed != want {
			t.Errorf("%s prints\n%s\nwant\n%s", step, printed, want)
		}
	}
}
