package servers_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/capgen/capgen/internal/bench/load"
	"github.com/capgen/capgen/internal/bench/servers"
	"github.com/capgen/capgen/internal/bench/tools"
)

// inProcess are the servers whose calls are measured without a socket.
var inProcess = []string{servers.Bare, "capgen"}

// BenchmarkCall is a call in process: what the handler itself takes and allocates. The request and the writer are made once.
func BenchmarkCall(b *testing.B) {
	for _, name := range inProcess {
		for _, sample := range tools.Samples() {
			b.Run(name+"/"+sample.Tool, func(b *testing.B) {
				call := newCall(b, name, sample)
				b.ReportAllocs()
				for b.Loop() {
					call.do(b)
				}
			})
		}
	}
}

// BenchmarkParallelCall has twice as many callers as there are cores. With -mutexprofile it shows what they wait for.
func BenchmarkParallelCall(b *testing.B) {
	for _, name := range inProcess {
		for _, sample := range tools.Samples() {
			b.Run(name+"/"+sample.Tool, func(b *testing.B) {
				first := newCall(b, name, sample)
				b.ReportAllocs()
				b.SetParallelism(2)
				b.RunParallel(func(pb *testing.PB) {
					for call := first.again(); pb.Next(); {
						call.do(b)
					}
				})
			})
		}
	}
}

// inProcessCall is a call that can be repeated.
type inProcessCall struct {
	handler http.Handler
	request *http.Request
	text    []byte
	body    *bytes.Reader
	writer  *writer
}

func newCall(b *testing.B, name string, sample tools.Sample) *inProcessCall {
	kind, ok := servers.Find(name)
	if !ok {
		b.Fatalf("there is no server %q", name)
	}
	c := &inProcessCall{handler: kind.New(), text: load.Body(kind.Era, sample, 7)}
	c.request = httptest.NewRequest(http.MethodPost, "http://127.0.0.1/mcp", nil)
	c.request.Header = load.Header(kind.Era, sample.Tool)
	c.request.ContentLength = int64(len(c.text))
	recorder := httptest.NewRecorder()
	c = c.again()
	c.handler.ServeHTTP(recorder, c.request)
	if err := load.Check(recorder.Body.Bytes(), kind, sample, 7); err != nil {
		b.Fatal(err)
	}
	return c.again()
}

// again returns the call for one more caller.
func (c *inProcessCall) again() *inProcessCall {
	body := bytes.NewReader(c.text)
	request := c.request.Clone(c.request.Context())
	request.Body = io.NopCloser(body)
	return &inProcessCall{c.handler, request, c.text, body, &writer{header: http.Header{}}}
}

func (c *inProcessCall) do(b *testing.B) {
	c.body.Reset(c.text)
	c.writer.status = http.StatusOK
	clear(c.writer.header)
	c.handler.ServeHTTP(c.writer, c.request)
	if c.writer.status != http.StatusOK {
		b.Error(fmt.Errorf("status %d", c.writer.status))
	}
}

// writer drops what is written. Like net/http's it takes deadlines, and its connection could be taken.
type writer struct {
	header http.Header
	status int
}

func (w *writer) Header() http.Header         { return w.header }
func (w *writer) Write(p []byte) (int, error) { return len(p), nil }
func (w *writer) WriteHeader(status int)      { w.status = status }

func (w *writer) SetReadDeadline(time.Time) error  { return nil }
func (w *writer) SetWriteDeadline(time.Time) error { return nil }
func (w *writer) Flush()                           {}

func (w *writer) Hijack() (net.Conn, *bufio.ReadWriter, error) { return nil, nil, http.ErrNotSupported }
