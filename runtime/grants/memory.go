package grants

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// Memory is a [Store] in memory, which ends with the process. Find looks at every grant. Its zero value is empty and ready. It must not
// be copied once it is in use.
type Memory struct {
	mu     sync.Mutex
	grants map[string]Grant // by ID; those that were revoked stay, so that their IDs stay taken
}

var _ Store = (*Memory)(nil)

// NewMemory returns an empty store.
func NewMemory() *Memory { return new(Memory) }

// Find implements [Store]. Expired grants are among what it returns.
func (m *Memory) Find(ctx context.Context, key Key) ([]Grant, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []Grant
	for _, g := range m.grants {
		if g.Key == key && g.RevokedAt.IsZero() {
			found = append(found, g.Clone())
		}
	}
	slices.SortFunc(found, func(a, b Grant) int { return cmp.Compare(a.ID, b.ID) })
	return found, nil
}

// Save implements [Store].
func (m *Memory) Save(ctx context.Context, grant Grant) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := grant.Check(); err != nil {
		return err
	}
	grant = grant.Clone()
	grant.IssuedAt, grant.ExpiresAt = kept(grant.IssuedAt), kept(grant.ExpiresAt)

	m.mu.Lock()
	defer m.mu.Unlock()
	if was, ok := m.grants[grant.ID]; ok {
		switch {
		case !was.RevokedAt.IsZero():
			return ErrRevoked
		case was.Key != grant.Key:
			return ErrConflict
		}
		grant.IssuedAt = was.IssuedAt
	}
	if m.grants == nil {
		m.grants = map[string]Grant{}
	}
	m.grants[grant.ID] = grant
	return nil
}

// Revoke implements [Store].
func (m *Memory) Revoke(ctx context.Context, id string, at time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := CheckRevocation(at); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	g, ok := m.grants[id]
	if !ok {
		return ErrNotFound
	}
	if g.RevokedAt.IsZero() {
		g.RevokedAt = kept(at)
		m.grants[id] = g
	}
	return nil
}

// kept is a time as stores keep it.
func kept(t time.Time) time.Time { return time.UnixMicro(t.UnixMicro()).UTC() }
