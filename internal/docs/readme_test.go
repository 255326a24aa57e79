package docs

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/capgen/capgen/internal/testcache"
)

const (
	repository = "../.."
	version    = "v0.0.0" // of the repository, in the modules that the tests make
)

// block is a fenced block of a document.
type block struct {
	section string // the heading it is under
	kind    string // go, sh
	text    string
}

var (
	heading = regexp.MustCompile(`^## (.+)$`)
	fence   = regexp.MustCompile("^( *)```(.*)$")
	named   = regexp.MustCompile(`^// (\S+\.go)\n`) // a block that is a file begins with its name
)

// blocksOf reads the fenced blocks of README.md, without the indentation of a list.
func blocksOf(t *testing.T) []block {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	section, indent, open := "", "", false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		mark := fence.FindStringSubmatch(line)
		switch {
		case mark != nil && !open:
			open, indent = true, mark[1]
			blocks = append(blocks, block{section: section, kind: mark[2]})
		case mark != nil:
			open = false
		case open:
			blocks[len(blocks)-1].text += strings.TrimPrefix(line, indent) + "\n"
		case heading.MatchString(line):
			section = heading.FindStringSubmatch(line)[1]
		}
	}
	return blocks
}

// The files of README.md make a module, built, served and called by the commands of the five steps.
func TestOwnModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	dir, address := newModule(t, "example.com/shop"), freeAddress(t)
	here := strings.NewReplacer("http://127.0.0.1:8053", "http://"+address, "@latest", "@"+version)
	var commands []string
	for _, b := range blocksOf(t) {
		if name := named.FindStringSubmatch(b.text); b.kind == "go" && name != nil {
			write(t, filepath.Join(dir, name[1]), here.Replace(b.text))
		}
		if b.kind == "sh" && b.section == "Use it in your own module" {
			commands = append(commands, strings.Split(strings.TrimSpace(here.Replace(b.text)), "\n")...)
		}
	}
	served, out := false, ""
	for _, command := range commands {
		if strings.Contains(command, address) && !served {
			served = true
			serve(t, dir, address)
		}
		out = shell(t, dir, command)
	}
	if !strings.Contains(out, "Night Drive") {
		t.Errorf("the last command prints\n%s", out)
	}
	for _, command := range []string{"go tool capgen check ./...", "gofmt -l .", "go vet ./...", "go test ./..."} {
		out = shell(t, dir, command)
		if command == "gofmt -l ." && out != "" {
			t.Errorf("README.md holds code that is not gofmt-clean:\n%s", out)
		}
	}
}

// Twelve lines are a capability, and the check tells on those who forget to generate.
func TestAddACapability(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	var lines string
	for _, b := range blocksOf(t) {
		if b.section == "Add a capability" && b.kind == "go" {
			lines += b.text
		}
	}
	if n := strings.Count(lines, "\n"); n != 12 {
		t.Errorf("the lines to copy are %d, and README.md says twelve", n)
	}
	dir := newModule(t, "example.com/zones")
	if err := os.CopyFS(filepath.Join(dir, "zones"), os.DirFS(filepath.Join(repository, "examples", "quickstart", "zones"))); err != nil {
		t.Fatal(err)
	}
	service := filepath.Join(dir, "zones", "service.go")
	text, err := os.ReadFile(service)
	if err != nil {
		t.Fatal(err)
	}
	write(t, service, string(text)+"\n"+lines)

	shell(t, dir, "go get -tool github.com/capgen/capgen/cmd/capgen@"+version)
	shell(t, dir, "go get github.com/capgen/capgen/runtime@"+version) // what the tests of the zones need
	const check = "go tool capgen check ./..."
	out, err := run(t, dir, check)
	if err == nil || !strings.Contains(out, "+	\"tool\": \"zone_now\",") || !strings.Contains(out, "run capgen generate ./...") {
		t.Errorf("before the code is generated %s says %v\n%s", check, err, out)
	}
	shell(t, dir, "go generate ./...")
	if out := shell(t, dir, check); out != "" {
		t.Errorf("after the code is generated %s prints\n%s", check, out)
	}
	if out := shell(t, dir, "gofmt -l ."); out != "" {
		t.Errorf("not gofmt-clean: %s", out)
	}
	shell(t, dir, "go vet ./...")
}

// newModule makes a folder with a module that takes Capgen from the repository.
func newModule(t *testing.T, path string) string {
	t.Helper()
	testcache.DependOn(t, repository)
	root, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	shell(t, dir, "go mod init "+path)
	shell(t, dir, "go mod edit -require github.com/capgen/capgen@"+version+" -replace github.com/capgen/capgen='"+root+"'")
	write(t, filepath.Join(dir, "go.sum"), string(sums))
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// shell runs a command that must succeed and returns what it prints.
func shell(t *testing.T, dir, command string) string {
	t.Helper()
	out, err := run(t, dir, command)
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return out
}

func run(t *testing.T, dir, command string) (string, error) {
	cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY="+proxy(), "CAPGEN_CACHE=off") // that of whoever runs the test is not ours to write to
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// proxy is where the go command looks for modules: where it does otherwise, but it goes on after every error. It also asks for modules
// that do not exist, whose paths are longer than the repository's.
var proxy = sync.OnceValue(func() string {
	out, err := exec.Command("go", "env", "GOPROXY").Output()
	if err != nil {
		return "off"
	}
	usual := strings.ReplaceAll(strings.TrimSpace(string(out)), ",direct", "")
	return strings.ReplaceAll(usual, ",", "|") + "|off"
})

// serve builds the program in a folder and runs it until the test ends. It returns when the address can be connected to.
func serve(t *testing.T, dir, address string) {
	t.Helper()
	shell(t, dir, "go build -o served .")
	ctx, stop := context.WithCancel(t.Context())
	server := exec.CommandContext(ctx, filepath.Join(dir, "served"))
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	server.Env = append(os.Environ(), "CAPGEN_PORT="+port)
	var out bytes.Buffer
	server.Stdout, server.Stderr = &out, &out
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = server.Wait() // it was killed
	})
	if answers(address) {
		return
	}
	stop()
	_ = server.Wait()
	t.Fatalf("nothing listens on %s\n%s", address, out.String())
}

// answers waits until an address can be connected to, and reports whether it can.
func answers(address string) bool {
	for begin := time.Now(); time.Since(begin) < 10*time.Second; time.Sleep(20 * time.Millisecond) {
		if connection, err := net.Dial("tcp", address); err == nil {
			connection.Close()
			return true
		}
	}
	return false
}

// freeAddress returns an address that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
