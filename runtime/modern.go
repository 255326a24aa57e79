package runtime

import (
	"net/http"

	"github.com/capgen/capgen/internal/lazyctx"
	"github.com/capgen/capgen/runtime/internal/envelope"
)

// modern answers a message of revision 2026-07-28. Body is the message as it came.
func (x *exchange) modern(message *envelope.Message, body []byte) *refusal {
	x.op.revision = modern
	switch message.Kind {
	case envelope.Response:
		// This server asks nothing, so nothing can be an answer (2026-07-28, transports, "Sending Messages").
		return invalidRequest(http.StatusBadRequest, "a response is not accepted")
	case envelope.Notification:
		// A client cancels by closing its stream; the notification is allowed and changes nothing.
		if message.Method != "notifications/cancelled" {
			return invalidRequest(http.StatusBadRequest, "the notification is not known, or the method needs an id")
		}
		x.accepted()
		return nil
	}
	answer := modernMethods[message.Method]
	if answer == nil && x.h.has(x.r.Context(), message.Method, true) {
		answer = (*exchange).passModern
	}
	if answer == nil {
		return methodNotFound()
	}
	if refused := checkModern(x.r.Header, message); refused != nil {
		return refused
	}
	return answer(x, message, body)
}

// modernMethods are the methods that work. Those of a capability that is not advertised are no methods of this server.
var modernMethods = map[string]func(x *exchange, message *envelope.Message, body []byte) *refusal{
	"tools/list":           (*exchange).modernList,
	"tools/call":           (*exchange).modernCall,
	"server/discover":      (*exchange).discover,
	"subscriptions/listen": (*exchange).listen,
}

func (x *exchange) modernList(message *envelope.Message, _ []byte) *refusal {
	result, refused := x.h.list(x.r.Context(), x.family, modern, message)
	if refused == nil {
		x.sendShared(result)
	}
	return refused
}

func (x *exchange) modernCall(message *envelope.Message, body []byte) *refusal {
	x.running.ctx = lazyctx.New(x.r.Context())
	x.h.running.add(&x.running)
	defer x.h.running.remove(&x.running)
	ctx := x.running.ctx
	call, refused := x.h.readModernCall(x.r.Header, message)
	if refused != nil {
		return refused
	}
	if x.h.isRaw(ctx, call.name) {
		x.r.Header.Set(nameHeader, call.name)
		return x.passModern(message, body)
	}
	admitted, refused := x.h.admit(ctx, &x.op, call.name)
	if refused != nil {
		return refused
	}
	call.arguments = x.family.restore(admitted.tool, call.arguments)
	// After the decision, since to others the headers of a hidden tool would show that it exists.
	if !x.stdio {
		if refused := checkMirrors(x.family.mirrors(admitted.tool), x.r.Header, call.arguments); refused != nil {
			return refused
		}
	}
	x.call = pendingCall{admitted: admitted, arguments: call.arguments, revision: modern, id: x.id}
	x.answerLate(func(a *lateAnswer) reply { return x.runCall(ctx, a, message) })
	return nil
}

// readModernCall is readCall with the name's header, whose checks lie in between (GATE.md, rows 19 to 22).
func (h *Handler) readModernCall(header http.Header, message *envelope.Message) (toolCall, *refusal) {
	if _, err := plainValue(header[nameHeader]); err != nil {
		return toolCall{}, headerMismatch("Mcp-Name " + err.Error())
	}
	name := message.Param("name")
	if !envelope.IsString(name) {
		return toolCall{}, nameIsNoString()
	}
	inHeader, err := decodedValue(header[nameHeader])
	if err != nil {
		return toolCall{}, headerMismatch("Mcp-Name " + err.Error())
	}
	if !envelope.EqualString(name, inHeader) {
		return toolCall{}, headerMismatch("Mcp-Name and the message name different tools")
	}
	return h.readCall(message)
}

// discover is go-sdk's to answer: what it knows of itself is what works.
func (x *exchange) discover(message *envelope.Message, _ []byte) *refusal {
	result, refused := x.h.sdk.ask(x.h.sdk.stateless, x.r, message.Method, message.Params).result()
	if refused == nil {
		x.send(replyTo(x.id, result, nil))
	}
	return refused
}

// listen is a stream of go-sdk's. Its ID is part of every message on it.
func (x *exchange) listen(_ *envelope.Message, body []byte) *refusal {
	if refused := x.checkExactID(); refused != nil {
		return refused
	}
	return x.listenTo(x.h.sdk.stateless, x.r.Context(), body)
}
