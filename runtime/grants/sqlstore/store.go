package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/capgen/capgen/runtime/grants"
)

// Store is a [grants.Store] in a SQL database. It is safe for concurrent use.
type Store struct {
	db      *sql.DB
	dialect Dialect
	ours    bool  // the pool was made by Open
	turns   turns // of those who write to SQLite
}

var _ grants.Store = (*Store)(nil)

// Open connects to a database, brings its tables up to date, and returns its store, which the caller closes. The database is one of
//
//	sqlite:PATH                                a file; it is created, readable by its owner alone, if its folder is there
//	postgres://USER:PASSWORD@HOST/DATABASE     PostgreSQL, with what libpq takes behind a question mark, such as sslmode=require;
//	                                           postgresql:// is the same
//
// A SQLite file is set up for several processes: its journal is a write-ahead log, which needs a local file system. A writer waits up to
// 10 seconds for others. Every change is on the disk before a method returns, so that no revocation is lost when the power is.
// For an SQLite database in memory there is [grants.Memory].
//
// A PostgreSQL host must be the primary: a standby shows revocations late. To connect to it takes at most 10 seconds, unless
// connect_timeout says otherwise. At most 16 connections are open, and idle ones are closed after five minutes.
//
// No error holds the URL's password. A database whose tables are of a newer version than this package is refused.
func Open(ctx context.Context, url string) (*Store, error) {
	var open func(context.Context, string) (*sql.DB, error)
	dialect := SQLite
	switch scheme, _, _ := strings.Cut(url, ":"); scheme {
	case "sqlite":
		open = openSQLite
	case "postgres", "postgresql":
		open, dialect = openPostgreSQL, PostgreSQL
	default:
		// The URL may be that of another database, with its password.
		return nil, errors.New("sqlstore: the database is neither sqlite:PATH nor postgres://USER:PASSWORD@HOST/DATABASE")
	}
	db, err := open(ctx, url)
	if err != nil {
		return nil, err
	}
	store, err := New(ctx, db, dialect)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	store.ours = true
	return store, nil
}

// New brings the tables up to date in the database of a pool, and returns its store. The pool stays the caller's, who closes it; any driver
// of the dialect will do. The tables are made in the schema that the connections find first.
//
// The connections of a SQLite pool should have busy_timeout set, since writers wait for each other, and synchronous FULL, without which a
// revocation that has returned is lost when the power is. In PostgreSQL a database or role with an isolation level above the default, READ
// COMMITTED, makes writes of one grant at the same moment fail, and a synchronous_commit below it loses them as SQLite does.
func New(ctx context.Context, db *sql.DB, dialect Dialect) (*Store, error) {
	if db == nil {
		return nil, errors.New("sqlstore: the pool is nil")
	}
	if dialect != SQLite && dialect != PostgreSQL {
		return nil, fmt.Errorf("sqlstore: there is no dialect %q: pass SQLite or PostgreSQL", string(dialect))
	}
	steps, err := dialect.migrations()
	if err != nil {
		return nil, err
	}
	if err := migrate(ctx, db, dialect, steps); err != nil {
		return nil, err
	}
	store := &Store{db: db, dialect: dialect}
	if dialect == SQLite {
		store.turns = make(turns, 1)
	}
	return store, nil
}

// Close closes the pool that [Open] made, after which every method fails; running queries end first. A pool that was given to [New] it
// leaves alone. It can be called again.
func (s *Store) Close() error {
	if !s.ours {
		return nil
	}
	return s.db.Close()
}
