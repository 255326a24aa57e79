package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/capgen/capgen/runtime/grants"
)

const selectGrants = `
	SELECT id, issuer, subject, client_id, tenant_id, application, audience, policy_revision, scopes, issued_at, expires_at, revoked_at
	FROM capgen_grants WHERE `

// findWhere is what the index capgen_grants_by_key is for. It compares the fields too, so that a row that was changed by hand is not found
// by the key that it had.
const findWhere = `key_digest = $1 AND issuer = $2 AND subject = $3 AND client_id = $4 AND tenant_id = $5
	AND application = $6 AND audience = $7 AND policy_revision = $8 AND revoked_at IS NULL AND expires_at > $9 ORDER BY id`

// Find implements [grants.Store]. It leaves out those that have expired by this machine's clock.
func (s *Store) Find(ctx context.Context, key grants.Key) ([]grants.Grant, error) {
	if !storable(key) {
		return nil, ctx.Err()
	}
	found, err := s.query(ctx, findWhere, digest(key), key.Issuer, key.Subject, key.ClientID, key.TenantID,
		key.Application, key.Audience, key.PolicyRevision, time.Now().UnixMicro())
	if err != nil {
		return nil, fmt.Errorf("sqlstore: finding grants: %w", err)
	}
	return found, nil
}

// Save implements [grants.Store].
func (s *Store) Save(ctx context.Context, grant grants.Grant) error {
	if err := grant.Check(); err != nil {
		return err
	}
	k := grant.Key
	// One statement, so that whichever of this and a Revoke elsewhere comes first, the row ends revoked.
	changed, err := s.exec(ctx, `
		INSERT INTO capgen_grants
			(id, key_digest, issuer, subject, client_id, tenant_id, application, audience, policy_revision, scopes, issued_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
		ON CONFLICT (id) DO UPDATE SET scopes = excluded.scopes, expires_at = excluded.expires_at
		WHERE capgen_grants.revoked_at IS NULL AND capgen_grants.key_digest = excluded.key_digest`,
		grant.ID, digest(k), k.Issuer, k.Subject, k.ClientID, k.TenantID, k.Application, k.Audience, k.PolicyRevision,
		strings.Join(grant.Scopes, " "), grant.IssuedAt.UnixMicro(), grant.ExpiresAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("sqlstore: saving a grant: %w", err)
	}
	if changed == 0 {
		return s.refusal(ctx, grant.ID)
	}
	return nil
}

// refusal finds out why a grant was not saved. Neither reason goes away again, so that it may look later.
func (s *Store) refusal(ctx context.Context, id string) error {
	var revoked bool
	err := s.db.QueryRowContext(ctx, s.dialect.sql("SELECT revoked_at IS NOT NULL FROM capgen_grants WHERE id = $1"), id).Scan(&revoked)
	switch {
	case err != nil:
		return fmt.Errorf("sqlstore: the grant was not saved, and asking why: %w", err)
	case revoked:
		return grants.ErrRevoked
	}
	return grants.ErrConflict
}

// Revoke implements [grants.Store].
func (s *Store) Revoke(ctx context.Context, id string, at time.Time) error {
	if err := grants.CheckRevocation(at); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if !isText(id) {
		return grants.ErrNotFound
	}
	there, err := s.exec(ctx, "UPDATE capgen_grants SET revoked_at = COALESCE(revoked_at, $1) WHERE id = $2", at.UnixMicro(), id)
	if err != nil {
		return fmt.Errorf("sqlstore: revoking a grant: %w", err)
	}
	if there == 0 {
		return grants.ErrNotFound
	}
	return nil
}

// exec runs a statement that changes grants, and returns how many it applied to.
func (s *Store) exec(ctx context.Context, statement string, args ...any) (rows int64, err error) {
	done, err := s.turns.take(ctx)
	if err != nil {
		return 0, err
	}
	defer done()
	result, err := s.db.ExecContext(ctx, s.dialect.sql(statement), args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// query returns the grants for which a condition holds; what follows the condition may follow WHERE.
func (s *Store) query(ctx context.Context, where string, args ...any) (found []grants.Grant, err error) {
	rows, err := s.db.QueryContext(ctx, s.dialect.sql(selectGrants+where), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var g grants.Grant
		var scopes string
		var issued, expires int64
		var revoked sql.NullInt64
		if err := rows.Scan(&g.ID, &g.Issuer, &g.Subject, &g.ClientID, &g.TenantID, &g.Application, &g.Audience, &g.PolicyRevision,
			&scopes, &issued, &expires, &revoked); err != nil {
			return nil, err
		}
		g.Scopes = strings.Split(scopes, " ")
		g.IssuedAt, g.ExpiresAt = time.UnixMicro(issued).UTC(), time.UnixMicro(expires).UTC()
		if revoked.Valid {
			g.RevokedAt = time.UnixMicro(revoked.Int64).UTC()
		}
		found = append(found, g)
	}
	return found, rows.Err()
}

// digest is what keys are indexed by. The length before each field keeps one field's end from being another's beginning.
func digest(k grants.Key) []byte {
	var text []byte
	for _, field := range fields(k) {
		text = binary.BigEndian.AppendUint64(text, uint64(len(field)))
		text = append(text, field...)
	}
	sum := sha256.Sum256(text)
	return sum[:]
}

func fields(k grants.Key) [7]string {
	return [...]string{k.Issuer, k.Subject, k.ClientID, k.TenantID, k.Application, k.Audience, k.PolicyRevision}
}

// storable reports whether a grant may have the key. PostgreSQL fails on other texts, where the answer is that there are none.
func storable(k grants.Key) bool {
	for _, field := range fields(k) {
		if !isText(field) {
			return false
		}
	}
	return true
}

func isText(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }
