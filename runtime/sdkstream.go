package runtime

import (
	"context"
	"net/http"
)

// openStream is GET: the stream on which a session's server speaks unasked, or one that broke and is taken up again.
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
	if isOurs(x.r.Header) {
		ctx, cancel := until(ctx, x.h.streams)
		defer cancel()
		return x.resume(ctx, s, x.r.Header.Get(lastEventHeader))
	}
	return x.listenTo(x.h.sdk.stateful, ctx, nil)
}

// listenTo has go-sdk answer with a stream that a client asked for. It ends with ctx or when the server stops.
func (x *exchange) listenTo(handler http.Handler, ctx context.Context, body []byte) *refusal {
	if !x.h.places.take() {
		return tooManyStreams()
	}
	defer x.h.places.give()
	ctx, cancel := until(ctx, x.h.streams)
	defer cancel()
	return x.pass(handler, ctx, x.h.streams, body, func() *eventStream { return x.startEventStream(nil) })
}

// pass has go-sdk answer, with a stream if it begins one and there is room for it. End ends the application's code, whatever becomes of the client.
func (x *exchange) pass(handler http.Handler, ctx, end context.Context, body []byte, open func() *eventStream) *refusal {
	answer := newSDKAnswer(open)
	defer func() {
		if answer.stream != nil {
			answer.stream.close()
		}
	}()
	request := forward(x.r, ctx, body)
	defer x.h.sdk.calls.begin(request, x.r.Context(), end)()
	handler.ServeHTTP(answer, request)
	if answer.stream != nil {
		return answer.endStream(x.id, x.r.Context())
	}
	result, refused := answer.applicationResult()
	if refused == nil {
		x.send(replyTo(x.id, result, nil))
	}
	return refused
}
