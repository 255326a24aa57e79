package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Both programs start with one command, the lines that are printed work as pasted, and an agent's stop ends both.
func TestBoth(t *testing.T) {
	printed, ended := startBoth(t)
	endpoint := regexp.MustCompile(`http://\S+/mcp`).FindString(printed)
	if !testing.Short() {
		for _, command := range regexp.MustCompile(`(?m)^  (go run .*)$`).FindAllStringSubmatch(printed, -1) {
			shell := exec.CommandContext(t.Context(), "sh", "-c", command[1])
			shell.Dir = "../.." // the folder of the repository
			out, err := shell.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "Validate the input of the sign-up form") {
				t.Errorf("%s\n%v\n%s", command[1], err, out)
			}
		}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: endpoint}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	answer, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "orchestrator_stop", Arguments: json.RawMessage(`{}`)})
	if err != nil || answer.IsError {
		t.Fatalf("%+v, %v", answer, err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// startBoth runs what the command without arguments runs, on free ports, and returns what it prints.
func startBoth(t *testing.T) (printed string, ended <-chan error) {
	t.Helper()
	reader, writer := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	done := make(chan error, 1)
	go func() {
		err := run(ctx, []string{"-addr", "127.0.0.1:0", "-server-addr", "127.0.0.1:0", "-db", newDatabase(t), "-step", "1ms"}, writer)
		writer.CloseWithError(io.EOF)
		done <- err
	}()
	var text strings.Builder
	scanner := bufio.NewScanner(reader)
	for scanner.Scan() && !strings.HasPrefix(scanner.Text(), "Stop it") {
		text.WriteString(scanner.Text() + "\n")
	}
	return text.String(), done
}

func TestCommandLineIsRefused(t *testing.T) {
	t.Setenv("ORCHESTRATOR_TOKEN", "")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"boss"}, `there is no program "boss": run tasks, front, or without a name both`},
		{[]string{"front", "now"}, `"now" is too much: the flags are all that there is`},
		{[]string{"front", "-server-url", "127.0.0.1:8052"}, `the task server's URL "127.0.0.1:8052" is none: write it as http://127.0.0.1:8052`},
		{[]string{"front", "-addr", ":0"}, "other machines can reach :0, and whoever can call may stop the orchestrator: give a -token, or listen on 127.0.0.1"},
		{[]string{"front", "-token", "short"}, "auth.NewStatic: token 0 has 5 bytes, it must be random and have 22 or more; `openssl rand -hex 16` prints one"},
		{[]string{"tasks", "-db", "x"}, "the database is neither sqlite:PATH nor postgres://USER:PASSWORD@HOST/DATABASE"},
		{[]string{"-db", "x", "-server-addr", "127.0.0.1:0"}, "the database is neither sqlite:PATH nor postgres://USER:PASSWORD@HOST/DATABASE"},
		{[]string{"tasks", "-token", "x"}, "flag provided but not defined: -token: see orchestrator tasks -help"},
	} {
		args := test.args
		if args[0] == "tasks" {
			args = append(args, "-addr", "127.0.0.1:0")
		}
		if err := run(t.Context(), args, io.Discard); fmt.Sprint(err) != test.want {
			t.Errorf("%v: %v\nwant %s", args, err, test.want)
		}
	}
}
