package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
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

// A wrong command line is one line that says what is wrong.
func TestParse(t *testing.T) {
	none := func(string) (string, bool) { return "", false }
	deadline := func(name string) (string, bool) { return "x", name == "CAPGEN_DEADLINE" }
	for _, test := range []struct {
		args string
		env  func(string) (string, bool)
		want string
	}{
		{"-port x", none, `invalid value "x" for flag -port: it is not a port: write a number from 0 to 65535: see -help`},
		{"-prt 1", none, "flag provided but not defined: -prt: see -help"},
		{"serve", none, `"serve" is no flag: see -help`},
		{"", deadline, `CAPGEN_DEADLINE: "x" is not a duration of more than 0: write a number and a unit, such as 30s or 1h`},
	} {
		if _, _, err := parse(strings.Fields(test.args), test.env, io.Discard); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.args, err, test.want)
		}
	}
	config, stdio, err := parse([]string{"-port", "0", "-stdio"}, none, io.Discard)
	if err != nil || config.Port != runtime.FreePort || !stdio {
		t.Errorf("%+v, %v, %v", config, stdio, err)
	}
	var help strings.Builder
	if _, _, err := parse([]string{"-help"}, none, &help); !errors.Is(err, flag.ErrHelp) || !strings.Contains(help.String(), "-max-sessions") {
		t.Errorf("%v\n%s", err, help.String())
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
