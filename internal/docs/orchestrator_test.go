package docs

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/internal/testcache"
)

// The commands of README.md's larger example do what it says. What make runs is run here without generating, which would change the repository.
func TestLargerExample(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	testcache.DependOn(t, repository)
	var commands []string
	for _, b := range blocksOf(t) {
		if b.kind == "sh" && b.section == "A larger example" {
			commands = append(commands, strings.Split(strings.TrimSpace(b.text), "\n")...)
		}
	}
	if len(commands) != 5 || commands[0] != "make run-orchestrator" {
		t.Fatalf("README.md has other commands than are typed here: %q", commands)
	}
	if out := shell(t, repository, "make --no-print-directory -n run-orchestrator"); !strings.HasSuffix(out, "\nbin/orchestrator -db sqlite:bin/orchestrator.db\n") {
		t.Errorf("make run-orchestrator runs something else than is run here:\n%s", out)
	}

	dir, address := t.TempDir(), freeAddress(t)
	shell(t, repository, "go build -o '"+dir+"' ./examples/orchestrator")
	server := exec.CommandContext(t.Context(), filepath.Join(dir, "orchestrator"),
		"-db", "sqlite:"+filepath.Join(dir, "orchestrator.db"), "-addr", address, "-server-addr", "127.0.0.1:0")
	var printed bytes.Buffer
	server.Stdout, server.Stderr = &printed, &printed
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	if !answers(address) {
		t.Fatalf("nothing listens on %s", address)
	}
	for i, want := range []string{`"remaining": []`, `"total": 3`, `"role": "backend"`, `"kept": 3`} {
		if out := shell(t, repository, strings.ReplaceAll(commands[i+1], "127.0.0.1:8053", address)); !strings.Contains(out, want) {
			t.Errorf("%s\n%s", commands[i+1], out)
		}
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("after it was stopped: %v\n%s", err, printed.String())
		}
	case <-time.After(20 * time.Second):
		t.Error("it was stopped and goes on")
	}
}
