package runtime_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime"
)

func TestRawWriterPanicEcho(t *testing.T) {
	h, err := runtime.NewHandler(registry(t, newFixture()), runtime.WithServer(extras(make(chan string, 10), nil)))
	if err != nil {
		t.Fatal(err)
	}
	url := serveHandler(t, h)
	s := open(t, url, "2025-11-25")
	for _, r := range []request{modernCall("1", "raw_echo", `{}`), s.call("1", "raw_echo", `{}`)} {
		func() {
			defer func() { t.Log(recover()) }()
			req := httptest.NewRequest("POST", "/", strings.NewReader(r.body))
			req.Header = r.header
			h.ServeHTTP(panicOnFlush{httptest.NewRecorder()}, req)
		}()
	}
	time.Sleep(300 * time.Millisecond)
}

func TestIDCollision(t *testing.T) {
	started, release := make(chan string, 100), make(chan struct{})
	url := server(t, newFixture(), runtime.WithServer(extras(started, release)), runtime.WithDeadline(3*time.Second))
	s := open(t, url, "2025-03-26")
	for i := 1; i <= 60; i++ {
		_ = s.call(fmt.Sprint(i), "raw_slow", "{}").background(t, url)
	}
	for range 60 {
		<-started
	}
	answers := s.post(`[{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"raw_echo","arguments":{}}}]`).background(t, url)
	select {
	case a := <-answers:
		if !strings.Contains(a.body, "content") {
			t.Errorf("%d %s", a.status, a.body)
		}
	case <-time.After(2 * time.Second):
		t.Error("no answer")
	}
	close(release)
}
