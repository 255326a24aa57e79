package main

import (
	"context"
	"flag"
	"io"
	"strings"
	"testing"
	"time"
)

func TestCommandLines(t *testing.T) {
	t.Chdir(t.TempDir())
	issue := "grants issue -issuer https://login.example.com -subject alice -tenant acme -scopes playlist:read "
	for _, test := range []struct {
		args string
		code int
		want string // of the error
	}{
		{"", 2, "write serve, walk, grants or help"},
		{"server", 2, "write serve, walk, grants or help"},
		{"grants", 2, "write grants issue, grants revoke or grants list"},
		{"grants drop", 2, "write grants issue, grants revoke or grants list"},
		{"help", 0, ""},
		{"serve -h", 0, "flag: help requested"},
		{"grants issue -help", 0, "flag: help requested"},
		{"walk fast", 2, `walk: "fast" is too much`},
		{"walk -fast", 2, "walk: flag provided but not defined: -fast"},
		{"serve now", 2, `serve: "now" is too much`},
		{"serve -addr 8054", 2, `serve: -addr: the address "8054" is not of the form HOST:PORT, such as 127.0.0.1:8053`},
		{"serve -addr :8054", 2, "serve: -addr :8054 does not tell where clients find the server: add -resource, such as https://tools.example.com/mcp"},
		{"serve -addr 0.0.0.0:8054", 2, "serve: -addr 0.0.0.0:8054 does not tell where clients find the server: add -resource, such as https://tools.example.com/mcp"},
		{"serve -addr [::]:8054", 2, "serve: -addr [::]:8054 does not tell where clients find the server: add -resource, such as https://tools.example.com/mcp"},
		{"serve -addr 127.0.0.1:0", 2, "serve: -addr 127.0.0.1:0 does not tell where clients find the server: add -resource, such as https://tools.example.com/mcp"},
		{"serve -issuer http://login.example.com", 1, `auth.NewOIDC: the Issuer "http://login.example.com" is http, so that anybody on the way could replace the keys; ` +
			"use https, or http on the loopback for development"},
		{"grants issue", 2, "grants issue: write -issuer, -tenant, -scopes, and -subject or -client; see -help"},
		{"grants issue -issuer i -scopes playlist:read -subject s", 2, "grants issue: write -issuer, -tenant, -scopes, and -subject or -client; see -help"},
		{issue + "-scopes playlist:read,playlist:raed", 2,
			`grants issue: no capability needs the scope "playlist:raed": choose from playlist:delete,playlist:edit,playlist:read`},
		{issue + "-for tomorrow", 2, `grants issue: invalid value "tomorrow" for flag -for: parse error`},
		{issue + "-db none.db", 1, "there is no database none.db: give the -db of serve, which creates it"},
		{issue + "alice", 2, `grants issue: "alice" is too much`},
		{"grants revoke", 2, "grants revoke: write the ID of a grant behind the flags; grants list shows them"},
		{"grants revoke A B", 2, `grants revoke: "B" is too much`},
		{"grants revoke A", 1, "there is no database playlists.db: give the -db of serve, which creates it"},
		{"grants list A", 2, `grants list: "A" is too much`},
		{"grants list", 1, "there is no database playlists.db: give the -db of serve, which creates it"},
	} {
		var out strings.Builder
		err := run(t.Context(), strings.Fields(test.args), &out)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != test.want || exitCode(err) != test.code {
			t.Errorf("playlist %s: exit code %d\n got %s\nwant %s", test.args, exitCode(err), got, test.want)
		}
		if printed := out.Len() > 0; printed != (test.code == 0) {
			t.Errorf("playlist %s prints %q", test.args, out.String())
		}
	}
}

// Help names every flag with what it takes.
func TestHelp(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"serve", "-h"}, &out); exitCode(err) != 0 {
		t.Error(err)
	}
	for _, want := range []string{"The flags of playlist serve:\n", "-addr address", "-db file", "-delete\n", "-issuer URL", "-resource URL", "-tenant-claim name"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	if exitCode(flag.ErrHelp) != 0 || exitCode(io.ErrUnexpectedEOF) != 1 {
		t.Error("exit codes")
	}
}

// In production nobody is a user of the demonstration, whatever the command.
func TestProduction(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("CAPGEN_ENV", "production")
	const want = "CAPGEN_ENV is production, where nobody may be a user of the demonstration: " +
		"write serve -issuer URL, with the URL of your OpenID provider, such as https://login.example.com"
	for _, args := range []string{"serve", "serve -delete -db other.db", "walk"} {
		var out strings.Builder
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second) // for a server that starts all the same
		err := run(ctx, strings.Fields(args), &out)
		cancel()
		if err == nil || err.Error() != want || exitCode(err) != 1 || out.Len() > 0 {
			t.Errorf("playlist %s: exit code %d, %v, %q", args, exitCode(err), err, out.String())
		}
	}
	// With an issuer of one's own it serves, and makes nobody's playlists.
	ctx, stop := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := run(ctx, []string{"serve", "-addr", "127.0.0.1:0", "-resource", "https://tools.example.com/mcp", "-issuer", "http://127.0.0.1:1"}, writer)
		writer.Close()
		done <- err
	}()
	line := make([]byte, 200)
	n, _ := reader.Read(line)
	if got := string(line[:n]); got != "Serving at https://tools.example.com/mcp, for callers with a token of http://127.0.0.1:1 and a grant in playlists.db.\n" {
		t.Errorf("%s", got)
	}
	stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	a, err := open(t.Context(), defaultFile)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := a.playlists.PlaylistRead(t.Context(), playlistRead("road-trip")); err == nil {
		t.Error("there are playlists of the demonstration")
	}
}
