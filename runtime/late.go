package runtime

import (
	"sync"
	"time"
)

// lateAnswer answers a request that may take a while: as one JSON document when it is ready soon, and otherwise as a stream
// whose last event it is. Until a stream is opened the status is free, so a refusal for want of room can still be a 503.
type lateAnswer struct {
	x       *exchange
	timer   *time.Timer // nil unless it watches itself
	session *session    // which keeps a transcript; nil when none is kept

	mu         sync.Mutex
	stream     *eventStream
	transcript *transcript
	ended      bool
}

// answerLate answers with what work returns. Work runs on this goroutine and is given what sends a call's progress. Each of the options
// changes the answer before it begins.
func (x *exchange) answerLate(work func(a *lateAnswer) reply, options ...func(*lateAnswer)) {
	a := &x.late
	a.x = x
	for _, option := range options {
		option(a)
	}
	defer a.end()
	a.finish(work(a))
}

// watch has the answer become a stream after a while. A call of a capability, for which the executor waits, needs no other timer.
func (a *lateAnswer) watch() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer = time.AfterFunc(a.x.h.config.commitAfter, a.commit)
}

// commit turns the answer into a stream.
func (a *lateAnswer) commit() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended || a.stream != nil || a.gone() {
		return
	}
	defer a.contain()
	if a.x.call.here {
		a.x.w.Header().Set("Connection", "close")
	}
	if a.stream = a.x.openEventStream(); a.stream != nil && a.session != nil {
		a.transcript = a.session.transcripts.begin()
		a.stream.eventWithID(a.transcript.eventID(0), nil)
	}
}

// notify sends a message ahead of the answer, which turns it into a stream.
func (a *lateAnswer) notify(message []byte) {
	a.commit()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended || a.stream == nil {
		return
	}
	defer a.contain()
	a.emit(message)
}

// emit keeps a message, if that is done, and sends it, if anybody is there.
func (a *lateAnswer) emit(message []byte) {
	id := ""
	if a.transcript != nil {
		id = a.session.transcripts.keep(a.transcript, message)
	}
	if !a.gone() {
		a.stream.eventWithID(id, message)
	}
}

// gone: nobody is there any more, and nothing may be sent to a call that was cancelled by leaving.
func (a *lateAnswer) gone() bool { return a.x.r.Context().Err() != nil }

// contain ends a panic of the application's writer, on a goroutine that is a timer's or a handler's.
func (a *lateAnswer) contain() {
	if value := recover(); value != nil {
		a.x.h.logPanic(a.x.r.Context(), value)
	}
}

func (a *lateAnswer) finish(r reply) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended { // by who answered in its place
		return
	}
	a.ended = true
	// A transcript keeps what was sent.
	a.x.reusable = a.x.reusable && a.stream == nil
	switch {
	case a.stream != nil && r.body != nil:
		a.emit(r.body)
	case a.gone():
	case r.body != nil:
		a.x.send(r)
	case a.stream == nil:
		// The specification wants no response to a cancelled request and has no HTTP answer for it. A stream without events is
		// one that every client reads to its end without complaint.
		if a.stream = a.x.openEventStream(); a.stream == nil {
			a.x.emptyStream()
		}
	}
}

// end leaves the writer to net/http, also after a panic.
func (a *lateAnswer) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.close()
}

func (a *lateAnswer) close() {
	a.ended = true
	if a.timer != nil {
		a.timer.Stop()
	}
	if a.transcript != nil {
		a.transcript.end()
		a.transcript = nil
	}
	if a.stream != nil {
		a.stream.close()
	}
}
