package sqlstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/capgen/capgen/runtime/grants"
)

// Filter says which grants [Store.List] returns. The zero Filter is the first 100 that were not revoked.
type Filter struct {
	// Key is what the grants have: each of its fields that is not empty must match exactly.
	Key grants.Key
	// Revoked asks for those that were revoked too. Expired ones are always listed.
	Revoked bool
	// After is the last ID of the page before; empty for the first page.
	After string
	// Limit is how many are returned at most, 1 to 1,000; 0 is 100.
	Limit int
}

const (
	defaultLimit = 100
	maxLimit     = 1000
)

// List returns grants for an operator to look at, ordered by the bytes of their IDs. Fewer than the limit are the last page. It looks at
// every grant: a call is decided with Find.
func (s *Store) List(ctx context.Context, filter Filter) ([]grants.Grant, error) {
	limit := filter.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	if limit < 1 || limit > maxLimit {
		return nil, fmt.Errorf("sqlstore: the limit %d is not from 1 to %d", limit, maxLimit)
	}
	if !storable(filter.Key) || !isText(filter.After) {
		return nil, ctx.Err()
	}
	args := []any{filter.After}
	where := []string{"id > $1"}
	for i, column := range []string{"issuer", "subject", "client_id", "tenant_id", "application", "audience", "policy_revision"} {
		if value := fields(filter.Key)[i]; value != "" {
			args = append(args, value)
			where = append(where, fmt.Sprintf("%s = $%d", column, len(args)))
		}
	}
	if !filter.Revoked {
		where = append(where, "revoked_at IS NULL")
	}
	args = append(args, limit)
	found, err := s.query(ctx, fmt.Sprintf("%s ORDER BY id LIMIT $%d", strings.Join(where, " AND "), len(args)), args...)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: listing grants: %w", err)
	}
	return found, nil
}
