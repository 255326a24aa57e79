package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestGenerate runs the scenarios in testdata/gen: generate, check, list and help. Each is a module example.com/app that uses this
// one; what a scenario generates it also builds and vets. They download nothing. All of them run with records of their own, which are in
// $CAPGEN_CACHE.
func TestGenerate(t *testing.T) { runModules(t, "testdata/gen") }

// TestCompat runs the scenarios in testdata/compat, which are like those of TestGenerate. Git takes its configuration from their environment.
func TestCompat(t *testing.T) { runModules(t, "testdata/compat") }

func runModules(t *testing.T, scenarios string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	goEnv := goEnvironment(t)
	testscript.Run(t, testscript.Params{
		Dir:                 scenarios,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status, "age": age, "aged": aged, "require": requireModule,
			"early": early, "edit": edit, "spoil": spoil, "rebuild": rebuild,
		},
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, goEnv...)
			env.Setenv("ROOT", root)
			env.Vars = append(env.Vars, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
				"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
			env.Setenv("CAPGEN_CACHE", filepath.Join(env.WorkDir, ".cache"))
			return writeModule(root, env.WorkDir, "example.com/app")
		},
	})
}

// goEnvironment shares the caches of the process that runs the test, since a script has no home of its own.
func goEnvironment(t *testing.T) []string {
	t.Helper()
	names := []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOTOOLCHAIN", "GOFLAGS"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"GOPROXY=off", "GOWORK=off", "GONOSUMDB=*"}
	for i, value := range strings.Split(strings.TrimRight(string(out), "\n"), "\n") {
		env = append(env, names[i]+"="+value)
	}
	return env
}

var requirements = regexp.MustCompile(`(?ms)^require \(.*?^\)\n`)

// writeModule makes a folder a module that uses this one, unless it is a module already.
func writeModule(root, folder, path string) error {
	name := filepath.Join(folder, "go.mod")
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	ours, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	text := "module " + path + "\n\ngo 1.26.0\n\nrequire github.com/capgen/capgen v0.0.0\n\nreplace github.com/capgen/capgen => " + root + "\n\n" +
		strings.Join(requirements.FindAllString(string(ours), -1), "\n")
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(name, []byte(text), 0o666), os.WriteFile(filepath.Join(folder, "go.sum"), sums, 0o666))
}

// requireModule makes a folder of the scenario another module that the main one requires: require example.com/other other.
func requireModule(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: require PATH FOLDER")
	}
	ts.Check(writeModule(ts.Getenv("ROOT"), ts.MkAbs(args[1]), args[0]))
	name := ts.MkAbs("go.mod")
	text := ts.ReadFile(name) + "\nrequire " + args[0] + " v0.0.0\n\nreplace " + args[0] + " => ./" + args[1] + "\n"
	ts.Check(os.WriteFile(name, []byte(text), 0o666))
}

var longAgo = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// age gives files an old time of change, so that aged can tell which were written since.
func age(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		ts.Check(os.Chtimes(ts.MkAbs(name), longAgo, longAgo))
	}
}

// aged fails for files that were written since age; with ! for those that were not.
func aged(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		info, err := os.Stat(ts.MkAbs(name))
		ts.Check(err)
		if info.ModTime().Equal(longAgo) == neg {
			ts.Fatalf("%s: changed %v", name, info.ModTime())
		}
	}
}
