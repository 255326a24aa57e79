package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"time"
)

const createVersions = "CREATE TABLE IF NOT EXISTS capgen_grants_schema (version bigint NOT NULL PRIMARY KEY, applied_at bigint NOT NULL)"

// migrate does the steps that a database has not seen yet, all of them or none. Processes that start at once take turns. A database that is
// up to date is only read, so that a program may run under a role that cannot create tables.
func migrate(ctx context.Context, db *sql.DB, dialect Dialect, steps []string) error {
	at, err := version(ctx, db, dialect)
	if err != nil {
		return fmt.Errorf("sqlstore: reading the version of the tables: %w", err)
	}
	switch {
	case at == len(steps):
		return nil
	case at > len(steps):
		return fmt.Errorf("sqlstore: the tables have version %d, and this program knows up to %d: run the newer program that made them",
			at, len(steps))
	}
	if err := upgrade(ctx, db, dialect, steps); err != nil {
		return fmt.Errorf("sqlstore: bringing the tables from version %d to %d: %w", at, len(steps), err)
	}
	return nil
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// version returns how many steps a database has seen.
func version(ctx context.Context, q querier, dialect Dialect) (int, error) {
	var there bool
	if err := q.QueryRowContext(ctx, dialect.hasVersions()).Scan(&there); err != nil || !there {
		return 0, err
	}
	var at int
	err := q.QueryRowContext(ctx, "SELECT COALESCE(max(version), 0) FROM capgen_grants_schema").Scan(&at)
	return at, err
}

// upgrade does the steps in one transaction, which is written out because database/sql has no BEGIN IMMEDIATE.
func upgrade(ctx context.Context, db *sql.DB, dialect Dialect, steps []string) (err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	exec := func(statement string, args ...any) error {
		_, err := conn.ExecContext(ctx, dialect.sql(statement), args...)
		return err
	}

	defer func() {
		if err != nil {
			rollback(ctx, conn)
		}
	}()
	for _, statement := range dialect.begin() {
		if err := exec(statement); err != nil {
			return err
		}
	}
	// Another process may have been here meanwhile.
	at, err := version(ctx, conn, dialect)
	if err != nil {
		return err
	}
	if at == 0 {
		if err := exec(createVersions); err != nil {
			return err
		}
	}
	for ; at < len(steps); at++ {
		// Without arguments, so that both drivers take several statements.
		if _, err := conn.ExecContext(ctx, steps[at]); err != nil {
			return err
		}
		if err := exec("INSERT INTO capgen_grants_schema (version, applied_at) VALUES ($1, $2)", at+1, time.Now().UnixMicro()); err != nil {
			return err
		}
	}
	return exec("COMMIT")
}

// rollback ends the transaction, also when its context has ended. A connection that cannot is thrown away: nobody else may
// get it with a transaction open.
func rollback(ctx context.Context, conn *sql.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}
