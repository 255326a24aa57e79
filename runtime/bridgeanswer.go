package runtime

import (
	"context"
	"errors"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/capgen/capgen/runtime/internal/envelope"
)

// Why a handler can write no more.
var (
	errBridgeTime     = errors.New("runtime: the request took longer than the bridge allows")
	errBridgeSize     = errors.New("runtime: the response is larger than the bridge allows")
	errBridgeSlow     = errors.New("runtime: the client does not read the response")
	errBridgeFinished = errors.New("runtime: the handler has returned already")
)

// bridgeAnswer is the ResponseWriter that a handler gets. It has no Unwrap and no Hijack, and a header of its own, because a
// limit may have to answer in the place of a handler that goes on.
type bridgeAnswer struct {
	config *bridgeConfig
	conn   *bridgeConn
	cancel context.CancelCauseFunc // of the handler's context
	header http.Header
	end    time.Time
	timer  *time.Timer

	mu      sync.Mutex
	w       http.ResponseWriter
	control *http.ResponseController
	body    []byte // the request's, for its ID
	left    int64  // how many bytes may follow
	started bool   // the status is sent and cannot be taken back
	broken  bool   // the connection is cut
	err     error  // why the handler's writes fail from now on
}

func (b *Bridge) newAnswer(w http.ResponseWriter, conn *bridgeConn, cancel context.CancelCauseFunc) *bridgeAnswer {
	a := &bridgeAnswer{
		config:  b.config,
		conn:    conn,
		cancel:  cancel,
		header:  http.Header{},
		end:     time.Now().Add(b.config.requestTimeout),
		w:       w,
		control: http.NewResponseController(w),
		left:    b.config.responseBytes,
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer = time.AfterFunc(b.config.requestTimeout, a.expire)
	return a
}

func (a *bridgeAnswer) setBody(body []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.body = body
}

// Header is the handler's alone until it begins to answer, and means nothing after that.
func (a *bridgeAnswer) Header() http.Header { return a.header }

func (a *bridgeAnswer) WriteHeader(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begin(status, 0)
}

func (a *bridgeAnswer) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begin(http.StatusOK, int64(len(p)))
	if a.err == nil && int64(len(p)) > a.left {
		a.cut(errBridgeSize)
	}
	if a.err != nil {
		return 0, a.err
	}
	a.left -= int64(len(p))
	a.extend(a.end)
	n, err := a.w.Write(p)
	a.written(err)
	return n, err
}

// Flush is FlushError for handlers that know http.Flusher only.
func (a *bridgeAnswer) Flush() { _ = a.FlushError() }

func (a *bridgeAnswer) FlushError() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begin(http.StatusOK, 0)
	if a.err != nil {
		return a.err
	}
	a.extend(a.end)
	err := a.control.Flush()
	a.written(err)
	return err
}

// begin sends the status, once, unless it is known already that so many bytes are too many.
func (a *bridgeAnswer) begin(status int, size int64) {
	if a.started || a.err != nil {
		return
	}
	if status >= 100 && status < 200 {
		// Nothing that is not an answer is counted, so nothing such is sent; and without its connection nobody switches protocols.
		return
	}
	header, headerSize := a.w.Header(), 0
	clear(header)
	for name, values := range a.header {
		// Whatever way the handler spells it: net/http knows headers by one spelling, and sends them all.
		name = http.CanonicalHeaderKey(name)
		for _, value := range values {
			headerSize += len(name) + len(value)
			if !slices.Contains(hopByHop, name) || name == "Connection" && value == "close" {
				header.Add(name, value)
			}
		}
	}
	// A length that is no number is net/http's to drop.
	declared, _ := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
	if max(declared, size) > a.left || headerSize > maxBridgeHeaderBytes {
		refused := internalError("The response is larger than the bridge allows.")
		refused.status, refused.close = http.StatusInternalServerError, true
		a.replace(refused, errBridgeSize)
		return
	}
	a.extend(a.end)
	a.w.WriteHeader(status)
	a.started = true
}

// hopByHop are headers of the connection, which is not the handler's. One of them, "Transfer-Encoding: identity", would have the end
// of the connection be the end of a response, and so hide that it was cut.
var hopByHop = []string{"Connection", "Keep-Alive", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

// extend gives the next write its time.
func (a *bridgeAnswer) extend(end time.Time) {
	deadline := time.Now().Add(a.config.writeWait)
	if end.Before(deadline) {
		deadline = end
	}
	_ = a.conn.SetWriteDeadline(deadline)
}

// written cuts the connection of a client that does not read, whatever the handler makes of the error.
func (a *bridgeAnswer) written(err error) {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		a.cut(errBridgeSlow)
	}
}

// cut ends a response that cannot be ended well, so that its client sees that a part is missing. The connection goes before the context: a
// handler that returns when its context ends would else have a complete response.
func (a *bridgeAnswer) cut(why error) {
	a.err, a.broken = why, true
	_ = a.conn.Close()
	a.cancel(why)
}

// refuse answers instead of the handler.
func (a *bridgeAnswer) refuse(refused *refusal) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.started {
		a.replace(refused, errBridgeFinished)
	}
}

// replace is refuse with the reason that the handler is told. Nothing may have been sent.
func (a *bridgeAnswer) replace(refused *refusal, why error) {
	a.started, a.err = true, why
	x := exchange{w: a.w}
	if message, malformed := envelope.Parse(a.body); malformed != nil {
		x.id = malformed.ID
	} else if message.Kind == envelope.Request {
		x.id = message.ID
	}
	clear(a.w.Header())
	// When the time of the request is up, its refusal still has the time of a write.
	a.extend(time.Now().Add(a.config.writeWait))
	x.refuse(refused)
	// The handler may go on for long, and its connection could take no other request meanwhile.
	_ = a.control.Flush()
	a.cancel(why)
}

// expire is the timer's: the time of the request is up.
func (a *bridgeAnswer) expire() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == errBridgeFinished {
		return
	}
	if a.started {
		a.cut(errBridgeTime)
		return
	}
	refused := internalError("The request took longer than the bridge allows.")
	refused.status, refused.close = http.StatusGatewayTimeout, true
	a.replace(refused, errBridgeTime)
	// The connection of a handler that returns is closed by net/http. A deaf one's is closed as soon as the answer can have been read.
	time.AfterFunc(a.config.closeWait, func() { _ = a.conn.Close() })
}

// finish is deferred around the handler.
func (a *bridgeAnswer) finish() {
	value := recover()
	if value != nil && value != http.ErrAbortHandler {
		logPanic(context.Background(), a.config.logger, value)
	}
	a.timer.Stop()
	a.mu.Lock()
	defer a.mu.Unlock()
	abort := a.broken || value == http.ErrAbortHandler
	switch {
	case value == nil || abort:
	case !a.started:
		refused := internalError("Internal error")
		refused.status = http.StatusInternalServerError
		a.replace(refused, errBridgeFinished)
	case a.err == nil:
		// The client takes half an answer for a whole one unless the connection breaks.
		abort = true
	}
	a.err = errBridgeFinished
	if abort {
		panic(http.ErrAbortHandler)
	}
	// Net/http sends what is left in its buffers.
	a.extend(time.Now().Add(a.config.writeWait))
}
