package servers_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/gen"
	"github.com/capgen/capgen/internal/bench/load"
	"github.com/capgen/capgen/internal/bench/servers"
	"github.com/capgen/capgen/internal/bench/tools"
)

// TestAnswers has every server answer both tools, as the benchmark calls it.
func TestAnswers(t *testing.T) {
	for _, kind := range servers.Kinds() {
		t.Run(kind.Name, func(t *testing.T) {
			server := httptest.NewServer(kind.New())
			defer server.Close()
			for _, sample := range tools.Samples() {
				pool, err := load.Open(server.Listener.Addr().String(), kind, sample, 2)
				if err != nil {
					t.Fatal(err)
				}
				took, err := pool.Run(20 * time.Millisecond)
				if err != nil {
					t.Errorf("%s: %v", sample.Tool, err)
				}
				if len(took) < 2 {
					t.Errorf("%s: %d calls", sample.Tool, len(took))
				}
				if err := pool.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestWrongAnswers holds that the client would notice.
func TestWrongAnswers(t *testing.T) {
	sample := tools.Samples()[0]
	bare, _ := servers.Find(servers.Bare)
	good := `{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":` + quote(sample.Answer) + `}],"structuredContent":` + string(sample.Answer) + `}}`
	if err := load.Check([]byte(good), bare, sample, 7); err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]string{
		"another ID":      strings.Replace(good, `"id":7`, `"id":8`, 1),
		"another text":    strings.Replace(good, `\"year\":1984`, `\"year\":1985`, 1),
		"another content": strings.Replace(good, `"year":1984`, `"year":1985`, 1),
		"a failure":       strings.Replace(good, `"result":{`, `"result":{"isError":true,`, 1),
		"an error":        `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"no"}}`,
		"cut short":       good[:len(good)-1],
	} {
		if bad == good || load.Check([]byte(bad), bare, sample, 7) == nil {
			t.Errorf("%s is not noticed", name)
		}
	}
}

func quote(text []byte) string { return `"` + strings.ReplaceAll(string(text), `"`, `\"`) + `"` }

// TestGenerated holds that the generated files are those of this generator.
func TestGenerated(t *testing.T) {
	plan, err := gen.Generate(t.Context(), gen.Config{Dir: "..", Patterns: []string{"./..."}, NoDescriptions: true})
	if err != nil {
		t.Fatal(err)
	}
	if stale := plan.Stale(); len(stale) > 0 {
		t.Errorf("stale: %s; run make generate", strings.Join(stale, ", "))
	}
}
