package deploy

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/capgen/capgen/internal/postgres"
)

// wanted is set by make test-deploy, since the tests need an nginx, which few machines of contributors have.
const wanted = "CAPGEN_TEST_DEPLOY"

func TestMain(m *testing.M) { os.Exit(postgres.Main(m)) }

// stack is a running one.
type stack struct {
	t        *testing.T
	env      []string
	endpoint string
	token    string
}

// up starts the stack on free ports, until the test ends.
func up(t *testing.T) *stack {
	t.Helper()
	if os.Getenv(wanted) == "" {
		t.Skip("needs nginx: make test-deploy")
	}
	state := t.TempDir()
	ports := freePorts(t, 5)
	s := &stack{t: t, endpoint: "http://127.0.0.1:" + ports[0] + "/mcp"}
	s.env = append(os.Environ(), "STATE="+state, "DATABASE_URL="+postgres.Start(t),
		"PORT="+ports[0], "FRONT1="+ports[1], "FRONT2="+ports[2], "TASKS1="+ports[3], "TASKS2="+ports[4])
	t.Cleanup(func() {
		s.run("down")
		if t.Failed() {
			for _, name := range []string{"nginx", "front1", "front2"} {
				log, _ := os.ReadFile(filepath.Join(state, name+".log"))
				t.Logf("%s: %s", name, log)
			}
		}
	})
	if out := s.run("up"); !strings.Contains(out, "Serving at "+s.endpoint) {
		t.Fatal(out)
	}
	token, err := os.ReadFile(filepath.Join(state, "token"))
	if err != nil {
		t.Fatal(err)
	}
	s.token = string(token)
	return s
}

// run runs the script, which must succeed. It waits for the script alone: what it leaves running has a log of its own.
func (s *stack) run(args ...string) string {
	s.t.Helper()
	command := exec.Command("../../deploy/stack.sh", args...)
	command.Env = s.env
	out, err := command.CombinedOutput()
	if err != nil {
		s.t.Errorf("deploy/stack.sh %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// freePorts returns ports that nothing listens on.
func freePorts(t *testing.T, n int) []string {
	t.Helper()
	ports := make([]string, n)
	for i := range ports {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		// Closed when all are found, so that none is found twice.
		defer listener.Close()
		ports[i] = strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	}
	return ports
}
