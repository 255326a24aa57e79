package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"
)

// patience is how long a statement waits for other connections and processes.
const patience = 10 * time.Second

func openSQLite(ctx context.Context, url string) (*sql.DB, error) {
	path := strings.TrimPrefix(url, "sqlite:")
	switch {
	case path == "":
		return nil, errors.New("sqlstore: sqlite: has no path: write sqlite:PATH, such as sqlite:grants.db")
	case strings.HasPrefix(path, ":memory:"):
		return nil, errors.New("sqlstore: an SQLite database in memory is another one for each connection: use grants.NewMemory, or a file")
	case strings.HasPrefix(path, "//"):
		return nil, errors.New("sqlstore: sqlite:// is no form of ours: write sqlite:PATH, such as sqlite:grants.db or sqlite:/var/lib/grants.db")
	}
	if err := createFile(path); err != nil {
		return nil, fmt.Errorf("sqlstore: creating the database: %w", err)
	}
	db, err := sql.Open("sqlite", sqliteName(path))
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %w", err)
	}
	// Readers run beside each other; writers take turns however many there are.
	db.SetMaxOpenConns(8)
	db.SetMaxIdleConns(8)
	if err := useLog(ctx, db); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlstore: opening %s: %w", path, err), db.Close())
	}
	return db, nil
}

// sqliteName is the driver's name of the file: a URI, since in a plain name a question mark would begin the settings. They hold for every
// connection. Synchronous FULL: with a write-ahead log, NORMAL would lose the last commits with the power.
func sqliteName(path string) string {
	escaped := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)
	return fmt.Sprintf("file:%s?_busy_timeout=%d&_foreign_keys=on&_synchronous=FULL", escaped, patience.Milliseconds())
}

// creating is held while a new file is open: to close a file drops every lock that the process has on it, and with them those of SQLite
// (sqlite.org/howtocorrupt.html, 2.2).
var creating sync.Mutex

// createFile creates the database for its owner alone: it says who uses which agents. SQLite gives its other files the same mode.
func createFile(path string) error {
	creating.Lock()
	defer creating.Unlock()
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// useLog sets the journal to a write-ahead log, which the file itself remembers. The change needs the file alone, and SQLite does not wait
// for that, so that processes that start at once must try again.
func useLog(ctx context.Context, db *sql.DB) error {
	for deadline := time.Now().Add(patience); ; {
		var mode string
		err := db.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
		if err == nil && mode != "wal" {
			err = fmt.Errorf("its file system has no write-ahead log (journal_mode is %s): use a local one", mode)
		}
		if !isBusy(err) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func isBusy(err error) bool {
	const busy = 5 // SQLITE_BUSY, the low byte of its variants
	var failed *sqlite.Error
	return errors.As(err, &failed) && failed.Code()&0xff == busy
}
