package runtime

import (
	"net/http"

	"github.com/capgen/capgen/runtime/internal/envelope"
)

// initialize opens a session. Its place is reserved before go-sdk makes one, so that the limit is one.
func (x *exchange) initialize(message *envelope.Message) *refusal {
	if lines := x.r.Header[sessionHeader]; len(lines) > 0 {
		// An ID is never taken over from a client, which could plant one that it knows in another's hands.
		if x.h.sessions.find(lines[0], x.owner) == nil {
			return noSession()
		}
		return invalidRequest(http.StatusBadRequest, "the session is initialized already")
	}
	if message.Params == nil || message.Params[0] != '{' {
		return invalidParams("params must be an object")
	}
	if !x.h.sessions.reserve() {
		return unavailable("The server is at its limit of open sessions. Try again later.")
	}
	answer := x.h.sdk.ask(x.h.sdk.stateful, x.r, message.Method, message.Params)
	id := answer.header.Get(sessionHeader)
	result, refused := answer.result()
	rev, ok := negotiated(result)
	if refused == nil && (!ok || id == "") {
		refused = internalError("The session could not be opened.")
	}
	if refused != nil {
		x.h.sessions.giveBack()
		if id != "" {
			x.h.endInSDK(id)
		}
		return refused
	}
	if !x.h.sessions.add(id, x.owner, rev) {
		x.h.endInSDK(id)
		return stopping()
	}
	x.op.on(id, rev)
	x.w.Header().Set(sessionHeader, id)
	x.send(replyTo(x.id, result, nil))
	return nil
}

// negotiated reads the revision that go-sdk agreed on.
func negotiated(result []byte) (revision, bool) {
	members, _ := envelope.ReadObject(result)
	version, ok := envelope.ReadString(members.Get("protocolVersion"))
	return revision(version), ok && isSupported(version) && revision(version) < modern
}

// endSession is DELETE: new requests are refused and running calls are cancelled and answered. It waits for nothing.
func (x *exchange) endSession() *refusal {
	isModern, refused := isModernRequest(x.r.Header)
	if refused != nil {
		return refused
	}
	if isModern {
		return methodNotAllowed("POST")
	}
	s, refused := x.enterSession()
	if refused != nil {
		return refused
	}
	s.leave()
	x.h.sessions.end(s)
	x.answered = true
	x.w.WriteHeader(http.StatusNoContent)
	return nil
}
