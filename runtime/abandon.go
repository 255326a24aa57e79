package runtime

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/capgen/capgen/capabilities"
)

// The handler of a call over HTTP/1.1 runs on the goroutine that net/http gave the request, which saves a goroutine for each call. Net/http ends an answer
// when that goroutine comes back. So when a handler is deaf to the end of its context, its call is answered from a timer's goroutine, which takes the
// connection from net/http and closes it.

// canBeAbandoned reports whether the exchange can be answered that way. It cannot be on HTTP/2, where there is no connection to take, nor behind a writer of the
// application's that hides it, nor as a part of a batch; then the handler has a goroutine of its own. So has the handler of a call whose progress is told, which
// becomes a stream early: the connection of a stream that may be taken is not used again, since its client must not write on it meanwhile.
func (x *exchange) canBeAbandoned() bool {
	_, ok := x.w.(http.Hijacker)
	return ok && x.r.ProtoMajor == 1 && x.call.answer == &x.late
}

// Abandon implements capabilities.Watcher: it answers for a handler that goes on, and lets go of all that the request held.
func (x *exchange) Abandon(failure *capabilities.Failure) {
	defer x.late.contain()
	x.abandoned = true
	x.reusable = false
	defer x.h.work.end()
	if s := x.call.session; s != nil {
		defer s.leave()
	}
	x.takeOver(x.replyToCall(capabilities.Outcome{}, failure))
	x.h.running.remove(&x.running)
}

// endWork counts the request as answered, unless that was done by who answered it.
func (x *exchange) endWork() {
	if !x.abandoned {
		x.h.work.end()
	}
}

// takeOver sends the answer and ends the connection.
func (x *exchange) takeOver(r reply) {
	a := &x.late
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.close()
	if a.ended {
		return
	}
	a.ended = true
	if a.stream == nil {
		if !a.gone() {
			x.sendAndClose(r)
		}
		return
	}
	if r.body != nil {
		a.emit(r.body)
	}
	a.close()
	if x.r.ProtoAtLeast(1, 1) {
		x.closeWith(func(w io.Writer) error {
			// The chunk that ends a body (RFC 9112, section 7.1).
			_, err := io.WriteString(w, "0\r\n\r\n")
			return err
		})
	}
}

// sendAndClose is send on a connection that is closed afterwards. An answer that must not follow is a stream without events, as always.
func (x *exchange) sendAndClose(r reply) {
	x.answered = true
	header := x.w.Header()
	status := http.StatusOK
	if r.body == nil {
		header.Set("Content-Type", mediaStream)
		header.Set("Cache-Control", "no-cache")
	} else {
		status = x.prepare(r.refused, len(r.body))
	}
	answer := http.Response{
		StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Header: header,
		ContentLength: int64(len(r.body)), Body: io.NopCloser(bytes.NewReader(r.body)), Close: true,
	}
	if x.closeWith(answer.Write) {
		return
	}
	// Without its connection the answer reaches the client all the same, since its length is said; only its end does not.
	header.Set("Connection", "close")
	header.Set("Content-Length", strconv.Itoa(len(r.body)))
	x.w.WriteHeader(status)
	_, _ = x.w.Write(r.body)
	_ = http.NewResponseController(x.w).Flush()
}

// closeWith writes what is left to say on the connection itself and closes it. It reports whether there was one.
func (x *exchange) closeWith(write func(io.Writer) error) bool {
	conn, buffered, err := http.NewResponseController(x.w).Hijack()
	if err != nil {
		return false
	}
	_ = conn.SetWriteDeadline(time.Now().Add(x.h.config.writeWait))
	// A client that has gone is not told anything.
	if write(buffered) == nil {
		_ = buffered.Flush()
	}
	_ = conn.Close()
	return true
}
