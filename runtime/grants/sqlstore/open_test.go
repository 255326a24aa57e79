package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/capgen/capgen/internal/postgres"
	"github.com/capgen/capgen/runtime/grants"
	"github.com/capgen/capgen/runtime/grants/grantstest"
	"github.com/capgen/capgen/runtime/grants/sqlstore"
)

func TestOpenRefuses(t *testing.T) {
	const malformed = "sqlstore: the PostgreSQL URL is malformed: write postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=require," +
		" and percent-encode what is special in a part, such as %40 for @"
	const neither = "sqlstore: the database is neither sqlite:PATH nor postgres://USER:PASSWORD@HOST/DATABASE"
	for url, want := range map[string]string{
		"":                       neither,
		"grants.db":              neither,
		"mysql://a@b/c":          neither,
		"SQLITE:grants.db":       neither,
		"sqlite:":                "sqlstore: sqlite: has no path: write sqlite:PATH, such as sqlite:grants.db",
		"sqlite::memory:":        "sqlstore: an SQLite database in memory is another one for each connection: use grants.NewMemory, or a file",
		"sqlite://grants.db":     "sqlstore: sqlite:// is no form of ours: write sqlite:PATH, such as sqlite:grants.db or sqlite:/var/lib/grants.db",
		"sqlite:missing/here.db": "sqlstore: creating the database: open missing/here.db: no such file or directory",
		"postgres:grants":        malformed,
		"postgres://a:b@c@d/e":   malformed,
		"postgresql://a:b/c@d/e": malformed,
		"postgres://a@b/c?sslmode=maybe": "sqlstore: the PostgreSQL URL is malformed, or has a setting that is none: " +
			strings.TrimPrefix(malformed, "sqlstore: the PostgreSQL URL is malformed: "),
	} {
		store, err := sqlstore.Open(t.Context(), url)
		if store != nil || err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", url, err, want)
		}
	}
	for _, dialect := range []sqlstore.Dialect{"", "mysql"} {
		if _, err := sqlstore.New(t.Context(), new(sql.DB), dialect); err == nil || !strings.Contains(err.Error(), "pass SQLite or PostgreSQL") {
			t.Error(err)
		}
	}
	if _, err := sqlstore.New(t.Context(), nil, sqlstore.SQLite); err == nil || err.Error() != "sqlstore: the pool is nil" {
		t.Error(err)
	}
}

// TestPasswordIsHidden: nothing listens on port 1, so that the well-formed URLs fail too.
func TestPasswordIsHidden(t *testing.T) {
	for _, url := range []string{
		"postgres://user:%s@127.0.0.1:1/db",
		"postgresql://user:%s@127.0.0.1:1,127.0.0.1:2/db",
		"postgres://user@127.0.0.1:1/db?password=%s",
		"postgres://user@127.0.0.1:1/db?pass%%77ord=%s&sslmode=maybe",
		"postgres://user:%s@127.0.0.1:1/db?sslmode=maybe",
		"postgres://user:%s@127.0.0.1:port/db",
		"postgres://user:%s@[::1/db",
		"postgres://user:%s%%zz@127.0.0.1:1/db",
		"postgres://user:%s@127.0.0.1:1/%%zz",
		"postgres://user:12/%s@127.0.0.1:1/db",
		"postgres://user:a@%s@127.0.0.1:1/db",
		"postgres://user:a#%s@127.0.0.1:1/db",
		"postgres://user:a?%s@127.0.0.1:1/db",
		"postgres://user:%s",
		"postgres:user:%s@127.0.0.1:1",
		"mysql://user:%s@127.0.0.1:1/db",
		"user:%s@tcp(127.0.0.1:1)/db",
		"host=127.0.0.1 port=1 password=%s",
	} {
		const secret = "CANARY-SECRET"
		store, err := sqlstore.Open(t.Context(), fmt.Sprintf(url, secret))
		if err == nil {
			t.Errorf("%s: opened", url)
			_ = store.Close()
			continue
		}
		for _, text := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", err)} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: %s", url, text)
			}
		}
		var connect *pgconn.ConnectError
		var parse *pgconn.ParseConfigError
		if errors.As(err, &connect) || errors.As(err, &parse) {
			t.Errorf("%s: %T holds the URL", url, err)
		}
	}
}

func TestOpenCancelled(t *testing.T) {
	for _, database := range databases {
		t.Run(database.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := sqlstore.Open(ctx, database.create(t)); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
}

// TestPaths opens files whose names mean something in a URI.
func TestPaths(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	names := []string{"plain.db", "a b.db", "what?mode=memory", "a#b", "%41.db", "a%b", "ü&=.db", "file:x", "-x", filepath.Join(folder, "absolute.db")}
	for _, name := range names {
		store := open(t, "sqlite:"+name)
		if err := store.Save(t.Context(), newGrant("g")); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		for _, file := range []string{name, name + "-wal", name + "-shm"} {
			if info, err := os.Stat(file); err != nil {
				t.Error(err)
			} else if info.Mode() != 0o600 {
				t.Errorf("%q has mode %v", file, info.Mode())
			}
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 3*len(names) {
		t.Errorf("there are other files: %v, %v", entries, err)
	}
}

// TestFileIsKept: what is there already keeps its mode, and what is no database is refused as it is.
func TestFileIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "grants.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("not a database\n", 100)), 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlstore.Open(t.Context(), "sqlite:"+path); err == nil || !strings.Contains(err.Error(), "file is not a database") {
		t.Error(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(text), "not a database\n") {
		t.Errorf("%.30q %v", text, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != fs.FileMode(0o640) {
		t.Error(info, err)
	}
}

// TestSettings: each connection of the pool must have them.
func TestSettings(t *testing.T) {
	url := databases[0].create(t)
	store := open(t, url)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "busy_timeout": "10000", "foreign_keys": "1"} {
				var got string
				if err := sqlstore.Pool(store).QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
					t.Errorf("%s is %q, want %q: %v", pragma, got, want, err)
				}
			}
		})
	}
	wait.Wait()
}

// TestPoolOfTheApplication runs the suite on pools that stay open behind the store, the smallest ones that there are.
func TestPoolOfTheApplication(t *testing.T) {
	for _, database := range databases {
		t.Run(database.name, func(t *testing.T) {
			grantstest.TestStore(t, func(t *testing.T) grants.Store {
				pool := newPool(t, database.driver, database.create(t))
				pool.SetMaxOpenConns(1)
				store, err := sqlstore.New(t.Context(), pool, database.dialect)
				if err != nil {
					t.Fatal(err)
				}
				return store
			})

			pool := newPool(t, database.driver, database.create(t))
			store, err := sqlstore.New(t.Context(), pool, database.dialect)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(store.Close(), store.Close(), pool.PingContext(t.Context())); err != nil {
				t.Error(err)
			}
		})
	}
}

func newPool(t *testing.T, driver, url string) *sql.DB {
	t.Helper()
	pool, err := sql.Open(driver, strings.TrimPrefix(url, "sqlite:"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	return pool
}

func TestClose(t *testing.T) {
	for _, database := range databases {
		t.Run(database.name, func(t *testing.T) {
			url := database.create(t)
			store := open(t, url)
			g := newGrant("g")
			if err := errors.Join(store.Save(t.Context(), g), store.Close(), store.Close()); err != nil {
				t.Fatal(err)
			}
			if _, err := store.Find(t.Context(), g.Key); err == nil {
				t.Error("a closed store answers")
			}
			found, err := open(t, url).Find(t.Context(), g.Key)
			if err != nil || !reflect.DeepEqual(found, []grants.Grant{g}) {
				t.Error(found, err)
			}
		})
	}
}

// TestRoleWithoutRights: a program may run under a role that can change grants and no tables, once another has made them.
func TestRoleWithoutRights(t *testing.T) {
	url := postgres.Start(t)
	owner := newPool(t, "pgx", url)
	role := "clerk_" + strings.ToLower(grants.NewID())
	for _, statement := range []string{"CREATE ROLE " + role + " LOGIN", "GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + role} {
		if _, err := owner.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if _, err := owner.ExecContext(context.Background(), "DROP OWNED BY "+role+"; DROP ROLE "+role); err != nil {
			t.Error(err)
		}
	})
	_, rest, _ := strings.Cut(url, "@")
	asClerk := "postgres://" + role + "@" + rest
	if _, err := sqlstore.Open(t.Context(), asClerk); err == nil || !strings.Contains(err.Error(), "permission denied for schema public") {
		t.Error(err)
	}
	open(t, url)
	const rights = "GRANT SELECT ON capgen_grants_schema TO %[1]s; GRANT SELECT, INSERT, UPDATE ON capgen_grants TO %[1]s"
	if _, err := owner.ExecContext(t.Context(), fmt.Sprintf(rights, role)); err != nil {
		t.Fatal(err)
	}
	store := open(t, asClerk)
	if err := errors.Join(store.Save(t.Context(), newGrant("g")), store.Revoke(t.Context(), "g", newGrant("").ExpiresAt)); err != nil {
		t.Error(err)
	}
}
