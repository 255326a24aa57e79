package runtime

import (
	"net/http"
	"strings"

	"github.com/capgen/capgen/runtime/internal/envelope"
)

// legacy answers a message of a revision up to 2025-11-25. Body is the message as it came.
func (x *exchange) legacy(message *envelope.Message, body []byte) *refusal {
	if message.Kind == envelope.Request && message.Method == "initialize" {
		return x.initialize(message)
	}
	s, refused := x.enterSession()
	if refused != nil {
		return refused
	}
	defer x.leave(s)
	if message.Kind != envelope.Request {
		return x.deliver(s, message, body)
	}
	if x.isForSDK(message) {
		return x.passOn(s, body)
	}
	x.answerLate(x.prepareOn(s, message), func(a *lateAnswer) { a.keepFor(s, message) })
	return nil
}

// enterSession finds the session of a request and counts it as active; the caller leaves it.
func (x *exchange) enterSession() (*session, *refusal) {
	lines := x.r.Header[sessionHeader]
	if len(lines) != 1 {
		return nil, invalidRequest(http.StatusBadRequest, "the request needs one Mcp-Session-Id, which initialize gives")
	}
	s := x.h.sessions.find(lines[0], x.owner)
	if s == nil || !s.enter() {
		return nil, noSession()
	}
	return s, nil
}

// leave counts the request as over, unless that was done by who answered it.
func (x *exchange) leave(s *session) {
	if !x.abandoned {
		s.leave()
	}
}

// noSession tells the client to begin anew (2025-11-25, basic/transports, "Session Management").
func noSession() *refusal { return invalidRequest(http.StatusNotFound, "the session is not open") }

// answer is what is left of a request once everything is decided that may need a status of its own.
type answer func(a *lateAnswer) reply

// prepareOn decides about a request on a session and returns what answers it. The session's revision counts, whatever the version
// header of the request says: older clients send none.
func (x *exchange) prepareOn(s *session, message *envelope.Message) answer {
	x.op.on(s.id, s.revision)
	work, refused := x.legacyWork(s, message)
	if refused != nil {
		return func(*lateAnswer) reply { return x.replyOn(s, message.ID, nil, refused) }
	}
	return work
}

// replyOn is replyTo for a request on a session, or on none if that is nil. The operation ends with it.
func (x *exchange) replyOn(s *session, id, result []byte, refused *refusal) reply {
	x.op.end(refused)
	if s != nil && refused != nil && (refused.code == codeMethodNotFound || refused.code == codeInvalidParams) {
		// These clients read 404 as the end of their session, and 400 as a fault of the transport: before 2026-07-28 the error
		// of a method is an answer like any other.
		answer := *refused
		answer.status = http.StatusOK
		refused = &answer
	}
	return replyTo(id, result, refused)
}

func (x *exchange) legacyWork(s *session, message *envelope.Message) (answer, *refusal) {
	if refused := checkLegacy(message); refused != nil {
		return nil, refused
	}
	switch message.Method {
	case "ping":
		// Answered here, because go-sdk rounds large IDs.
		return func(*lateAnswer) reply { return x.replyOn(s, message.ID, []byte("{}"), nil) }, nil
	case "tools/list":
		return func(a *lateAnswer) reply {
			a.watch()
			result, refused := x.h.list(x.r.Context(), x.family, s.revision, message)
			return x.replyOn(s, message.ID, result, refused)
		}, nil
	case "tools/call":
		return x.legacyCall(s, message)
	case "initialize":
		return nil, invalidRequest(http.StatusBadRequest, "initialize is not part of a batch")
	}
	if strings.HasPrefix(message.Method, "notifications/") {
		return nil, invalidRequest(http.StatusBadRequest, "a notification has no id")
	}
	return nil, methodNotFound()
}

func (x *exchange) legacyCall(s *session, message *envelope.Message) (do answer, refused *refusal) {
	call, refused := x.h.readCall(message)
	if refused != nil {
		return nil, refused
	}
	if refused := s.start(x.r.Context(), message.ID, &x.running); refused != nil {
		return nil, refused
	}
	defer func() {
		if do == nil { // also after a panic
			s.finish(message.ID, &x.running)
		}
	}()
	admitted, refused := x.h.admit(x.running.ctx, &x.op, call.name)
	if refused != nil {
		if s.finish(message.ID, &x.running) {
			return nil, unanswered
		}
		return nil, refused
	}
	arguments := x.family.restore(admitted.tool, call.arguments)
	x.call = pendingCall{admitted: admitted, arguments: arguments, revision: s.revision, id: message.ID, session: s}
	return func(a *lateAnswer) reply {
		// Deferred, so that the ID is free again and the context ends even after a panic.
		defer s.finish(message.ID, &x.running)
		return x.runCall(x.running.ctx, a, message)
	}, nil
}

// isForSDK reports whether a request is answered by go-sdk: a method of what the application added, or a call of a raw tool.
func (x *exchange) isForSDK(message *envelope.Message) bool {
	if !x.h.config.extended() || checkLegacy(message) != nil {
		return false
	}
	if message.Method == "tools/call" {
		call, refused := x.h.readCall(message)
		return refused == nil && x.h.isRaw(x.r.Context(), call.name)
	}
	return x.h.has(x.r.Context(), message.Method, false)
}

// deliver takes in a message that has no response.
func (x *exchange) deliver(s *session, message *envelope.Message, body []byte) *refusal {
	if message.Kind == envelope.Notification && !strings.HasPrefix(message.Method, "notifications/") {
		return invalidRequest(http.StatusBadRequest, "the method needs an id")
	}
	if message.Method == "notifications/cancelled" && (s.cancel(message.Param("requestId")) || !x.h.config.extended()) {
		// One that names no call is late or mistaken, and is ignored (2025-11-25, basic/utilities/cancellation).
		x.accepted()
		return nil
	}
	s.hear(message)
	if refused := x.h.sdk.tell(x.r, s, body); refused != nil {
		return refused
	}
	x.accepted()
	return nil
}
