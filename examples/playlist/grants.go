package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/capgen/capgen/examples/playlist/playlists"
	"github.com/capgen/capgen/runtime/grants"
	"github.com/capgen/capgen/runtime/grants/sqlstore"
)

// issueGrant saves a new grant and prints its ID, by which it can be revoked.
func issueGrant(ctx context.Context, args []string, stdout io.Writer) error {
	g := grants.Grant{ID: grants.NewID(), Key: grants.Key{Application: application}, IssuedAt: time.Now()}
	flags := flag.NewFlagSet("grants issue", flag.ContinueOnError)
	file := flags.String("db", defaultFile, "SQLite `file` of the grants")
	flags.StringVar(&g.Audience, "resource", defaultResource, "`URL` of the endpoint, as serve was given it")
	flags.StringVar(&g.Issuer, "issuer", "", "`URL` of the OpenID provider that knows the user (required)")
	flags.StringVar(&g.Subject, "subject", "", "the `user`, as the provider's tokens say it; without one the grant is the client's own")
	flags.StringVar(&g.ClientID, "client", "", "the OAuth `client` that acts for the user")
	flags.StringVar(&g.TenantID, "tenant", "", "the user's `tenant` (required)")
	scopes := flags.String("scopes", "", "`list` of what is permitted, of "+strings.Join(declaredScopes(), ",")+" (required)")
	lifetime := flags.Duration("for", 24*time.Hour, "for how long, a `duration` such as 30m")
	if err := parse(flags, args, 0, stdout); err != nil {
		return err
	}
	if g.Issuer == "" || g.TenantID == "" || *scopes == "" || g.Subject+g.ClientID == "" {
		return usagef("grants issue: write -issuer, -tenant, -scopes, and -subject or -client; see -help")
	}
	g.ExpiresAt = g.IssuedAt.Add(*lifetime)
	g.Scopes = strings.FieldsFunc(*scopes, func(r rune) bool { return r == ',' || r == ' ' })
	if err := check(g); err != nil {
		return usagef("grants issue: %w", err)
	}
	return withGrants(ctx, *file, func(store *sqlstore.Store) error {
		if err := store.Save(ctx, g); err != nil {
			return err
		}
		_, err := fmt.Fprintln(stdout, g.ID)
		return err
	})
}

// declaredScopes are those that some capability needs.
func declaredScopes() []string {
	var scopes []string
	for _, b := range playlists.Bind(new(playlists.Service)) {
		scopes = append(scopes, b.Definition().Access.Scopes...)
	}
	slices.Sort(scopes)
	return slices.Compact(scopes)
}

// check adds to what makes a grant what this application knows: a scope that no capability needs would permit nothing.
func check(g grants.Grant) error {
	errs := []error{g.Check()}
	known := declaredScopes()
	for _, scope := range g.Scopes {
		if !slices.Contains(known, scope) {
			errs = append(errs, fmt.Errorf("no capability needs the scope %q: choose from %s", scope, strings.Join(known, ",")))
		}
	}
	return errors.Join(errs...)
}

func revokeGrant(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("grants revoke", flag.ContinueOnError)
	file := flags.String("db", defaultFile, "SQLite `file` of the grants")
	if err := parse(flags, args, 1, stdout); err != nil {
		return err
	}
	id := flags.Arg(0)
	if id == "" {
		return usagef("grants revoke: write the ID of a grant behind the flags; grants list shows them")
	}
	return withGrants(ctx, *file, func(store *sqlstore.Store) error {
		switch err := store.Revoke(ctx, id, time.Now()); {
		case errors.Is(err, grants.ErrNotFound):
			return fmt.Errorf("there is no grant %q in %s: grants list shows those that there are", id, *file)
		case err != nil:
			return err
		}
		_, err := fmt.Fprintln(stdout, "revoked", id)
		return err
	})
}

func listGrants(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("grants list", flag.ContinueOnError)
	file := flags.String("db", defaultFile, "SQLite `file` of the grants")
	revoked := flags.Bool("revoked", false, "show those that were revoked, too")
	if err := parse(flags, args, 0, stdout); err != nil {
		return err
	}
	return withGrants(ctx, *file, func(store *sqlstore.Store) error {
		table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tSUBJECT\tCLIENT\tTENANT\tSCOPES\tSTATE")
		filter := sqlstore.Filter{Key: grants.Key{Application: application}, Revoked: *revoked, Limit: 1000}
		for {
			page, err := store.List(ctx, filter)
			if err != nil {
				return err
			}
			for _, g := range page {
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", g.ID, g.Subject, g.ClientID, g.TenantID, strings.Join(g.Scopes, ","), state(g, time.Now()))
			}
			if len(page) < filter.Limit {
				return table.Flush()
			}
			filter.After = page[len(page)-1].ID
		}
	})
}

func state(g grants.Grant, now time.Time) string {
	at := func(word string, t time.Time) string { return word + " " + t.Format(time.RFC3339) }
	switch {
	case !g.RevokedAt.IsZero():
		return at("revoked", g.RevokedAt)
	case g.ActiveAt(now):
		return at("until", g.ExpiresAt)
	}
	return at("expired", g.ExpiresAt)
}

// withGrants opens the store of the grants, which must be there: the server would not know of a grant in another file.
func withGrants(ctx context.Context, file string, do func(*sqlstore.Store) error) error {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no database %s: give the -db of serve, which creates it", file)
	}
	store, err := sqlstore.Open(ctx, "sqlite:"+file)
	if err != nil {
		return err
	}
	return errors.Join(do(store), store.Close())
}
