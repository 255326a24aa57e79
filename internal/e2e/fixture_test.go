package e2e

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// binaries is where the fixture is built, for all tests once.
var binaries string

func TestMain(m *testing.M) {
	code := func() int {
		var err error
		if binaries, err = os.MkdirTemp("", "capgen-e2e-"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(binaries)
		return m.Run()
	}()
	os.Exit(code)
}

// fixtureBinary builds the fixture, with the race detector when these tests have it.
var fixtureBinary = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(binaries, "fixture")
	args := []string{"build", "-o", binary}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "-race" && setting.Value == "true" {
				args = append(args, "-race")
			}
		}
	}
	output, err := exec.Command("go", append(args, "../fixture")...).CombinedOutput()
	if err != nil {
		err = errors.New(err.Error() + "\n" + string(output))
	}
	return binary, err
})

// startFixture starts the fixture as a process of its own, with settings as in its settings.go, and returns its URL. When the
// test ends it is told to stop, and must.
func startFixture(t *testing.T, settings string) string {
	t.Helper()
	url, _ := startProcess(t, settings)
	return url
}

func startProcess(t *testing.T, settings string) (string, *os.Process) {
	t.Helper()
	binary, err := fixtureBinary()
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "settings.json")
	if err := os.WriteFile(config, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	fixture := exec.Command(binary, "-config", config)
	var stderr strings.Builder
	fixture.Stderr = &stderr
	stdout, err := fixture.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := fixture.Start(); err != nil {
		t.Fatal(err)
	}
	url, err := bufio.NewReader(stdout).ReadString('\n')
	t.Cleanup(func() { stopFixture(t, fixture, &stderr) })
	if err != nil {
		t.Fatalf("the fixture did not start: %v", err)
	}
	return strings.TrimSpace(url), fixture.Process
}

func stopFixture(t *testing.T, fixture *exec.Cmd, stderr *strings.Builder) {
	t.Helper()
	_ = fixture.Process.Signal(syscall.SIGTERM)
	hung := time.AfterFunc(20*time.Second, func() { _ = fixture.Process.Kill() })
	defer hung.Stop()
	if err := fixture.Wait(); err != nil || t.Failed() {
		t.Errorf("the fixture ended with %v\n%s", err, stderr)
	}
}
