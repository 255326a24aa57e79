package grantstest_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/capgen/capgen/runtime/grants"
	"github.com/capgen/capgen/runtime/grants/grantstest"
)

// fault names, in a process of its own, how the store under test is broken.
const fault = "CAPGEN_GRANTS_FAULT"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestFaults holds the suite against stores that break one rule each: the test that is for the rule must fail.
func TestFaults(t *testing.T) {
	for _, f := range faults {
		if os.Getenv(fault) == f.name {
			grantstest.TestStore(t, func(*testing.T) grants.Store { return f.open() })
			return
		}
	}
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFaults$/^"+f.foundBy+"$")
			// The race detector waits for a second at the end of a process, otherwise.
			child.Env = append(os.Environ(), fault+"="+f.name, "GORACE=atexit_sleep_ms=0")
			output, err := child.CombinedOutput()
			var exit *exec.ExitError
			failed := "--- FAIL: TestFaults/" + strings.ReplaceAll(f.foundBy, " ", "_")
			if !errors.As(err, &exit) || !strings.Contains(string(output), failed) || strings.Contains(string(output), "panic:") {
				t.Errorf("%q did not find it: %v\n%s", f.foundBy, err, output)
			}
		})
	}
}
