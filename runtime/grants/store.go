package grants

import (
	"context"
	"errors"
	"time"
)

var (
	// ErrRevoked is why a grant cannot be saved whose ID was revoked.
	ErrRevoked = errors.New("grants: the grant was revoked, and its ID cannot be saved again: save a new grant, with an ID of NewID")
	// ErrConflict is why a grant cannot be saved whose ID another key has.
	ErrConflict = errors.New("grants: the ID is that of a grant with another key: save a new grant, with an ID of NewID")
	// ErrNotFound is why a grant cannot be revoked whose ID is unknown.
	ErrNotFound = errors.New("grants: there is no grant with this ID")
)

// Store keeps grants. It is safe for concurrent use, also by several processes if the store is one that they can share.
//
// It keeps times to the microsecond, cuts off what is finer, and returns them in UTC. Every method returns the context's error, and does
// nothing, when the context has ended before it is called. Any other error than those named below says that the store failed. A write that
// failed so may have happened, as when a connection breaks before the answer; all of them can be repeated.
//
// Package grantstest tests that a store does all of this.
type Store interface {
	// Find returns the grants of exactly the key, ordered by the bytes of their IDs; none is no error. Once Revoke has returned, no Find
	// that begins after it returns the grant. Those that have expired may be among what it returns or not, so ask [Grant.ActiveAt] of each.
	Find(ctx context.Context, key Key) ([]Grant, error)

	// Save keeps a new grant. If its ID is there with the same key and was not revoked, Save renews it, also when it has expired: scopes
	// and expiry are then those of grant, and the time of issue stays what it was. It returns an error when [Grant.Check] does,
	// ErrRevoked when the ID was ever revoked, whatever its key, and ErrConflict when it has another key; nothing has changed then.
	Save(ctx context.Context, grant Grant) error

	// Revoke takes a grant back for good, whether it has expired or not. The time is what is recorded; the grant ends at once. To revoke
	// one again does nothing: the first time stays. It returns ErrNotFound for an unknown ID, and an error when
	// [CheckRevocation] does.
	Revoke(ctx context.Context, id string, at time.Time) error
}
