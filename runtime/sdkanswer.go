package runtime

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"github.com/capgen/capgen/runtime/internal/envelope"
)

// sdkAnswer is the http.ResponseWriter that go-sdk writes to. It keeps what it is told, until that turns out to be a stream and
// there is one to open: then it passes everything on. Go-sdk writes from goroutines of its own and by turns.
type sdkAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer

	open   func() *eventStream // nil when a stream is not expected
	stream *eventStream
}

func newSDKAnswer(open func() *eventStream) *sdkAnswer {
	return &sdkAnswer{header: http.Header{}, open: open}
}

// Header implements http.ResponseWriter.
func (a *sdkAnswer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *sdkAnswer) WriteHeader(status int) {
	if a.status != 0 {
		return
	}
	a.status = status
	if status == http.StatusOK && a.open != nil && strings.HasPrefix(a.header.Get("Content-Type"), mediaStream) {
		a.stream = a.open()
	}
}

// Write implements http.ResponseWriter. A panic of the application's writer must not meet go-sdk's goroutines.
func (a *sdkAnswer) Write(text []byte) (n int, err error) {
	a.WriteHeader(http.StatusOK)
	if a.stream == nil {
		return a.body.Write(text)
	}
	defer func() {
		if recover() != nil {
			n, err = 0, http.ErrAbortHandler
		}
	}()
	return a.stream.Write(text)
}

// Flush implements http.Flusher. A stream flushes what it writes.
func (a *sdkAnswer) Flush() { a.WriteHeader(http.StatusOK) }

// result returns the result of the one response that was kept, or why there is none. The text of go-sdk's errors is not passed
// on: it is made for its own users.
func (a *sdkAnswer) result() ([]byte, *refusal) {
	message, ok := envelope.ReadObject(bytes.TrimSpace(a.body.Bytes()))
	if result := message.Get("result"); ok && result != nil {
		return result, nil
	}
	failed, ok := envelope.ReadObject(message.Get("error"))
	if !ok {
		if a.status >= http.StatusInternalServerError || a.status < http.StatusBadRequest {
			return nil, internalError("Internal error")
		}
		return nil, invalidRequest(a.status, "the message is not accepted")
	}
	switch code, _ := strconv.Atoi(string(failed.Get("code"))); code {
	case codeInvalidRequest:
		return nil, invalidRequest(http.StatusBadRequest, "the message is not accepted")
	case codeMethodNotFound:
		return nil, methodNotFound()
	case codeInvalidParams, 0:
		// Go-sdk leaves the code of what its types cannot hold at 0, which is none.
		return nil, invalidParams("the parameters do not match the method's schema")
	}
	return nil, internalError("Internal error")
}
