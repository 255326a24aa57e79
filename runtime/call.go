package runtime

import (
	"context"
	"errors"
	"net/http"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/executor"
	"github.com/capgen/capgen/runtime/internal/envelope"
)

// toolCall is a tools/call request whose form is right. Whether there is such a tool is not looked at.
type toolCall struct {
	name      string
	arguments []byte
}

// readCall reads the parameters of tools/call (GATE.md, rows 20 and 22).
func (h *Handler) readCall(message *envelope.Message) (toolCall, *refusal) {
	name, ok := envelope.ReadText(message.Param("name"))
	if !ok {
		return toolCall{}, nameIsNoString()
	}
	call := toolCall{arguments: message.Param("arguments")}
	if t := h.tools.byName[string(name)]; t != nil {
		call.name = t.name // which saves a copy
	} else {
		call.name = string(name)
	}
	if call.arguments == nil {
		call.arguments = []byte("{}")
	}
	if call.arguments[0] != '{' {
		return toolCall{}, invalidParams("arguments must be an object")
	}
	if responses := message.Param("inputResponses"); responses != nil && responses[0] != '{' {
		return toolCall{}, invalidParams("inputResponses must be an object")
	}
	if state := message.Param("requestState"); state != nil && state[0] != '"' {
		return toolCall{}, invalidParams("requestState must be a string")
	}
	return call, nil
}

func nameIsNoString() *refusal { return invalidParams("name must be a string") }

// admitted is a call that its caller may make.
type admitted struct {
	executor.Admitted
	tool *tool
}

// admit decides about a call of a tool, before its input is looked at. A name that nothing has goes the same way as one that is hidden.
func (h *Handler) admit(ctx context.Context, op *operation, name string) (admitted, *refusal) {
	t := h.tools.byName[name]
	var id capabilities.ID
	if t != nil {
		id = t.definition.ID
	}
	call, failure := h.executor.Admit(ctx, id)
	if failure != nil {
		if t != nil {
			_ = h.rawTools(ctx) // as for a name that no capability has, so that a hidden one takes as long
		}
		op.fail(t, failure)
		return admitted{}, h.refuseCall(name, failure)
	}
	op.admit(t)
	return admitted{Admitted: call, tool: t}, nil
}

// refuseCall answers for a call that is not admitted.
func (h *Handler) refuseCall(name string, failure *capabilities.Failure) *refusal {
	var missing *executor.MissingScopes
	switch {
	case errors.As(failure.Cause, &missing):
		return h.config.access.bearer.forbidden(missing.Scopes)
	case failure.Kind == capabilities.CapabilityMissing, failure.Kind == capabilities.NotExposed:
		return unknownTool(name)
	}
	return internalError(failure.Text())
}

// unknownTool answers for a tool that does not exist and for one that the caller may not see, with the same bytes. The name is
// repeated only if it could be one.
func unknownTool(name string) *refusal {
	message := "Unknown tool"
	if capabilities.CheckProtocolToolName(name) == nil {
		message += ": " + name
	}
	return &refusal{status: http.StatusBadRequest, code: codeInvalidParams, message: message}
}

// pendingCall is an admitted call of an exchange, with what it takes to answer it.
type pendingCall struct {
	admitted
	arguments []byte
	revision  revision
	id        []byte
	session   *session    // nil in revision 2026-07-28
	answer    *lateAnswer // the exchange's own, or that of the batch that it is part of
	here      bool        // the handler runs on the exchange's own goroutine, see abandon.go
}

// runCall carries out the exchange's call.
func (x *exchange) runCall(ctx context.Context, a *lateAnswer, message *envelope.Message) reply {
	x.call.answer = a
	if token := progressToken(message); token != nil {
		ctx = capabilities.WithProgress(ctx, progressTo(a, token))
	} else {
		x.call.here = x.canBeAbandoned()
	}
	outcome, failure := x.call.Run(ctx, "", x.call.arguments, capabilities.Limits{
		Watch: x, LateAfter: x.h.config.commitAfter, Here: x.call.here, Into: x.scratch.result[:0], JSONOnly: true,
	})
	if outcome.Abandoned {
		return reply{}
	}
	// A handler that goes on holds nothing of what was sent: its input was decoded.
	x.reusable = true
	return x.replyToCall(outcome, failure)
}

// Late implements capabilities.Watcher.
func (x *exchange) Late() { x.call.answer.commit() }

// replyToCall is the answer to the exchange's call, however it ended.
func (x *exchange) replyToCall(outcome capabilities.Outcome, failure *capabilities.Failure) reply {
	c := &x.call
	if failure != nil {
		x.op.fail(c.tool, failure)
	}
	if c.session != nil && c.session.finish(c.id, &x.running) {
		return x.replyOn(c.session, c.id, nil, unanswered)
	}
	if failure == nil {
		x.op.end(nil)
		x.scratch.result = outcome.JSON
		x.scratch.answer = x.h.appendSuccess(x.scratch.answer[:0], c.id, c.revision, outcome)
		return reply{body: x.scratch.answer}
	}
	result, refused := x.h.conclude(c.revision, failure)
	return x.replyOn(c.session, c.id, result, refused)
}

// conclude decides how each kind of failure is told. Most are results with isError, which the model reads and can act on; faults
// of ours are errors of the protocol (2026-07-28, server/tools, "Error Handling").
func (h *Handler) conclude(rev revision, failure *capabilities.Failure) ([]byte, *refusal) {
	switch failure.Kind {
	case capabilities.Overloaded:
		return nil, unavailable(failure.Text())
	case capabilities.HandlerPanicked, capabilities.InvalidOutput, capabilities.ResultNotSerializable,
		capabilities.AdapterError, capabilities.AuthorizationError, capabilities.ContextUnavailable, capabilities.InvalidIdentity:
		return nil, internalError(failure.Text())
	}
	return h.encodeFailure(rev, failure), nil
}
