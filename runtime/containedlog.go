package runtime

import (
	"context"
	"log/slog"
)

// containedHandler is the application's slog.Handler, whose panics end nothing: it is called on goroutines that have nobody else to stop one,
// and what watches a call must not be able to change how it ends.
type containedHandler struct{ application slog.Handler }

// Enabled implements slog.Handler.
func (c containedHandler) Enabled(ctx context.Context, level slog.Level) (enabled bool) {
	defer func() { _ = recover() }()
	return c.application.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (c containedHandler) Handle(ctx context.Context, record slog.Record) (err error) {
	defer func() { _ = recover() }()
	return c.application.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (c containedHandler) WithAttrs(attributes []slog.Attr) (with slog.Handler) {
	defer func() {
		if recover() != nil {
			with = c
		}
	}()
	return containedHandler{c.application.WithAttrs(attributes)}
}

// WithGroup implements slog.Handler.
func (c containedHandler) WithGroup(name string) (with slog.Handler) {
	defer func() {
		if recover() != nil {
			with = c
		}
	}()
	return containedHandler{c.application.WithGroup(name)}
}
