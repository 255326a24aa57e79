package source_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// TestMain fetches what the modules under test may be asked about. They are loaded without the module proxy, and the go command's
// answer on an import that is not there depends on having read every requirement.
func TestMain(m *testing.M) {
	download := exec.Command("go", "mod", "download")
	download.Dir = "../../.."
	if out, err := download.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go mod download: %v\n%s", err, out)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
