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

// invoke carries out an admitted call and returns the whole response to the request of that ID, or why there is none.
func (x *exchange) invoke(ctx context.Context, a *lateAnswer, rev revision, id []byte, call admitted, arguments []byte) ([]byte, *refusal) {
	outcome, failure := call.Run(ctx, "", arguments, capabilities.Limits{
		Late: a.commit, LateAfter: x.h.config.commitAfter, Into: x.scratch.result[:0], JSONOnly: true,
	})
	// A handler that was abandoned holds nothing of what was sent: its input was decoded.
	x.reusable = true
	if failure == nil {
		x.scratch.result = outcome.JSON
		x.scratch.answer = x.h.appendSuccess(x.scratch.answer[:0], id, rev, outcome)
		return x.scratch.answer, nil
	}
	x.op.fail(call.tool, failure)
	result, refused := x.h.conclude(rev, failure)
	if refused != nil {
		return nil, refused
	}
	return response(id, result, nil), nil
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
