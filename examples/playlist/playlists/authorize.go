package playlists

import (
	"context"
	"database/sql"
	"errors"

	"github.com/capgen/capgen/capabilities"
)

// errUnknown answers for a playlist that does not exist and for one of another tenant. It repeats no ID, so that the two are the same to
// the byte, and IDs cannot be tried out.
var errUnknown = capabilities.Errorf("unknown_playlist", "there is no such playlist: find one with playlist_find")

// Bindings joins the service to the capabilities. Scopes and grants say what callers may do at all; what is said here is to which playlists.
func (s *Service) Bindings() capabilities.Bindings {
	return Bind(s,
		capabilities.For[PlaylistFind](capabilities.NoResource()), // it names none
		capabilities.AuthorizeResource(func(ctx context.Context, in PlaylistRead, p capabilities.Principal) error {
			return s.mayRead(ctx, in.ID, p)
		}),
		capabilities.AuthorizeResource(func(ctx context.Context, in PlaylistEdit, p capabilities.Principal) error {
			return s.mayChange(ctx, in.ID, p)
		}),
		capabilities.AuthorizeResource(func(ctx context.Context, in PlaylistDelete, p capabilities.Principal) error {
			return s.mayChange(ctx, in.ID, p)
		}),
	)
}

func (s *Service) mayRead(ctx context.Context, id PlaylistID, p capabilities.Principal) error {
	_, err := s.owner(ctx, id, p.TenantID)
	return err
}

func (s *Service) mayChange(ctx context.Context, id PlaylistID, p capabilities.Principal) error {
	owner, err := s.owner(ctx, id, p.TenantID)
	if err == nil && owner != p.Subject {
		// That it exists the caller may know: colleagues may read it.
		return capabilities.ErrUnauthorized
	}
	return err
}

// owner returns who owns a playlist of a tenant.
func (s *Service) owner(ctx context.Context, id PlaylistID, tenant string) (owner string, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT owner FROM playlists WHERE tenant = ? AND id = ?", tenant, id).Scan(&owner)
	if errors.Is(err, sql.ErrNoRows) {
		return "", errUnknown
	}
	return owner, err
}

// tenantOf returns the tenant that a call is for. Without one it is "", which no playlist has.
func tenantOf(ctx context.Context) string {
	p, _ := capabilities.PrincipalFrom(ctx)
	return p.TenantID
}
