package deploy

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const clients = 6

// Clients of revision 2026-07-28 lose no call while one front is killed, started, stopped and started again: nginx asks the other one, and a
// call that was carried out twice has created its task once.
func TestFailover(t *testing.T) {
	s := up(t)
	var group sync.WaitGroup
	var calls [clients]atomic.Int64
	stop := make(chan struct{})
	for i := range clients {
		session := s.connect()
		group.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				run := fmt.Sprintf(`{"goal": "client %d, call %d", "complexity": "simple", "key": "%d-%d"}`, i, n, i, n)
				for tool, input := range map[string]string{"orchestrator_run": run, "orchestrator_status": `{}`} {
					if err := call(t.Context(), session, tool, input, nil); err != nil {
						t.Errorf("client %d, call %d of %s: %v", i, n, tool, err)
						return
					}
				}
				calls[i].Add(1)
			}
		})
	}
	// Between two steps every client has some calls answered.
	settle := func() {
		t.Helper()
		var before [clients]int64
		for i := range clients {
			before[i] = calls[i].Load()
		}
		for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			done := 0
			for i := range clients {
				if calls[i].Load() >= before[i]+10 {
					done++
				}
			}
			if done == clients || t.Failed() {
				return
			}
			if time.Now().After(deadline) {
				t.Error("the clients are not answered any more")
				return
			}
		}
	}
	for range 3 {
		for _, step := range [][]string{{"kill", "front1"}, {"start", "front1"}, {"stop", "front2"}, {"start", "front2"}} {
			settle()
			s.run(step...)
		}
	}
	settle()
	close(stop)
	group.Wait()

	var total int64
	for i := range clients {
		total += calls[i].Load()
	}
	var summary struct {
		Result struct{ Total int64 }
	}
	if err := call(t.Context(), s.connect(), "orchestrator_status", `{}`, &summary); err != nil {
		t.Fatal(err)
	}
	if summary.Result.Total != total {
		t.Errorf("%d calls have created %d tasks", total, summary.Result.Total)
	}
	t.Logf("%d runs, none lost", total)
}

// Both fronts say the same of the tasks, and who has no token reads nothing.
func TestBehindTheBalancer(t *testing.T) {
	s := up(t)
	if err := call(t.Context(), s.connect(), "orchestrator_run", `{"goal": "seen by both", "key": "k"}`, nil); err != nil {
		t.Fatal(err)
	}
	session := s.connect()
	for range 4 { // in turn
		var page struct {
			Result struct{ Tasks []struct{ Goal string } }
		}
		if err := call(t.Context(), session, "orchestrator_tasks", `{}`, &page); err != nil || len(page.Result.Tasks) != 1 {
			t.Errorf("%+v, %v", page, err)
		}
	}
	response, err := http.Post(s.endpoint, "application/json", nil)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a token: %s", response.Status)
	}
}

// connect returns a client that does not try again by itself.
func (s *stack) connect() *mcp.ClientSession {
	s.t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil)
	session, err := client.Connect(s.t.Context(), &mcp.StreamableClientTransport{
		Endpoint:   s.endpoint,
		HTTPClient: &http.Client{Transport: bearer{s.token, &http.Transport{}}},
		MaxRetries: -1,
	}, &mcp.ClientSessionOptions{ProtocolVersion: "2026-07-28"})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = session.Close() })
	return session
}

func call(ctx context.Context, session *mcp.ClientSession, tool, input string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	answer, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(input)})
	if err != nil {
		return err
	}
	text := answer.Content[0].(*mcp.TextContent).Text
	if answer.IsError {
		return fmt.Errorf("it failed: %s", text)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal([]byte(text), into)
}

type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}
