package runtime

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/capgen/capgen/capabilities"
)

const (
	// maxCause bounds what a line of the log has of an error's text, in bytes: room for the trace of a panic.
	maxCause = 8 << 10
	// requestIDHeader is where proxies and applications give a request its name.
	requestIDHeader = "X-Request-Id"
)

// plainID is the form that a text of the caller's must have to be repeated for operators: nothing that breaks a line, and little of anything.
var plainID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// logCall writes the one line of a call. What was sent and what was answered are not in it.
func (h *Handler) logCall(o *operation, took time.Duration, refused *refusal) {
	ctx, level := o.r.Context(), levelOf(o.failure)
	if !h.config.logger.Enabled(ctx, level) {
		return
	}
	attributes := make([]slog.Attr, 0, 12)
	if o.tool != nil {
		attributes = append(attributes, slog.String("capability", o.tool.definition.ID.String()), slog.String("tool", o.tool.name))
	}
	if o.deprecated() {
		attributes = append(attributes, slog.Bool("deprecated", true))
	}
	attributes = append(attributes, slog.String("kind", o.kind(refused)), slog.Duration("duration", took))
	if refused != nil && refused != unanswered {
		attributes = append(attributes, slog.Int("code", refused.code))
	}
	if principal, ok := capabilities.PrincipalFrom(ctx); ok {
		attributes = append(attributes, slog.String("subject", h.config.observers.digest("subject", ownerOf(principal))))
	}
	attributes = append(attributes, slog.String("request", requestID(o.r.Header)))
	if id := o.traceID(); id.IsValid() {
		attributes = append(attributes, slog.String("trace", id.String()))
	}
	if level == slog.LevelError {
		attributes = append(attributes, causes(o.failure)...)
	}
	h.config.logger.LogAttrs(ctx, level, "call", attributes...)
}

// kind says in a word how the operation ended.
func (o *operation) kind(refused *refusal) string {
	switch {
	case o.failure != nil:
		return string(o.failure.Kind)
	case refused != nil:
		// For its form, before anything was decided about it.
		return "refused"
	}
	return "ok"
}

// logList keeps why a list could not be told.
func (h *Handler) logList(ctx context.Context, failure *capabilities.Failure) {
	if level := levelOf(failure); level > slog.LevelInfo {
		attributes := append([]slog.Attr{slog.String("kind", string(failure.Kind))}, causes(failure)...)
		h.config.logger.LogAttrs(ctx, level, "a list failed", attributes...)
	}
}

// levelOf says who has to act: nobody, or the caller, at INFO; whoever sizes the server at WARN; whoever wrote or runs it at ERROR.
func levelOf(failure *capabilities.Failure) slog.Level {
	if failure == nil {
		return slog.LevelInfo
	}
	switch failure.Kind {
	case capabilities.HandlerFailed, capabilities.HandlerPanicked, capabilities.InvalidOutput, capabilities.ResultNotSerializable,
		capabilities.AdapterError, capabilities.AuthorizationError, capabilities.ContextUnavailable:
		return slog.LevelError
	case capabilities.NotExposed, capabilities.CapabilityMissing:
		if failure.Cause != nil { // of the policy
			return slog.LevelError
		}
	case capabilities.Overloaded, capabilities.DeadlineExceeded, capabilities.BindingUnavailable, capabilities.BindingAmbiguous:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// causes are what the caller is not told.
func causes(failure *capabilities.Failure) []slog.Attr {
	var attributes []slog.Attr
	if failure.Cause != nil {
		attributes = append(attributes, slog.String("cause", causeText(failure.Cause)))
	}
	for _, p := range failure.Problems {
		attributes = append(attributes, slog.String("problem", p.Pointer+": "+p.Message))
	}
	return attributes
}

// causeText returns the text of an error of the application's, whose methods may panic.
func causeText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = "an error whose text cannot be read: it panics"
		}
	}()
	text = err.Error()
	if len(text) > maxCause {
		text = strings.ToValidUTF8(text[:maxCause], "") + "…"
	}
	return text
}

// requestID returns the request's name: what is in front of this server gave it one, or it gets one.
func requestID(header http.Header) string {
	if lines := header[requestIDHeader]; len(lines) == 1 && plainID.MatchString(lines[0]) {
		return lines[0]
	}
	return rand.Text()
}
