package runtime

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/capgen/capgen/runtime/internal/envelope"
)

const (
	// resumable is the first revision whose streams begin with an event without a message, so that a client can resume one that broke
	// before it got any.
	resumable revision = "2025-11-25"
	// maxTranscripts and maxTranscriptBytes bound what a session keeps for clients that may come back; the oldest goes first.
	maxTranscripts     = 32
	maxTranscriptBytes = 1 << 20
	// transcriptPrefix begins the IDs of our events. Go-sdk's have another form.
	transcriptPrefix = "capgen-"
)

// transcript is what was sent on the stream of one call of a session, kept so that a client whose connection broke gets what it missed
// (2025-11-25, basic/transports, "Resumability and Redelivery"). The first event is without a message.
type transcript struct {
	id string

	mu        sync.Mutex
	events    [][]byte
	ended     bool
	forgotten bool
	changed   chan struct{} // closed and replaced at each change
}

// transcripts are those of a session.
type transcripts struct {
	mu    sync.Mutex
	count int
	list  []*transcript
}

func (t *transcripts) begin() *transcript {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count++
	created := &transcript{id: transcriptPrefix + strconv.Itoa(t.count), events: [][]byte{nil}, changed: make(chan struct{})}
	t.list = append(t.list, created)
	if len(t.list) > maxTranscripts {
		t.list = t.list[1:]
	}
	return created
}

func (t *transcripts) bytes() (sum int) {
	for _, each := range t.list {
		each.mu.Lock()
		for _, event := range each.events {
			sum += len(event)
		}
		each.mu.Unlock()
	}
	return sum
}

// find returns the transcript that an event belongs to, and how many of its events the client has.
func (t *transcripts) find(lastEvent string) (*transcript, int) {
	i := strings.LastIndexByte(lastEvent, '_')
	if i < 0 {
		return nil, 0
	}
	index, err := strconv.Atoi(lastEvent[i+1:])
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, each := range t.list {
		if each.id == lastEvent[:i] && err == nil && index >= 0 && index < each.length() {
			return each, index + 1
		}
	}
	return nil, 0
}

// keep adds a message to one of the transcripts, and returns the ID of its event. One that alone holds more than a session may is forgotten: its
// stream goes on and cannot be resumed.
func (t *transcripts) keep(in *transcript, message []byte) string {
	id := in.add(message)
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.list) > 0 && t.bytes() > maxTranscriptBytes {
		t.list[0].forget()
		t.list = t.list[1:]
	}
	return id
}

// forget drops what was sent. What is still to come is kept by nobody.
func (t *transcript) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forgotten = true
	t.events = make([][]byte, len(t.events))
}

// add keeps a message and returns the ID of its event.
func (t *transcript) add(message []byte) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.forgotten {
		message = nil
	}
	t.events = append(t.events, message)
	t.change()
	return t.eventID(len(t.events) - 1)
}

func (t *transcript) length() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.events)
}

func (t *transcript) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	t.change()
}

func (t *transcript) change() {
	close(t.changed)
	t.changed = make(chan struct{})
}

func (t *transcript) eventID(index int) string { return t.id + "_" + strconv.Itoa(index) }

// after returns the events from an index on, whether they are all, and what is closed when there is more.
func (t *transcript) after(index int) (events [][]byte, ended bool, changed <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.events[min(index, len(t.events)):], t.ended, t.changed
}

// resume takes up the stream of a call: what was missed, and what is still to come. It keeps nothing from ending.
func (x *exchange) resume(ctx context.Context, s *session, lastEvent string) *refusal {
	t, index := s.transcripts.find(lastEvent)
	if t == nil {
		return invalidRequest(http.StatusBadRequest, "the Last-Event-ID is of no stream that is kept")
	}
	stream := x.openEventStream()
	if stream == nil {
		return tooManyStreams()
	}
	defer stream.close()
	for {
		events, ended, changed := t.after(index)
		for _, event := range events {
			stream.eventWithID(t.eventID(index), event)
			index++
		}
		if ended {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			// The call may still be answered: whoever is there is told when to come back (2025-11-25, basic/transports, SEP-1699).
			stream.eventWithID(t.eventID(index-1), nil)
			return nil
		}
	}
}

// isOurs reports whether an event's ID is one that the gate gave.
func isOurs(header http.Header) bool {
	return strings.HasPrefix(header.Get(lastEventHeader), transcriptPrefix)
}

// keepFor has an answer kept for a client that may lose its connection.
func (a *lateAnswer) keepFor(s *session, message *envelope.Message) {
	if s.revision >= resumable && message.Method == "tools/call" {
		a.session = s
	}
}
