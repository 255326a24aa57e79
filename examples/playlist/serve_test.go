package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/capgen/capgen/examples/playlist/playlists"
)

func playlistRead(id playlists.PlaylistID) playlists.PlaylistRead {
	return playlists.PlaylistRead{ID: id}
}

// The lines that serve prints work as pasted, in their order.
func TestWelcome(t *testing.T) {
	if testing.Short() {
		t.Skip("builds capgen")
	}
	printed := startServer(t, "-addr", freeAddress(t), "-db", filepath.Join(t.TempDir(), "playlists.db"))
	tokens := regexp.MustCompile(`(?m)^  [A-Z]+=\S+$`).FindAllString(printed, -1)
	commands := regexp.MustCompile(`(?m)^  go .*(\n {4,}\S.*)*$`).FindAllString(printed, -1)
	if len(tokens) != 3 || len(commands) != 3 {
		t.Fatalf("%d tokens and %d commands are printed, want 3 of each:\n%s", len(tokens), len(commands), printed)
	}
	paste := func(command string) string {
		shell := exec.CommandContext(t.Context(), "sh", "-c", strings.Join(tokens, "\n")+"\n"+command)
		shell.Dir = "../.." // the folder of the repository
		out, err := shell.CombinedOutput()
		if err != nil {
			t.Fatalf("%s\n%v\n%s", command, err, out)
		}
		return string(out)
	}
	if got := paste(commands[0]); strings.Contains(got, "playlist_") {
		t.Errorf("tools without a grant:\n%s", got)
	}
	id := strings.TrimSpace(paste(commands[1]))
	if got := paste(commands[2]); !strings.Contains(got, "road-trip") {
		t.Errorf("%s\n%s", id, got)
	}
	if got := paste(commands[0]); !strings.Contains(got, "playlist_edit") || strings.Contains(got, "playlist_delete") {
		t.Errorf("the tools are\n%s", got)
	}
}

// startServer runs serve until the test ends, and returns what it prints.
func startServer(t *testing.T, args ...string) string {
	t.Helper()
	reader, writer := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		err := run(ctx, append([]string{"serve"}, args...), writer)
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

// freeAddress returns an address that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
