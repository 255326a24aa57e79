package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/capgen/capgen/internal/fixture/fixturetest"
)

// A server that is told to stop in the middle of 100 calls answers them all, and takes no more.
func TestStopLosesNoCall(t *testing.T) {
	fixture := fixturetest.Start(t, `{}`, "-raw=false")
	url := fixture.URL
	session := send(t, url, http.Header{}, `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`).header.Get("Mcp-Session-Id")
	const calls = 100
	var answered atomic.Int32
	var calling sync.WaitGroup
	for i := range calls {
		calling.Go(func() {
			params := fmt.Sprintf(`"name":"slow","arguments":{"ms":3000,"key":"k%d"}`, i)
			header, meta := http.Header{"Mcp-Session-Id": {session}}, ""
			if i%2 == 0 {
				header = http.Header{"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"slow"}}
				meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
			}
			got := send(t, url, header, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s%s}}`, i, params, meta))
			if got.status == http.StatusOK && strings.Contains(got.body, "slept") {
				answered.Add(1)
			} else {
				t.Errorf("call %d: %d %s", i, got.status, got.body)
			}
		})
	}
	for i := range calls {
		probe := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"probe","arguments":{"key":"k%d"}}}`, i)
		for !strings.Contains(send(t, url, http.Header{"Mcp-Session-Id": {session}}, probe).body, "running") {
			time.Sleep(5 * time.Millisecond)
		}
	}
	fixture.Stop()
	calling.Wait()
	if answered.Load() != calls {
		t.Errorf("%d of %d calls were answered", answered.Load(), calls)
	}
	if response, err := http.Post(url, "application/json", strings.NewReader("{}")); err == nil {
		_ = response.Body.Close()
		if response.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("a request after the stop: %d", response.StatusCode)
		}
	}
}

type sent struct {
	status int
	header http.Header
	body   string
}

// send posts a message and reads the answer to its end.
func send(t *testing.T, url string, header http.Header, body string) sent {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Error(err)
		return sent{}
	}
	request.Header = header.Clone()
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return sent{}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Error(err)
	}
	return sent{response.StatusCode, response.Header, string(text)}
}
