package runtime

import (
	"net/http"
	"sync"
	"time"
)

// eventStream is an answer that has become text/event-stream. Writers take turns; while none has anything to say, a comment now
// and then keeps proxies from cutting the connection.
type eventStream struct {
	control   *http.ResponseController
	keepAlive time.Duration
	writeWait time.Duration

	mu    sync.Mutex
	w     http.ResponseWriter // nil once closed: net/http forbids writes after its handler returned
	timer *time.Timer
	done  func()
}

// openEventStream sends the headers at once, so that a client with a timeout for the first byte knows that its call runs. It returns
// nil when there is no place for another stream.
func (x *exchange) openEventStream() (s *eventStream) {
	if !x.h.places.take() {
		return nil
	}
	defer func() {
		if s == nil { // the application's writer panicked
			x.h.places.give()
		}
	}()
	return x.startEventStream(x.h.places.give)
}

// startEventStream is openEventStream with a place that is taken already; done gives it back, and nil does nothing.
func (x *exchange) startEventStream(done func()) *eventStream {
	header := x.w.Header()
	header.Set("Content-Type", mediaStream)
	header.Set("Cache-Control", "no-cache")
	header.Set("X-Accel-Buffering", "no")
	s := &eventStream{
		control:   http.NewResponseController(x.w),
		keepAlive: x.h.config.keepAlive,
		writeWait: x.h.config.writeWait,
		w:         x.w,
		done:      done,
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	x.answered = true
	s.extend()
	x.w.WriteHeader(http.StatusOK)
	_ = s.control.Flush()
	s.timer = time.AfterFunc(s.keepAlive, s.beat)
	return s
}

// emptyStream answers with a stream that is over.
func (x *exchange) emptyStream() {
	x.w.Header().Set("Content-Type", mediaStream)
	x.w.Header().Set("Cache-Control", "no-cache")
	x.answered = true
	x.w.WriteHeader(http.StatusOK)
}

// extend replaces the server's own write deadline, which is made for short answers, by one for the next write.
func (s *eventStream) extend() { _ = s.control.SetWriteDeadline(time.Now().Add(s.writeWait)) }

// Write sends a part of the stream, which must be whole events, and flushes it.
func (s *eventStream) Write(events []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.w == nil {
		return 0, http.ErrBodyNotAllowed
	}
	s.timer.Reset(s.keepAlive)
	s.extend()
	n, err := s.w.Write(events)
	_ = s.control.Flush()
	return n, err
}

// event sends a JSON-RPC message.
func (s *eventStream) event(message []byte) { s.eventWithID("", message) }

// eventWithID sends a JSON-RPC message under an ID, by which a client can resume the stream; without a message it gives the ID alone.
func (s *eventStream) eventWithID(id string, message []byte) {
	text := make([]byte, 0, len(message)+64)
	if message != nil {
		text = append(text, "event: message\n"...)
	}
	if id != "" {
		text = append(append(append(text, "id: "...), id...), '\n')
	}
	if message == nil {
		// How many milliseconds a client whose connection ends waits before it comes back (2025-11-25, basic/transports, SEP-1699).
		text = append(text, "retry: 1000\n"...)
	}
	text = append(text, "data: "...)
	text = append(text, message...)
	_, _ = s.Write(append(text, "\n\n"...))
}

func (s *eventStream) beat() {
	// The goroutine is the timer's: a panic of the application's writer would end the process.
	defer func() { _ = recover() }()
	_, _ = s.Write([]byte(": keep-alive\n\n"))
}

// close ends the stream's writes. The connection may carry other requests, so it gets its deadline back.
func (s *eventStream) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.w == nil {
		return
	}
	s.timer.Stop()
	s.w = nil
	if s.done != nil {
		s.done()
	}
	_ = s.control.SetWriteDeadline(time.Time{})
}
