package playlists

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	_ "modernc.org/sqlite" // the driver
)

// An ID is unique within its tenant, so that a tenant does not notice, by an ID that is taken, what another has. The owner is a subject
// of the one issuer that the server trusts.
const schema = `
	CREATE TABLE IF NOT EXISTS playlists (
		tenant TEXT NOT NULL CHECK (tenant <> ''),
		id     TEXT NOT NULL,
		owner  TEXT NOT NULL CHECK (owner <> ''),
		name   TEXT NOT NULL,
		tracks TEXT NOT NULL, -- a JSON array
		PRIMARY KEY (tenant, id)
	) STRICT, WITHOUT ROWID`

// Open opens a SQLite file, which is created if it is not there, and returns the service of its playlists, which the caller closes. Any
// number of processes can share the file.
func Open(ctx context.Context, file string) (*Service, error) {
	// A transaction reads first and writes then: as IMMEDIATE it waits for others when it begins, and not in the middle, where it fails.
	settings := url.Values{"_busy_timeout": {"10000"}, "_txlock": {"immediate"}}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?"+settings.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(8)
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return nil, errors.Join(fmt.Errorf("opening %s: %w", file, err), db.Close())
	}
	return &Service{db: db}, nil
}

// Close closes the file.
func (s *Service) Close() error { return s.db.Close() }

// Create adds a playlist of a tenant. One with its ID that the tenant has already stays as it is.
func (s *Service) Create(ctx context.Context, tenant string, p Playlist) error {
	tracks, err := json.Marshal(p.Tracks)
	if err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, "INSERT INTO playlists (tenant, id, owner, name, tracks) VALUES (?, ?, ?, ?, ?) ON CONFLICT (tenant, id) DO NOTHING",
		tenant, p.ID, p.Owner, p.Name, string(tracks))
	return err
}

// querier is a *sql.DB or a *sql.Tx.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func load(ctx context.Context, q querier, tenant string, id PlaylistID) (Playlist, error) {
	p := Playlist{Summary: Summary{ID: id}}
	var tracks []byte
	err := q.QueryRowContext(ctx, "SELECT owner, name, tracks FROM playlists WHERE tenant = ? AND id = ?", tenant, id).Scan(&p.Owner, &p.Name, &tracks)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		// It was deleted after the caller was authorised.
		return Playlist{}, errUnknown
	case err != nil:
		return Playlist{}, err
	}
	err = json.Unmarshal(tracks, &p.Tracks)
	return p, err
}

func save(ctx context.Context, tx *sql.Tx, tenant string, p Playlist) error {
	tracks, err := json.Marshal(p.Tracks)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "UPDATE playlists SET name = ?, tracks = ? WHERE tenant = ? AND id = ?", p.Name, string(tracks), tenant, p.ID)
	return err
}
