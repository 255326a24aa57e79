package tasks

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"

	"github.com/capgen/capgen/examples/orchestrator/api"
)

// Store keeps tasks in a SQL database, which any number of task servers may share. It is safe for concurrent use. What it refuses is an
// *[api.Error].
type Store struct {
	db      *sql.DB
	dialect dialect
}

// dialect is whose SQL a database speaks.
type dialect string

const (
	sqliteSQL   dialect = "sqlite"
	postgresSQL dialect = "postgres"
)

// Open connects to a database and brings its tables up to date: sqlite:PATH, a file that is created when it is not there, or
// postgres://USER:PASSWORD@HOST/DATABASE. The caller closes the store. No error holds the URL, which may hold a password.
func Open(ctx context.Context, url string) (*Store, error) {
	store, driver, name := &Store{}, "", ""
	switch scheme, rest, _ := strings.Cut(url, ":"); {
	case scheme == "sqlite" && rest != "":
		store.dialect, driver = sqliteSQL, "sqlite"
		// A writer waits for others, and takes its turn before it reads: a transaction that reads first cannot wait.
		escaped := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(rest)
		name = "file:" + escaped + "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=foreign_keys(1)&_txlock=immediate"
	case scheme == "postgres" || scheme == "postgresql":
		store.dialect, driver, name = postgresSQL, "pgx", url
		if _, err := pgx.ParseConfig(url); err != nil {
			// Its text shows the URL, and hides the password only as well as it can guess it.
			return nil, errors.New("the database's URL is malformed: write postgres://USER:PASSWORD@HOST/DATABASE, with what is special percent-encoded")
		}
	default:
		return nil, errors.New("the database is neither sqlite:PATH nor postgres://USER:PASSWORD@HOST/DATABASE")
	}
	db, err := sql.Open(driver, name)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(16)
	db.SetMaxIdleConns(16)
	db.SetConnMaxIdleTime(time.Minute)
	store.db = db
	if err := store.migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the %s database: %w", store.dialect, err), db.Close())
	}
	return store, nil
}

// Close closes the connections.
func (s *Store) Close() error { return s.db.Close() }

// Database tells whose SQL the database speaks.
func (s *Store) Database() string { return string(s.dialect) }

// sql writes a statement in the dialect. Parameters are numbered $1, $2, … as PostgreSQL does it; for SQLite ?1 is a number.
func (s *Store) sql(statement string) string {
	if s.dialect == sqliteSQL {
		return strings.ReplaceAll(statement, "$", "?")
	}
	return statement
}

// columns are those that scan reads, of the table tasks. RETURNING in SQLite knows no other name for it.
const columns = `tasks.id, COALESCE(tasks.parent_id, ''), tasks.goal, tasks.role, tasks.priority, tasks.scope, tasks.complexity, tasks.estimated_minutes, tasks.status,
	tasks.steps_done, tasks.steps_total, tasks.spent_minutes, tasks.spent_cents, tasks.approved, tasks.failure,
	(SELECT count(*) FROM tasks AS c WHERE c.parent_id = tasks.id), tasks.planned_subtasks, tasks.created_at, tasks.updated_at, tasks.seq`

// scan reads a task, and its place in the order of creation.
func scan(row interface{ Scan(...any) error }) (t api.Task, seq int64, err error) {
	var created, updated int64
	err = row.Scan(&t.ID, &t.ParentID, &t.Goal, &t.Role, &t.Priority, &t.Scope, &t.Complexity, &t.EstimatedMinutes, &t.Status,
		&t.StepsDone, &t.StepsTotal, &t.SpentMinutes, &t.SpentCents, &t.Approved, &t.Failure,
		&t.Subtasks, &t.PlannedSubtasks, &created, &updated, &seq)
	t.CreatedAt, t.UpdatedAt = time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
	return t, seq, err
}

// one runs a statement that returns at most one task, and reports whether it did.
func (s *Store) one(ctx context.Context, statement string, args ...any) (t api.Task, found bool, err error) {
	t, _, err = scan(s.db.QueryRowContext(ctx, s.sql(statement), args...))
	if errors.Is(err, sql.ErrNoRows) {
		return api.Task{}, false, nil
	}
	return t, err == nil, err
}

// each calls a function for every row of a query.
func (s *Store) each(ctx context.Context, f func(*sql.Rows) error, query string, args ...any) error {
	rows, err := s.db.QueryContext(ctx, s.sql(query), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func now() int64 { return time.Now().UnixMicro() }
