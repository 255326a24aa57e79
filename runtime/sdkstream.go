package runtime

import (
	"context"
	"net/http"
)

// openStream is GET: the stream on which a session's server speaks unasked.
func (x *exchange) openStream() *refusal {
	isModern, refused := isModernRequest(x.r.Header)
	if refused != nil {
		return refused
	}
	if isModern {
		return methodNotAllowed("POST")
	}
	if !accepts(x.r.Header["Accept"], mediaStream) {
		return invalidRequest(http.StatusNotAcceptable, "Accept must allow text/event-stream")
	}
	s, refused := x.enterSession()
	if refused != nil {
		return refused
	}
	defer s.leave()
	ctx, cancel := until(x.r.Context(), s.ended)
	defer cancel()
	return x.pass(x.h.sdk.stateful, ctx, nil)
}

// pass has go-sdk answer with a stream, which ends with ctx or when the server stops.
func (x *exchange) pass(handler http.Handler, ctx context.Context, body []byte) *refusal {
	ctx, cancel := until(ctx, x.h.streams)
	defer cancel()
	answer := newSDKAnswer(x.openEventStream)
	defer func() {
		if answer.stream != nil {
			answer.stream.close()
		}
	}()
	handler.ServeHTTP(answer, forward(x.r, ctx, body))
	if answer.stream != nil {
		return nil
	}
	result, refused := answer.result()
	if refused == nil {
		x.send(replyTo(x.id, result, nil))
	}
	return refused
}
