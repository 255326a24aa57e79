package runtime

import (
	"context"
	"sync"
	"sync/atomic"
)

// work counts the requests that are being answered. It is a number and not a lock, for which all requests would wait.
type work struct {
	// state is twice the count, and 1 more once everything stops.
	state   atomic.Int64
	drained chan struct{} // closed when the last one is answered after the stop
	close   sync.Once
}

func newWork() *work { return &work{drained: make(chan struct{})} }

// begin reports whether a request may still begin.
func (w *work) begin() bool {
	if w.state.Add(2)&1 == 0 {
		return true
	}
	w.end()
	return false
}

func (w *work) end() {
	if w.state.Add(-2) == 1 {
		w.close.Do(func() { close(w.drained) })
	}
}

func (w *work) isStopped() bool { return w.state.Load()&1 != 0 }

// stop lets nothing begin any more and returns what is closed when everything has ended. It may be called again.
func (w *work) stop() <-chan struct{} {
	if w.state.Or(1)>>1 == 0 {
		w.close.Do(func() { close(w.drained) })
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
