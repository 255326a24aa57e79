package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/runtimetest"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

// Each command prints what its file holds.
func TestOutput(t *testing.T) {
	for _, command := range []string{"show", "failures", "help"} {
		t.Run(command, func(t *testing.T) {
			var out strings.Builder
			if err := run(t.Context(), []string{command}, &out); err != nil {
				t.Fatal(err)
			}
			name := filepath.Join("testdata", command+".txt")
			if *update {
				if err := os.WriteFile(name, []byte(out.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if out.String() != string(want) {
				t.Errorf("%s is another now; if that is meant, run the test with -update. It is\n%s", name, out.String())
			}
		})
	}
}

// Agents see the alias in place of the first major's own name, and call both majors.
func TestAsAnAgent(t *testing.T) {
	catalog, registry, err := bind()
	if err != nil {
		t.Fatal(err)
	}
	if unbound := catalog.Unbound(registry); len(unbound) > 0 {
		t.Errorf("%s and others have no handler", unbound[0].ID)
	}
	client := runtimetest.Client(t, registry, runtime.WithToolNames(catalog.ToolName))
	var names []string
	for _, tool := range client.List(t) {
		names = append(names, tool.Name)
	}
	if want := []string{"album", "album_lookup_v2"}; !slices.Equal(names, want) {
		t.Errorf("the tools are %v, want %v", names, want)
	}
	if got, want := string(client.Call(t, "album", `{"slug": "night-drive"}`).JSON), `{"number":"ND-001","title":"Night Drive","year":1999}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// The archive, which has OR-001, is not for agents.
	if got, want := string(client.Call(t, "album_lookup_v2", `{"numbers": ["OR-001", "TU-001"]}`).JSON),
		`{"albums":[{"number":"TU-001","title":"Tunnel","year":2004}]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if unknown := client.Call(t, "album", `{"slug": "day-drive"}`); !unknown.IsError || !strings.Contains(unknown.Text, `there is no album "day-drive"`) {
		t.Errorf("an album that is not there: %s", unknown.Text)
	}
}

// A wrong command line is one line that says what is wrong.
func TestUsage(t *testing.T) {
	for args, want := range map[string]string{
		"":             `"" is no command: see go run ./examples/catalog help`,
		"list":         `"list" is no command: see go run ./examples/catalog help`,
		"show all":     `"all" is too much: see go run ./examples/catalog help`,
		"serve -prt 1": "flag provided but not defined: -prt: see go run ./examples/catalog help",
		"serve now":    `"now" is too much: see go run ./examples/catalog help`,
	} {
		if err := run(t.Context(), strings.Fields(args), io.Discard); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

// The server says where it is, and ends with its context.
func TestServe(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var printed strings.Builder
	out := writerFunc(func(text []byte) (int, error) {
		printed.Write(text)
		stop()
		return len(text), nil
	})
	if err := run(ctx, []string{"serve", "-port", "0"}, out); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^Serving at http://127\.0\.0\.1:\d+/mcp\n$`).MatchString(printed.String()) {
		t.Errorf("it printed %q", printed.String())
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }
