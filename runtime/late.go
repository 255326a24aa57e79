package runtime

import (
	"sync"
	"time"
)

// lateAnswer answers a request that may take a while: as one JSON document when it is ready soon, and otherwise as a stream
// whose last event it is. Until a stream is opened the status is free, so a refusal for want of room can still be a 503.
type lateAnswer struct {
	x     *exchange
	timer *time.Timer

	mu     sync.Mutex
	stream *eventStream
	ended  bool
}

// answerLate answers with what work returns. Work runs on this goroutine.
func (x *exchange) answerLate(work func() reply) {
	a := &lateAnswer{x: x}
	a.mu.Lock()
	a.timer = time.AfterFunc(x.h.config.commitAfter, a.commit)
	a.mu.Unlock()
	defer a.end()
	a.finish(work())
}

// commit turns the answer into a stream.
func (a *lateAnswer) commit() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return
	}
	defer func() {
		// The goroutine is the timer's: a panic of the application's writer would end the process.
		if value := recover(); value != nil {
			a.x.h.logPanic(a.x.r.Context(), value)
		}
	}()
	a.stream = a.x.openEventStream()
}

func (a *lateAnswer) finish(r reply) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
	switch {
	case a.x.r.Context().Err() != nil:
		// Nobody is there any more, and nothing may be sent to a call that was cancelled by leaving.
	case a.stream != nil && r.body != nil:
		a.stream.event(r.body)
	case r.body != nil:
		a.x.send(r)
	case a.stream == nil:
		// The specification wants no response to a cancelled request and has no HTTP answer for it. A stream without events is
		// one that every client reads to its end without complaint.
		a.stream = a.x.openEventStream()
	}
}

// end leaves the writer to net/http, also after a panic.
func (a *lateAnswer) end() {
	a.timer.Stop()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
	if a.stream != nil {
		a.stream.close()
	}
}
