package runtime

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/internal/envelope"
)

// sdkAnswer is the http.ResponseWriter that go-sdk writes to. It keeps what it is told, until that turns out to be a stream and
// there is one to open: then it passes everything on. Go-sdk writes from goroutines of its own: by turns, unless a client uses the ID of a call that
// has ended again, to whose stream something was still to be told.
type sdkAnswer struct {
	mu     sync.Mutex
	header http.Header
	status int
	body   bytes.Buffer

	open   func() *eventStream // nil when a stream is not expected
	stream *eventStream

	// broken: the application's writer panicked when a stream was opened.
	broken bool

	// answered: the response itself was among the events, so nothing may follow.
	answered bool
}

func newSDKAnswer(open func() *eventStream) *sdkAnswer {
	return &sdkAnswer{header: http.Header{}, open: open}
}

// Header implements http.ResponseWriter.
func (a *sdkAnswer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *sdkAnswer) WriteHeader(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.writeHeader(status)
}

func (a *sdkAnswer) writeHeader(status int) {
	if a.status != 0 {
		return
	}
	a.status = status
	defer func() {
		if recover() != nil {
			a.broken = true
		}
	}()
	if status == http.StatusOK && a.open != nil && strings.HasPrefix(a.header.Get("Content-Type"), mediaStream) {
		a.stream = a.open()
	}
}

// Write implements http.ResponseWriter. A panic of the application's writer must not meet go-sdk's goroutines.
func (a *sdkAnswer) Write(text []byte) (n int, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.writeHeader(http.StatusOK)
	if a.broken {
		return 0, http.ErrAbortHandler
	}
	if a.stream == nil {
		return a.body.Write(text)
	}
	defer func() {
		if recover() != nil {
			n, err = 0, http.ErrAbortHandler
		}
	}()
	a.answered = a.answered || isResponse(lastEvent(text))
	return a.stream.Write(text)
}

// endStream ends a stream that a request is answered on. Go-sdk drops the answer of a call whose session or server ends: its caller is told
// all the same.
func (a *sdkAnswer) endStream(id []byte, client context.Context) *refusal {
	if id != nil && !a.answered && client.Err() == nil {
		a.stream.event(response(id, nil, internalError(capabilities.Cancelled.Sentence())))
	}
	return nil
}

// lastEvent returns the data of the last event that has some.
func lastEvent(text []byte) []byte {
	// At the beginning of a line, since JSON may hold the same words but no line ends.
	const mark = "\ndata: {"
	i := bytes.LastIndex(append([]byte{'\n'}, text...), []byte(mark))
	if i < 0 {
		return nil
	}
	data, _, _ := bytes.Cut(text[i+len(mark)-2:], []byte("\n"))
	return data
}

func isResponse(message []byte) bool {
	members, ok := envelope.ReadObject(message)
	return ok && members.Get("method") == nil && members.Get("id") != nil
}

// Flush implements http.Flusher. A stream flushes what it writes.
func (a *sdkAnswer) Flush() { a.WriteHeader(http.StatusOK) }

// applicationResult is result for what the application answers, whose errors are its callers' to read: guard has replaced those that are not.
func (a *sdkAnswer) applicationResult() ([]byte, *refusal) {
	result, refused := a.result()
	failed, ok := envelope.ReadObject(a.message().Get("error"))
	if refused == nil || !ok {
		return result, refused
	}
	code, err := strconv.Atoi(string(failed.Get("code")))
	text, isText := envelope.ReadString(failed.Get("message"))
	if err != nil || code == 0 || !isText {
		return nil, refused
	}
	return nil, &refusal{status: a.status, code: code, message: text, data: failed.Get("data")}
}

// message returns the one message that was kept.
func (a *sdkAnswer) message() envelope.Object {
	body := bytes.TrimSpace(a.body.Bytes())
	if strings.HasPrefix(a.header.Get("Content-Type"), mediaStream) {
		body = lastEvent(body)
	}
	message, _ := envelope.ReadObject(body)
	return message
}

// result returns the result of the one response that was kept, or why there is none. The text of go-sdk's errors is not passed
// on: it is made for its own users.
func (a *sdkAnswer) result() ([]byte, *refusal) {
	message := a.message()
	if result := message.Get("result"); result != nil {
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
