package runtime

import (
	"context"
	"sync"
)

// work counts the requests that are being answered.
type work struct {
	mu      sync.Mutex
	count   int
	stopped bool
	drained chan struct{} // closed when the last one is answered after the stop
}

// begin reports whether a request may still begin.
func (w *work) begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		return false
	}
	w.count++
	return true
}

func (w *work) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count--
	if w.stopped && w.count == 0 {
		close(w.drained)
	}
}

// stop lets nothing begin any more and returns what is closed when everything has ended. It may be called again.
func (w *work) stop() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.stopped {
		w.stopped = true
		w.drained = make(chan struct{})
		if w.count == 0 {
			close(w.drained)
		}
	}
	return w.drained
}

// stopping refuses what comes while the server stops. The connection goes too: another may lead to a server that stays.
func stopping() *refusal {
	refused := unavailable("The server is shutting down.")
	refused.close = true
	return refused
}

// Shutdown stops the handler gracefully: requests that come are refused with 503, streams end, running calls go on until ctx
// ends and are then cancelled and answered, sessions are closed. It returns nil when everything ended by itself, and otherwise
// ctx's error. A handler cannot be started again; calling Shutdown once more only waits. [Run] calls it; a program that mounts
// a [Handler] in its own server calls it before, or together with, http.Server's method of the same name.
func (h *Handler) Shutdown(ctx context.Context) error {
	drained := h.work.stop()
	h.endStreams()
	err := wait(ctx, drained)
	h.endCalls()
	h.running.end()
	h.sessions.cancelAll()
	if err != nil {
		// A cancelled call is answered at once, even if its handler goes on.
		short, cancel := context.WithTimeout(context.WithoutCancel(ctx), h.config.cancelWait)
		defer cancel()
		_ = wait(short, drained)
	}
	h.sessions.endAll()

	closed := make(chan struct{})
	go func() {
		h.background.Wait()
		close(closed)
	}()
	if late := wait(ctx, closed); err == nil {
		err = late
	}
	return err
}

func wait(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	default:
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
