package runtime_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/runtime"
)

// brokenWriter panics when it is written to for the first time, as middleware of an application may.
type brokenWriter struct {
	http.ResponseWriter
	broken bool
}

func (b *brokenWriter) Write(text []byte) (int, error) {
	if b.broken {
		return b.ResponseWriter.Write(text)
	}
	b.broken = true
	panic("the writer is broken")
}

// brokenBody panics when it is read.
type brokenBody struct{}

func (brokenBody) Read([]byte) (int, error) { panic("CANARY-SECRET") }

func quiet(t *testing.T, options ...runtime.Option) *runtime.Handler {
	t.Helper()
	handler, err := runtime.NewHandler(registry(t, newFixture()), append(options, runtime.WithLogger(slog.New(slog.DiscardHandler)))...)
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

// A panic before the answer has begun is an answer.
func TestPanicBeforeAnswer(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/", brokenBody{})
	r.Header = post("").header
	w := httptest.NewRecorder()
	quiet(t).ServeHTTP(w, r)
	if want := `{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"}}`; w.Code != 500 || w.Body.String() != want {
		t.Errorf("%d %s, want %s", w.Code, w.Body, want)
	}
}

// A panic in the middle of an answer breaks the connection: half an answer must not look like a whole one.
func TestPanicInAnswer(t *testing.T) {
	handler := quiet(t)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(&brokenWriter{ResponseWriter: w}, r)
	}))
	defer s.Close()
	response, err := modernCall("1", "echo", `{"text":"x"}`).start(t.Context(), s.URL)
	if err == nil {
		_, err = io.ReadAll(response.Body)
		response.Body.Close()
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want a broken connection", err)
	}
}

// The comments of a stream are written by a goroutine of ours, where a panic would end the process.
func TestPanicInStream(t *testing.T) {
	handler := quiet(t, runtime.Timing(time.Millisecond, 2*time.Millisecond, 0, 0))
	w := &brokenWriter{ResponseWriter: httptest.NewRecorder()}
	call := modernCall("1", "slow", `{"ms":50}`)
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(call.body))
	r.Header = call.header
	handler.ServeHTTP(w, r)
	if !w.broken {
		t.Error("nothing was written while the call ran")
	}
}
