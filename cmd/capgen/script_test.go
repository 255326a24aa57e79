package main

import (
	"errors"
	"flag"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output of the scenarios")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"capgen": main})
}

// TestScript runs the scenarios in testdata/script. They find a server of ours in $SERVER, a server of somebody else in
// $FOREIGN, and in $CLOSED an address where nothing listens.
func TestScript(t *testing.T) {
	ours := httptest.NewServer(ourServer(t))
	t.Cleanup(ours.Close)
	foreign := httptest.NewServer(foreignServer())
	t.Cleanup(foreign.Close)
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()

	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"status": status},
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", "atexit_sleep_ms=0") // else each process of a race-enabled test takes a second to end
			env.Setenv("CAPGEN_CACHE", "off")
			env.Setenv("SERVER", ours.URL)
			env.Setenv("FOREIGN", foreign.URL)
			env.Setenv("CLOSED", closed.URL)
			return nil
		},
	})
}

// status runs a command that must exit with a code other than 0: status 2 capgen frobnicate.
func status(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: status CODE COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); !errors.As(err, &exit) || exit.ExitCode() != want {
		ts.Fatalf("want exit status %d, got %v", want, err)
	}
}
