package source_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/capgen/capgen/gen/internal/source"
)

// module writes a module with the files of a txtar text and returns its directory. A file go.mod is added: the module
// example.com/m, with this repository's requirements and the repository itself at its working copy.
func module(t testing.TB, text string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "go.mod", goMod(t))
	write(t, dir, "go.sum", read(t, filepath.Join(repository(t), "go.sum")))
	for _, file := range txtar.Parse([]byte(text)).Files {
		write(t, dir, file.Name, string(file.Data))
	}
	return dir
}

func goMod(t testing.TB) string {
	root := repository(t)
	requirements := regexp.MustCompile(`(?ms)^require \(.*?^\)\n`).FindAllString(read(t, filepath.Join(root, "go.mod")), -1)
	return "module example.com/m\n\ngo 1.26.0\n\nrequire github.com/capgen/capgen v0.0.0\n\nreplace github.com/capgen/capgen => " + root +
		"\n\n" + strings.Join(requirements, "\n")
}

func repository(t testing.TB) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// load loads the packages that match the patterns, ./... without any.
func load(t testing.TB, dir string, patterns ...string) *source.Program {
	t.Helper()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	return loadWith(t, source.Config{Dir: dir, Patterns: patterns})
}

func loadWith(t testing.TB, config source.Config) *source.Program {
	t.Helper()
	config.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=")
	p, err := source.Load(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// wantDiagnostics compares the program's diagnostics with lines of file:line:col: message, files relative to dir.
func wantDiagnostics(t *testing.T, p *source.Program, dir string, want ...string) {
	t.Helper()
	var got []string
	for _, d := range p.Diagnostics.All() {
		got = append(got, d.Format(dir))
	}
	if !slices.Equal(got, want) {
		t.Errorf("diagnostics:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// wantTargets compares the import paths of the targets, in order, without the module's own path.
func wantTargets(t *testing.T, p *source.Program, want ...string) {
	t.Helper()
	var got []string
	for _, pkg := range p.Targets {
		got = append(got, strings.TrimPrefix(pkg.Path, "example.com/m/"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("targets are %q, want %q", got, want)
	}
}

// target returns the target whose import path ends in name.
func target(t testing.TB, p *source.Program, name string) *source.Package {
	t.Helper()
	for _, pkg := range p.Targets {
		if strings.HasSuffix(pkg.Path, "/"+name) {
			return pkg
		}
	}
	t.Fatalf("no target %s", name)
	return nil
}
