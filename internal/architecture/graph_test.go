package architecture

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/capgen/capgen/internal/testcache"
)

const module = "github.com/capgen/capgen/"

// graph holds what every package of the module, and every package it needs, imports. Tests of packages have no part in it.
type graph map[string]*pkg

type pkg struct {
	ImportPath string
	Imports    []string
	GoFiles    []string
	Standard   bool
}

func loadGraph(t *testing.T) graph {
	t.Helper()
	testcache.DependOn(t, "../..")
	list := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,GoFiles,Standard", module+"...")
	out, err := list.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	g := graph{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(pkg)
		if err := decoder.Decode(p); errors.Is(err, io.EOF) {
			return g
		} else if err != nil {
			t.Fatal(err)
		}
		g[p.ImportPath] = p
	}
}

// own returns the module's packages that a pattern names, sorted. Patterns are as the go command's, without the module.
func (g graph) own(pattern string) []string {
	var found []string
	for path := range g {
		if matches(path, module+pattern) {
			found = append(found, path)
		}
	}
	slices.Sort(found)
	return found
}

// matches reports whether a pattern names a package: x names x, and x/... names x and all below it.
func matches(path, pattern string) bool {
	root, tree := strings.CutSuffix(pattern, "/...")
	return path == root || tree && strings.HasPrefix(path, root+"/")
}

// chain returns the shortest way along imports from a package to one that is not its own and that a predicate holds for, or
// nil when there is none.
func (g graph) chain(from string, to func(path string) bool) []string {
	came := map[string]string{from: ""}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at != from && to(at) {
			var way []string
			for ; at != ""; at = came[at] {
				way = append(way, at)
			}
			slices.Reverse(way)
			return way
		}
		for _, next := range g[at].Imports {
			// "C" is imported and is no package.
			if _, seen := came[next]; !seen && g[next] != nil {
				came[next] = at
				queue = append(queue, next)
			}
		}
	}
	return nil
}

// draw writes a chain for people: the module's own packages without the module.
func draw(chain []string) string {
	short := make([]string, len(chain))
	for i, path := range chain {
		short[i] = strings.TrimPrefix(path, module)
	}
	return strings.Join(short, " → ")
}

func TestChain(t *testing.T) {
	g := graph{
		"a":   {Imports: []string{"b", "c"}},
		"b":   {Imports: []string{"d"}},
		"c":   {Imports: []string{"b", "e/f"}},
		"d":   {Imports: []string{"C", "a", "e/f"}},
		"e/f": {},
	}
	for _, test := range []struct{ from, to, want string }{
		{"a", "d", "a → b → d"},
		{"a", "e/...", "a → c → e/f"},
		{"a", "e", ""},
		{"a", "C", ""},
		{"a", "a", ""},
		{"c", "a", "c → b → d → a"},
	} {
		got := draw(g.chain(test.from, func(path string) bool { return matches(path, test.to) }))
		if got != test.want {
			t.Errorf("from %s to %s: %q, want %q", test.from, test.to, got, test.want)
		}
	}
}
