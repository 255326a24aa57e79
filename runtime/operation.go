package runtime

import (
	"net/http"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/internal/envelope"
	"go.opentelemetry.io/otel/trace"
)

// otherMethod stands for a method that is in no list, since its name is the caller's own text.
const otherMethod = "_OTHER"

// methods are those that operators may see by name: the conventions' list, and what 2026-07-28 added.
var methods = map[string]bool{
	"completion/complete": true, "initialize": true, "logging/setLevel": true, "ping": true, "prompts/get": true, "prompts/list": true,
	"resources/list": true, "resources/read": true, "resources/subscribe": true, "resources/templates/list": true,
	"resources/unsubscribe": true, "server/discover": true, "subscriptions/listen": true, callMethod: true, "tools/list": true,
}

const callMethod = "tools/call"

// operation is one request on its way, as operators see it: what becomes a span, a point of the metric and, of a call, a line of the log.
// The zero operation is one that nobody watches. It is used by the goroutine that answers the request.
type operation struct {
	h     *Handler // nil unless the operation runs
	r     *http.Request
	start time.Time
	span  trace.Span // nil unless spans are recorded

	method   string // of methods, or otherMethod
	id       []byte // the JSON-RPC ID as it was spelt
	meta     []byte // _meta as it was spelt, or nil
	revision revision
	session  string

	tool    *tool // what was called, if there is such a tool
	known   bool  // whether the caller may know of the tool
	failure *capabilities.Failure
}

// observe begins the operation of a request that is not answered yet. From then on the request's context carries its span.
func (x *exchange) observe(message *envelope.Message) {
	telemetry := &x.h.telemetry
	if message.Kind != envelope.Request || message.Method != callMethod && !telemetry.on() {
		return
	}
	x.op = operation{h: x.h, start: time.Now(), method: message.Method, id: message.ID, meta: message.Param("_meta")}
	if !methods[message.Method] {
		x.op.method = otherMethod
	}
	if telemetry.tracer != nil {
		ctx, span := telemetry.startSpan(x.r, &x.op)
		x.r, x.op.span = x.r.WithContext(ctx), span
	}
	x.op.r = x.r
}

// entry returns the exchange for one message of a batch, whose answer the batch sends.
func (x *exchange) entry(message *envelope.Message) *exchange {
	// Field by field, since whether the exchange is answered changes meanwhile.
	entry := &exchange{h: x.h, w: x.w, r: x.r, family: x.family, stdio: x.stdio, owner: x.owner, id: x.id, scratch: new(scratch)}
	entry.observe(message)
	return entry
}

// on says which session the request belongs to.
func (o *operation) on(id string, rev revision) { o.session, o.revision = id, rev }

// admit says which tool is called, by somebody who may.
func (o *operation) admit(t *tool) { o.tool, o.known = t, true }

// fail says why the call fails. T is nil for a name that nothing has.
func (o *operation) fail(t *tool, failure *capabilities.Failure) {
	o.tool, o.failure = t, failure
	// The scopes that a call lacks are told only to those who may know of the tool.
	o.known = o.known || t != nil && failure.Kind == capabilities.Unauthorized
}

// deprecated reports whether somebody who may calls what is to go away.
func (o *operation) deprecated() bool { return o.known && o.tool.definition.Deprecated != "" }

// end tells operators how the request was answered, just before it is: refused is the error, or nil. Once it has ended, it does nothing.
func (o *operation) end(refused *refusal) {
	h := o.h
	if h == nil {
		return
	}
	o.h = nil
	took := time.Since(o.start)
	if refused != nil && refused.code == codeInternalError && o.failure == nil {
		o.failure = &capabilities.Failure{Kind: capabilities.AdapterError}
	}
	if o.method == callMethod {
		h.logCall(o, took, refused)
	}
	if h.telemetry.on() {
		h.telemetry.record(h, o, took, refused)
	}
}
