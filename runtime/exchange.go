package runtime

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"

	"github.com/capgen/capgen/runtime/internal/envelope"
)

// exchange is one HTTP request and what answers it.
type exchange struct {
	h *Handler
	w http.ResponseWriter
	r *http.Request

	// family is whom the tools are for.
	family *family

	// stdio: the request came on a line and not over HTTP. Its headers are made from the message.
	stdio bool

	// owner is whom a session that is opened by the request belongs to: "" for everybody, when nobody is known.
	owner string

	// scratch is what it is read and answered in, and reusable says that nobody can hold a part of it once the request is answered.
	scratch  *scratch
	reusable bool
	message  envelope.Message
	late     lateAnswer
	call     pendingCall
	running  running

	// abandoned: another goroutine has answered, and let go of what the request held.
	abandoned bool

	// id is the request's JSON-RPC ID as it was spelt, once it was read; every error from then on goes under it.
	id []byte

	// headers are the values of the answer's.
	headers [3]string

	// answered: the status is sent and cannot be taken back.
	answered bool

	// op is what operators see of the one request of the exchange.
	op operation
}

// reply is a JSON-RPC response, or several in an array, that is ready to be sent.
type reply struct {
	body    []byte   // nil when nothing may follow
	refused *refusal // what it says of the HTTP answer; nil is 200
}

func replyTo(id, result []byte, refused *refusal) reply {
	if refused == unanswered {
		return reply{refused: refused}
	}
	return reply{body: response(id, result, refused), refused: refused}
}

// refuse answers with an error.
func (x *exchange) refuse(refused *refusal) {
	x.send(replyTo(x.id, nil, refused))
}

// send answers with one JSON document.
func (x *exchange) send(r reply) { x.sendParts(r.refused, r.body) }

// sendParts answers with one JSON document, which is in parts where some of it is shared.
func (x *exchange) sendParts(refused *refusal, parts ...[]byte) {
	x.op.end(refused)
	length := 0
	for _, part := range parts {
		length += len(part)
	}
	status := x.prepare(refused, length)
	x.answered = true
	x.w.WriteHeader(status)
	for _, part := range parts {
		// A client that has gone is not told anything.
		_, _ = x.w.Write(part)
	}
}

// prepare sets the headers of an answer of that many bytes and returns its status.
func (x *exchange) prepare(refused *refusal, length int) int {
	header := x.w.Header()
	// The three values have their place in the exchange, which saves an allocation for each.
	x.headers = [3]string{mediaJSON, "no-store", strconv.Itoa(length)}
	header["Content-Type"] = x.headers[0:1:1]
	header["Cache-Control"] = x.headers[1:2:2]
	// Said here, because net/http finds out by itself for short bodies only.
	header["Content-Length"] = x.headers[2:3:3]
	if refused == nil {
		return http.StatusOK
	}
	refused.setHeader(header)
	return refused.status
}

// accepted answers a message that has no response.
func (x *exchange) accepted() {
	x.answered = true
	x.w.WriteHeader(http.StatusAccepted)
}

// contain ends a panic on our path: the process goes on, and the client is told what it still can be.
func (x *exchange) contain() {
	value := recover()
	if value == nil {
		return
	}
	if value == http.ErrAbortHandler {
		panic(value)
	}
	x.h.logPanic(x.r.Context(), value)
	x.op.end(internalError("Internal error"))
	if x.answered {
		// The client takes half an answer for a whole one unless the connection breaks.
		panic(http.ErrAbortHandler)
	}
	refused := internalError("Internal error")
	refused.status = http.StatusInternalServerError
	x.refuse(refused)
}

func (h *Handler) logPanic(ctx context.Context, value any) { logPanic(ctx, h.config.logger, value) }

func logPanic(ctx context.Context, logger *slog.Logger, value any) {
	logger.LogAttrs(ctx, slog.LevelError, "a request panicked",
		slog.String("panic", fmt.Sprint(value)), slog.String("stack", string(debug.Stack())))
}

// errEnded is why a context ended that ended with what it was until.
var errEnded = errors.New("the session or the server ended")

// until returns a context that ends with either of two; the values are the first one's.
func until(ctx, end context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(end, func() { cancel(errEnded) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}
