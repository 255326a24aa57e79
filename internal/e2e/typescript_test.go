package e2e

import (
	"bufio"
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/quickstart/zones"
	"github.com/capgen/capgen/gen"
	"github.com/capgen/capgen/internal/node"
	"github.com/capgen/capgen/internal/testcache"
	"github.com/capgen/capgen/runtime"
)

// TestTypeScript compiles generated clients with tsc --strict and calls the quickstart with one of them, over both official SDKs.
func TestTypeScript(t *testing.T) {
	folder := compileClients(t)
	args := []string{startQuickstart(t)}
	want := `1 Europe/Berlin +02:00 true
CallFailure "" [/limit maximum] The input does not match the schema.
CallFailure "unknown_zone" []
the contracts are the same
`
	for _, change := range movedOn {
		args = append(args, serveLater(t, change.id, change.before, change.after))
		want += change.want + "\n"
	}
	for _, sdk := range []string{"v1", "v2"} {
		t.Run(sdk, func(t *testing.T) {
			t.Parallel()
			got := runClient(t, folder, append([]string{sdk}, args...)...)
			lines := strings.Split(got, "\n")
			for i, line := range strings.Split(want, "\n") {
				if i >= len(lines) || !strings.Contains(lines[i], line) {
					t.Errorf("line %d is not as wanted, %s:\n%s", i+1, line, got)
				}
			}
		})
	}
}

// compileClients generates clients of small and of manifold types, and returns the folder that they and the program that calls are compiled in.
func compileClients(t *testing.T) string {
	t.Helper()
	files, _, err := gen.TypeScript(t.Context(), gen.Config{Dir: "../..", Patterns: []string{
		"./examples/quickstart/zones", "./examples/playlist/playlists", "./examples/orchestrator/tools", "./internal/codectest/shapes", "./internal/codectest/suite",
	}})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	program, err := os.ReadFile("testdata/client.ts")
	if err != nil {
		t.Fatal(err)
	}
	files["client.ts"], files["package.json"] = program, []byte(`{"type": "module"}`)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	packages, err := node.Install(node.Clients)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(packages, "node_modules"), filepath.Join(folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob(filepath.Join(folder, "*.ts"))
	if err != nil || len(sources) != 7 {
		t.Fatalf("%d files to compile, %v", len(sources), err)
	}
	tsc := exec.CommandContext(t.Context(), "node", append([]string{"node_modules/typescript/bin/tsc", "--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes",
		"--noPropertyAccessFromIndexSignature", "--noImplicitOverride", "--noUnusedLocals", "--skipLibCheck", "--target", "es2022", "--module", "nodenext"}, sources...)...)
	tsc.Dir = folder
	if out, err := tsc.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return folder
}

func runClient(t *testing.T, folder string, args ...string) string {
	t.Helper()
	run := exec.CommandContext(t.Context(), "node", append([]string{"client.js"}, args...)...)
	run.Dir = folder
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// startQuickstart starts the example as a user does, on a free port, and returns its address. It stops with the test.
func startQuickstart(t *testing.T) (url string) {
	t.Helper()
	testcache.DependOn(t, filepath.Join("..", ".."))
	binary := filepath.Join(t.TempDir(), "quickstart")
	if out, err := exec.Command("go", "build", "-o", binary, "../../examples/quickstart").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	server := exec.Command(binary, "-port", "0")
	stdout, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		if err := server.Wait(); err != nil {
			t.Errorf("the quickstart did not stop well: %v", err)
		}
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	url, found := strings.CutPrefix(strings.TrimSpace(line), "Serving at ")
	if err != nil || !found {
		t.Fatalf("the quickstart says %q, %v", line, err)
	}
	return url
}

func serve(t *testing.T, part capabilities.Part) (url string) {
	t.Helper()
	registry, err := capabilities.NewRegistry(part)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := runtime.NewHandler(registry)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// movedOn are changes of zone_find's contract, and what a client of the old one prints.
var movedOn = []struct{ id, before, after, want string }{
	{"", `"maximum":50`, `"maximum":500`, "total 3"},
	{"", `"limit":{`, `"near":{"type":"string"},"limit":{`, "total 3"},
	{"", `"total":{`, `"more":{"type":"boolean"},"total":{`, "total 3"},
	{"", `"maximum":50`, `"maximum":20`, "than this client: /input/properties/limit/maximum: 50 before, 20 now: generate"},
	{"", `"limit":{`, `"most":{`, "/input/properties/limit: known before, none now: generate"},
	{"", `"required":["query"]`, `"required":["query","at"]`, "/input/properties/at: optional before, required now: generate"},
	{"", `"total":{"type":"integer"`, `"total":{"type":"string"`, `/output/properties/total/type: "integer" before, "string" now: generate`},
	{"", `"required":["zones","total"]`, `"required":["zones"]`, "/output/properties/total: required before, optional now: generate"},
	{"example.time:zone.find@2", "", "", "the server has no tool of it for this caller, and has example.time:zone.find@2: generate"},
}

// later is zones.ZoneFind after a change.
type later struct {
	capabilities.Returns[zones.Found]

	Query string    `json:"query"`
	At    time.Time `json:"at,omitzero"`
	Limit int       `json:"limit,omitzero"`
}

// laterCapability is read when a handler is bound.
var laterCapability *capabilities.Capability[later, zones.Found]

func (later) Capability() *capabilities.Capability[later, zones.Found] { return laterCapability }

// serveLater serves zone_find with a text of its schemas replaced.
func serveLater(t *testing.T, id, before, after string) (url string) {
	t.Helper()
	def := zones.ZoneFind{}.Capability().Definition()
	if id == "" {
		id = def.ID.String()
	}
	text := `"input":` + string(def.Input) + `,"output":` + string(def.Output)
	if !strings.Contains(text, before) {
		t.Fatalf("%s is in no schema", before)
	}
	laterCapability = capabilities.Declare[later, zones.Found](`{"id":"` + id + `","tool":"zone_find","risk":"read","access":"public",` +
		strings.Replace(text, before, after, 1) + `}`)
	return serve(t, capabilities.Handle(func(context.Context, later) (zones.Found, error) {
		return zones.Found{Zones: []zones.Zone{}, Total: 3}, nil
	}))
}
