package tasks

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
)

// Each dialect has the same steps, in files named in their order. A step that was released does not change any more.
//
//go:embed migrations
var migrations embed.FS

// migrationLock is our advisory lock in a PostgreSQL database: "capgen t" in ASCII.
const migrationLock = 0x63617067656e2074

// migrate does the steps that the database has not seen, all of them or none. Task servers that start at once take turns: SQLite's
// transactions begin with the write lock (_txlock), PostgreSQL's here with an advisory one.
func (s *Store) migrate(ctx context.Context) error {
	steps, err := fs.Glob(migrations, "migrations/"+string(s.dialect)+"/*.sql") // sorted
	if err != nil {
		return err
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if s.dialect == postgresSQL {
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", migrationLock)); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS tasks_schema (version bigint NOT NULL PRIMARY KEY)"); err != nil {
		return err
	}
	var at int
	if err := tx.QueryRowContext(ctx, "SELECT COALESCE(max(version), 0) FROM tasks_schema").Scan(&at); err != nil {
		return err
	}
	if at > len(steps) {
		return fmt.Errorf("its tables have version %d, and this program knows up to %d: run the newer program that made them", at, len(steps))
	}
	for ; at < len(steps); at++ {
		text, err := migrations.ReadFile(steps[at])
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, string(text)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("INSERT INTO tasks_schema (version) VALUES (%d)", at+1)); err != nil {
			return err
		}
	}
	return tx.Commit()
}
