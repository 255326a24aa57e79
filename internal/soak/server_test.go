package soak

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/internal/fixture/tools"
	"github.com/capgen/capgen/runtime"
)

// server is one in this process, so that what it holds can be counted.
type server struct {
	address string
	client  *http.Client
	stop    func()
	// fullHeap is how much is in use when there are as many sessions as there may be.
	fullHeap uint64
}

func startServer(t *testing.T) *server {
	t.Helper()
	registry, err := capabilities.NewRegistry(tools.Bind(new(tools.Service), capabilities.NoResource()))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	listening, ended := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		ended <- runtime.Run(ctx, registry, runtime.Config{Port: runtime.FreePort},
			runtime.WithMaxSessions(maxSessions),
			runtime.WithSessionTimeout(sessionTimeout),
			runtime.WithLogger(slog.New(slog.DiscardHandler)),
			runtime.OnListen(func(addr net.Addr) { listening <- addr }),
		)
	}()
	s := &server{client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: limit}}
	s.stop = sync.OnceFunc(func() {
		s.client.CloseIdleConnections()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	select {
	case addr := <-listening:
		s.address = addr.String()
	case err := <-ended:
		t.Fatalf("the server did not start: %v", err)
	}
	return s
}

// The headers of a request, beside those that its method has of its own.
var (
	legacy = map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
	modern = func(method string) map[string]string {
		return map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method,
		}
	}
)

const (
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"soak","version":"1"}}}`
	meta       = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
)

// send sends a request of a client who behaves.
func (s *server) send(ctx context.Context, method, body string, headers map[string]string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+s.address+runtime.EndpointPath, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	return s.client.Do(request)
}

// call has a text echoed.
func (s *server) call(t *testing.T, text string) {
	headers := modern("tools/call")
	headers["Mcp-Name"] = "echo"
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":%q},%s}}`, text, meta)
	response, err := s.send(t.Context(), http.MethodPost, body, headers)
	if err != nil {
		t.Error(err)
		return
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || !strings.Contains(string(answer), `"structuredContent":{"result":"`+text+`"}`) {
		t.Errorf("a healthy call was answered with %s %.200s (%v)", response.Status, answer, err)
	}
}

// keepCalling has some callers call until the function that it returns is called, which returns how long each call took.
func (s *server) keepCalling(t *testing.T) (end func() []time.Duration) {
	const callers = 4
	stopped := make(chan struct{})
	var calling sync.WaitGroup
	took := make([][]time.Duration, callers)
	for i := range callers {
		calling.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stopped:
					return
				case <-time.After(5 * time.Millisecond):
				}
				began := time.Now()
				s.call(t, fmt.Sprintf("call %d of %d", n, i))
				took[i] = append(took[i], time.Since(began))
			}
		})
	}
	return func() (all []time.Duration) {
		close(stopped)
		calling.Wait()
		for _, some := range took {
			all = append(all, some...)
		}
		return all
	}
}
