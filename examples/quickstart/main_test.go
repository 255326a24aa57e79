package main

import (
	"bufio"
	"context"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/capgen/capgen/runtime"
)

// The lines that are printed work as pasted.
func TestWelcome(t *testing.T) {
	if testing.Short() {
		t.Skip("builds capgen")
	}
	printed := startServer(t)
	found := commands(printed)
	if len(found) != 2 {
		t.Fatalf("%d commands are printed, want one of capgen call and one of curl:\n%s", len(found), printed)
	}
	for _, command := range found {
		name := strings.Fields(command)[0]
		if _, err := exec.LookPath(name); err != nil {
			t.Logf("%s is not installed, its line is not tried", name)
			continue
		}
		shell := exec.CommandContext(t.Context(), "sh", "-c", command)
		shell.Dir = "../.." // the folder of the repository
		out, err := shell.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "Europe/Berlin") || !strings.Contains(string(out), `"total"`) {
			t.Errorf("%s\n%v\n%s", command, err, out)
		}
	}
}

// startServer runs the quickstart on a free port, until the test ends, and returns what it prints.
func startServer(t *testing.T) string {
	reader, writer := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		err := run(ctx, runtime.Config{Port: runtime.FreePort}, false, writer)
		writer.CloseWithError(io.EOF)
		done <- err
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	var printed strings.Builder
	scanner := bufio.NewScanner(reader)
	for scanner.Scan() && !strings.HasPrefix(scanner.Text(), "Stop it") {
		printed.WriteString(scanner.Text() + "\n")
	}
	return printed.String()
}

// commands returns the commands in a text, each a paragraph that is indented.
func commands(text string) []string {
	return regexp.MustCompile(`(?m)^  \S.*(\n {4,}\S.*)*$`).FindAllString(text, -1)
}
