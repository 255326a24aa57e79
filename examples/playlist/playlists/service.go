package playlists

import (
	"context"
	"database/sql"
	"slices"

	"github.com/capgen/capgen/capabilities"
)

// maxTracks is how many tracks a playlist may have.
const maxTracks = 500

// Service answers the package's capabilities. It is safe for concurrent use.
//
// Every statement names the tenant of the caller, although the resource checks of [Service.Bindings] have asked before: what one of them
// forgets then shows nobody what is another tenant's.
type Service struct{ db *sql.DB }

var _ Handlers = (*Service)(nil)

// PlaylistFind lists playlists of the caller's tenant.
func (s *Service) PlaylistFind(ctx context.Context, in PlaylistFind) (Found, error) {
	rows, err := s.db.QueryContext(ctx, `
		SELECT id, name, owner, count(*) OVER () FROM playlists
		WHERE tenant = ? AND instr(lower(name), lower(?)) > 0 ORDER BY id LIMIT ?`, tenantOf(ctx), in.Query, in.Limit)
	if err != nil {
		return Found{}, err
	}
	defer rows.Close()
	var found Found
	for rows.Next() {
		var p Summary
		if err := rows.Scan(&p.ID, &p.Name, &p.Owner, &found.Total); err != nil {
			return Found{}, err
		}
		found.Playlists = append(found.Playlists, p)
	}
	return found, rows.Err()
}

// PlaylistRead returns a playlist.
func (s *Service) PlaylistRead(ctx context.Context, in PlaylistRead) (Playlist, error) {
	return load(ctx, s.db, tenantOf(ctx), in.ID)
}

// PlaylistEdit changes a playlist.
func (s *Service) PlaylistEdit(ctx context.Context, in PlaylistEdit) (Playlist, error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return Playlist{}, err
	}
	defer tx.Rollback() // it does nothing after Commit
	p, err := load(ctx, tx, tenantOf(ctx), in.ID)
	if err != nil {
		return Playlist{}, err
	}
	if err := p.change(in); err != nil {
		return Playlist{}, err
	}
	if err := save(ctx, tx, tenantOf(ctx), p); err != nil {
		return Playlist{}, err
	}
	return p, tx.Commit()
}

func (p *Playlist) change(in PlaylistEdit) error {
	if in.Name == "" && len(in.Remove) == 0 && len(in.Add) == 0 {
		return capabilities.Errorf("nothing_to_change", "give a name, tracks to remove or tracks to add")
	}
	if in.Name != "" {
		p.Name = in.Name
	}
	for _, track := range in.Remove {
		i := slices.Index(p.Tracks, track)
		if i < 0 {
			return capabilities.Errorf("unknown_track", "the playlist has no track %q to remove, or not so often: read it first", track)
		}
		p.Tracks = slices.Delete(p.Tracks, i, i+1)
	}
	if len(p.Tracks)+len(in.Add) > maxTracks {
		return capabilities.Errorf("too_many_tracks", "a playlist has at most %d tracks: remove some", maxTracks)
	}
	p.Tracks = append(p.Tracks, in.Add...)
	return nil
}

// PlaylistDelete deletes a playlist.
func (s *Service) PlaylistDelete(ctx context.Context, in PlaylistDelete) error {
	_, err := s.db.ExecContext(ctx, "DELETE FROM playlists WHERE tenant = ? AND id = ?", tenantOf(ctx), in.ID)
	return err
}
