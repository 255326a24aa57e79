package fidelity

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/capgen/capgen/gen"
)

// caseNamed returns the case of an ID.
func caseNamed(t *testing.T, id string) *testCase {
	t.Helper()
	for _, c := range readCases(t) {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no case %s", id)
	return nil
}

// generated generates a case in a module and returns its input schema.
func generated(t *testing.T, module string, c *testCase, flags ...string) schema {
	t.Helper()
	config := gen.Config{Dir: module, Patterns: []string{"./" + c.ID}, BuildFlags: flags, NoDescriptions: true}
	plan, err := gen.Generate(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(); err != nil {
		t.Fatal(err)
	}
	return readSchema(t, module, c, "in")
}

// TestBuildTags holds an enum to the constants of the build context: those of a file under a tag count with the tag.
func TestBuildTags(t *testing.T) {
	c := caseNamed(t, "enum-build-tags")
	module := newModule(t, "fid.test")
	writeCase(t, module, c)
	write(t, filepath.Join(module, "fidelitydriver", "driver.go"), string(driverSource))
	for _, test := range []struct {
		flags []string
		want  []any
	}{
		{nil, []any{"fast"}},
		{[]string{"-tags=lab"}, []any{"fast", "lab"}},
	} {
		s := generated(t, module, c, test.flags...)
		if got, _ := s.at("/properties/m/enum"); !equal("/enum", got, test.want) {
			t.Errorf("%v: the enum is %v, want %v", test.flags, got, test.want)
		}
	}
}

// TestCgo generates for a package with a file that imports C, which counts or not as cgo is on or off.
func TestCgo(t *testing.T) {
	c := caseNamed(t, "cgo-file-in-package")
	module := newModule(t, "fid.test")
	writeCase(t, module, c)
	write(t, filepath.Join(module, "fidelitydriver", "driver.go"), string(driverSource))
	for _, enabled := range []string{"0", "1"} {
		t.Setenv("CGO_ENABLED", enabled)
		c.checkFacts(t, generated(t, module, c))
	}
}

// TestVendor generates for a package whose import lies under vendor and is another module's, as go mod vendor leaves it, and builds it.
func TestVendor(t *testing.T) {
	c := caseNamed(t, "vendored-and-renamed-import")
	module := newModule(t, "fid.test")
	writeCase(t, module, c)
	write(t, filepath.Join(module, "fidelitydriver", "driver.go"), string(driverSource))
	// The imported package becomes a module of its own, which go mod vendor copies; only the copy is left. What the generated code imports is
	// vendored too only when it is there.
	inner := filepath.Join(module, c.ID, "inner")
	write(t, filepath.Join(inner, "go.mod"), "module fid.test/"+c.ID+"/inner\n\ngo 1.26.0\n")
	goCommand(t, module, "mod", "edit", "-require=fid.test/"+c.ID+"/inner@v0.0.0", "-replace=fid.test/"+c.ID+"/inner=./"+c.ID+"/inner")
	generated(t, module, c)
	goCommand(t, module, "mod", "vendor")
	if err := os.RemoveAll(inner); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(module, c.ID, "capgen_gen.go")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(module, "vendor", "fid.test", c.ID, "inner", "inner.go")); err != nil {
		t.Fatal(err)
	}
	c.checkFacts(t, generated(t, module, c))
	goCommand(t, module, "build", "-trimpath", "./"+c.ID)
}

func goCommand(t *testing.T, dir string, args ...string) {
	t.Helper()
	command := exec.Command("go", args...)
	command.Dir = dir
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
