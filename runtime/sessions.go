package runtime

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// sessions are the open sessions of a handler, and how many more there may be.
type sessions struct {
	handler *Handler

	mu       sync.Mutex
	byID     map[string]*session
	reserved int
	closed   bool
}

func newSessions(h *Handler) *sessions {
	return &sessions{handler: h, byID: map[string]*session{}}
}

// reserve takes a place for a session that is being opened. It is followed by add or giveBack.
func (t *sessions) reserve() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || len(t.byID)+t.reserved >= t.handler.config.maxSessions {
		return false
	}
	t.reserved++
	return true
}

func (t *sessions) giveBack() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reserved--
}

// add turns a reserved place into a session. It reports whether there still are sessions.
func (t *sessions) add(id, owner string, rev revision) bool {
	h := t.handler
	s := &session{id: id, owner: owner, revision: rev, timeout: h.config.sessionTimeout, calls: map[string]*running{}}
	// Ended by what ends every call too: nothing then goes on in it.
	s.ended, s.close = context.WithCancel(h.calls)
	s.expire = func() { t.end(s) }

	t.mu.Lock()
	defer t.mu.Unlock()
	t.reserved--
	if t.closed {
		s.close()
		return false
	}
	t.byID[id] = s
	// Last, since a session that expires before it is in the map would never leave it.
	s.idle = time.AfterFunc(s.timeout, s.expireIfIdle)
	return true
}

// find returns the open session of an ID, or nil. To anybody but its owner a session does not exist, so a stolen ID is useless.
func (t *sessions) find(id, owner string) *session {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.byID[id]; s != nil && s.owner == owner {
		return s
	}
	return nil
}

// isInitialized reports whether the client of a go-sdk session has said that it is initialized. One without ID is not of this endpoint's
// sessions and goes by go-sdk's rules.
func (h *Handler) isInitialized(id string) bool {
	if id == "" {
		return true
	}
	h.sessions.mu.Lock()
	defer h.sessions.mu.Unlock()
	s := h.sessions.byID[id]
	return s != nil && s.initialized.Load()
}

// end closes a session: it is not found any more, its calls are cancelled and answer, its streams end. Go-sdk's side ends behind
// it, in its own time. The place is free at once.
func (t *sessions) end(s *session) {
	t.mu.Lock()
	open := t.byID[s.id] == s
	if open {
		delete(t.byID, s.id)
	}
	t.mu.Unlock()
	if !open {
		return
	}
	s.mu.Lock()
	s.close()
	s.idle.Stop()
	s.mu.Unlock()
	s.cancelAll()
	t.handler.endInSDK(s.id)
}

// endAll closes every session, and none is opened any more.
func (t *sessions) endAll() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	for _, s := range t.open() {
		t.end(s)
	}
}

// cancelAll ends the calls of every session, once what the sessions end with has ended.
func (t *sessions) cancelAll() {
	for _, s := range t.open() {
		s.cancelAll()
	}
}

func (t *sessions) open() []*session {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Values(t.byID))
}
