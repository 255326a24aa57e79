package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/capgen/capgen/internal/postgres"
	"github.com/capgen/capgen/runtime/grants"
)

// each runs a test on a new database of each dialect, with the steps that there are.
func each(t *testing.T, test func(t *testing.T, db *sql.DB, dialect Dialect, steps []string)) {
	for dialect, url := range map[Dialect]func(t testing.TB) string{
		SQLite:     func(t testing.TB) string { return "sqlite:" + filepath.Join(t.TempDir(), "grants.db") },
		PostgreSQL: postgres.Start,
	} {
		t.Run(string(dialect), func(t *testing.T) {
			open := map[Dialect]func(context.Context, string) (*sql.DB, error){SQLite: openSQLite, PostgreSQL: openPostgreSQL}[dialect]
			db, err := open(t.Context(), url(t))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			steps, err := dialect.migrations()
			if err != nil || len(steps) == 0 {
				t.Fatal(steps, err)
			}
			test(t, db, dialect, steps)
		})
	}
}

// TestFailingStep: a step that fails halfway leaves nothing behind, nor do those before it.
func TestFailingStep(t *testing.T) {
	each(t, func(t *testing.T, db *sql.DB, dialect Dialect, steps []string) {
		broken := append(steps[:len(steps):len(steps)], "CREATE TABLE half (x bigint); CREATE TABLE half (x bigint)")
		err := migrate(t.Context(), db, dialect, broken)
		if err == nil || !strings.HasPrefix(err.Error(), "sqlstore: bringing the tables from version 0 to 2: ") ||
			!strings.Contains(err.Error(), "already exists") {
			t.Fatal(err)
		}
		if at, err := version(t.Context(), db, dialect); at != 0 || err != nil {
			t.Errorf("version %d, %v", at, err)
		}
		for _, table := range []string{"half", "capgen_grants", "capgen_grants_schema"} {
			if _, err := db.ExecContext(t.Context(), "SELECT * FROM "+table); err == nil {
				t.Errorf("there is a table %s", table)
			}
		}
		// The connection that failed is usable, and so is the database.
		if err := migrate(t.Context(), db, dialect, steps); err != nil {
			t.Error(err)
		}
	})
}

func TestNextStep(t *testing.T) {
	each(t, func(t *testing.T, db *sql.DB, dialect Dialect, steps []string) {
		store, err := New(t.Context(), db, dialect)
		if err != nil {
			t.Fatal(err)
		}
		next := append(steps[:len(steps):len(steps)], "ALTER TABLE capgen_grants ADD COLUMN note text", "CREATE TABLE more (x bigint)")
		for range 2 {
			if err := migrate(t.Context(), db, dialect, next); err != nil {
				t.Fatal(err)
			}
		}
		if at, err := version(t.Context(), db, dialect); at != len(next) || err != nil {
			t.Errorf("version %d, %v", at, err)
		}
		// A program that has it open goes on; one of the old version that starts does not.
		if _, err := store.Find(t.Context(), grants.Key{}); err != nil {
			t.Error(err)
		}
		const want = "sqlstore: the tables have version 3, and this program knows up to 1: run the newer program that made them"
		if _, err := New(t.Context(), db, dialect); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	})
}

// TestCancelledStep: the transaction that was begun does not stay behind in the pool, where its lock would stop everybody.
func TestCancelledStep(t *testing.T) {
	each(t, func(t *testing.T, db *sql.DB, dialect Dialect, steps []string) {
		ctx, cancel := context.WithCancel(t.Context())
		slow := map[Dialect]string{
			SQLite:     "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
			PostgreSQL: "SELECT pg_sleep(60)",
		}[dialect]
		done := make(chan error)
		go func() {
			done <- migrate(ctx, db, dialect, append([]string{"CREATE TABLE half (x bigint)", slow}, steps...))
		}()
		time.Sleep(100 * time.Millisecond)
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := migrate(t.Context(), db, dialect, steps); err != nil {
			t.Error(err)
		}
		if _, err := db.ExecContext(t.Context(), "SELECT * FROM half"); err == nil {
			t.Error("there is a table half")
		}
	})
}

// TestTogether: those that start at once on a new database all succeed.
func TestTogether(t *testing.T) {
	for range 5 {
		each(t, func(t *testing.T, db *sql.DB, dialect Dialect, _ []string) {
			var done sync.WaitGroup
			for range 8 {
				done.Go(func() {
					if _, err := New(t.Context(), db, dialect); err != nil {
						t.Error(err)
					}
				})
			}
			done.Wait()
		})
	}
}

// TestIndex: a Find reads the rows of its key and no others.
func TestIndex(t *testing.T) {
	each(t, func(t *testing.T, db *sql.DB, dialect Dialect, _ []string) {
		if _, err := New(t.Context(), db, dialect); err != nil {
			t.Fatal(err)
		}
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		explain := "EXPLAIN QUERY PLAN "
		if dialect == PostgreSQL {
			// Empty tables are quicker to read as a whole.
			if _, err := conn.ExecContext(t.Context(), "SET enable_seqscan = off"); err != nil {
				t.Fatal(err)
			}
			explain = "EXPLAIN "
		}
		rows, err := conn.QueryContext(t.Context(), dialect.sql(explain+selectGrants+findWhere), digest(grants.Key{}), "", "", "", "", "", "", "", 0)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var plan strings.Builder
		for rows.Next() {
			var text string
			into := []any{&text}
			if dialect == SQLite {
				into = []any{new(any), new(any), new(any), &text}
			}
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			plan.WriteString(text + "\n")
		}
		if !strings.Contains(plan.String(), "capgen_grants_by_key") {
			t.Error(plan.String())
		}
	})
}
