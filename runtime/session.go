package runtime

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/capgen/capgen/internal/lazyctx"
	"github.com/capgen/capgen/runtime/internal/envelope"
)

// session is one client's conversation in a revision up to 2025-11-25. Go-sdk has a session of the same ID; this one knows what
// runs in it and when it was last used.
type session struct {
	id       string
	owner    string
	revision revision
	timeout  time.Duration
	expire   func()

	// ended ends with the session, and with it its calls and streams.
	ended context.Context
	close context.CancelFunc

	mu     sync.Mutex
	active int // requests and streams
	idle   *time.Timer
	calls  map[string]*running // by ID as it was spelt

	transcripts transcripts

	// initialized: the client has said so.
	initialized atomic.Bool
}

// enter counts a request or a stream, which keeps the session from being idle. It reports whether the session is open.
func (s *session) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended.Err() != nil {
		return false
	}
	s.active++
	s.idle.Stop()
	return true
}

func (s *session) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active--
	if s.active == 0 && s.ended.Err() == nil {
		s.idle.Reset(s.timeout)
	}
}

// hear notes a notification before go-sdk has it, since the application may ask the client as soon as that tells it.
func (s *session) hear(message *envelope.Message) {
	if message.Method == "notifications/initialized" {
		s.initialized.Store(true)
	}
}

// expireIfIdle is the timer's: a request may have come in between.
func (s *session) expireIfIdle() {
	s.mu.Lock()
	idle := s.active == 0
	if idle {
		s.close()
	}
	s.mu.Unlock()
	if idle {
		s.expire()
	}
}

// start registers a call under its ID. Its context outlives the client's connection: on a session a lost connection is not a cancellation
// (2025-11-25, basic/transports, "Sending Messages").
func (s *session) start(ctx context.Context, id []byte, call *running) *refusal {
	call.ctx = lazyctx.New(context.WithoutCancel(ctx))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls[string(id)] != nil {
		return invalidRequest(http.StatusBadRequest, "a call with this id is running already")
	}
	s.calls[string(id)] = call
	if s.ended.Err() != nil {
		call.cancel() // nobody will do it any more
	}
	return nil
}

// cancelAll ends the calls of a session that has ended.
func (s *session) cancelAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, call := range s.calls {
		call.cancel()
	}
}

// finish forgets a call and reports whether it was cancelled by its client. It may be called twice.
func (s *session) finish(id []byte, call *running) (silent bool) {
	call.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls[string(id)] == call {
		delete(s.calls, string(id))
	}
	return call.silent
}

// cancel ends a call for its client's sake, and reports whether there is one. An ID is the same when it is spelt the same.
func (s *session) cancel(id []byte) (found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	call := s.calls[string(id)]
	if call == nil {
		return false
	}
	call.silent = true
	call.cancel()
	return true
}
