package browser

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/capgen/capgen/gen"
	"github.com/capgen/capgen/internal/node"
)

// wanted is set by make test-browser, since the tests need a Chromium, which not every machine has.
const wanted = "CAPGEN_TEST_BROWSER"

// report is what look.mjs saw.
type report struct {
	Phone, Wide view
	// Bare is the page without its script.
	Bare entries
	// Found is what each search leaves.
	Found map[string]entries
	// Targets are those of links within the page that are not there.
	Targets []string
	// Refused says that the page's policy kept the browser from a request.
	Refused bool
	// asked is how many requests came to the server.
	asked int64
}

// view is a page at one width: how wide it is and its smallest text in CSS pixels, and the texts past its edge.
type view struct {
	Width                int
	Smallest             float64
	Across               []string
	Requests, Complaints []string
}

// entries are the capabilities that are visible, and those whose links are, and what the search says.
type entries struct {
	Articles, Links []string
	Said            string
	Form            bool
}

// look writes the page of packages, serves it and looks at it.
func look(t *testing.T, module string, packages []string, queries ...string) *report {
	t.Helper()
	if os.Getenv(wanted) == "" {
		t.Skip("needs Chromium: make test-browser")
	}
	folder, err := node.Install(node.Browser)
	if err != nil {
		t.Fatal(err)
	}
	var seen report
	var asked atomic.Int64
	files := http.FileServer(http.Dir(write(t, module, packages)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	var stderr bytes.Buffer
	args := append([]string{"look.mjs", chromium(t), server.URL + "/capabilities.html"}, queries...)
	command := exec.CommandContext(t.Context(), "node", args...)
	command.Dir, command.Stderr = folder, &stderr
	output, err := command.Output()
	if err != nil {
		t.Fatalf("node look.mjs: %v\n%s", err, stderr.Bytes())
	}
	if err := json.Unmarshal(output, &seen); err != nil {
		t.Fatalf("node look.mjs: %v in %s", err, output)
	}
	seen.asked = asked.Load()
	return &seen
}

// write writes the page into a folder, which it returns.
func write(t *testing.T, module string, packages []string) string {
	t.Helper()
	dir, err := filepath.Abs(module)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	plan, err := gen.Docs(t.Context(), gen.Config{Dir: dir, Patterns: packages, NoDescriptions: true}, folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(); err != nil {
		t.Fatal(err)
	}
	return folder
}

// chromium returns the browser's path.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("there is no chromium in PATH: install it, on Debian with apt-get install chromium")
	return ""
}
