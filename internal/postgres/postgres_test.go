package postgres

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"
)

// dying is set in a process that starts a server and ends without stopping it.
const dying = "CAPGEN_POSTGRES_DYING"

func TestMain(m *testing.M) {
	code := Main(m)
	if err := goleak.Find(); err != nil && code == 0 {
		os.Stderr.WriteString(err.Error() + "\n")
		code = 1
	}
	os.Exit(code)
}

func TestStart(t *testing.T) {
	began := time.Now()
	first := Start(t)
	t.Logf("the server answered after %v", time.Since(began))
	second := Start(t)
	if first == second {
		t.Fatalf("one database for two: %s", first)
	}
	one, two := connect(t, first), connect(t, second)
	if _, err := one.Exec(t.Context(), "CREATE TABLE mine (x text)"); err != nil {
		t.Fatal(err)
	}
	var there, english bool
	if err := two.QueryRow(t.Context(), "SELECT to_regclass('mine') IS NOT NULL, 'a' < 'B'").Scan(&there, &english); err != nil {
		t.Fatal(err)
	}
	if there || !english {
		t.Errorf("another's table: %v, order of English: %v", there, english)
	}
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// TestServerEndsWithItsProcess: a test binary that panics or is killed runs no cleanup.
func TestServerEndsWithItsProcess(t *testing.T) {
	if os.Getenv(dying) != "" {
		os.Stdout.WriteString("url " + Start(t) + "\n")
		os.Exit(0)
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestServerEndsWithItsProcess$")
	child.Env = append(os.Environ(), dying+"=1")
	output, err := child.CombinedOutput()
	_, text, found := strings.Cut(string(output), "url ")
	if err != nil || !found {
		t.Fatalf("%v\n%s", err, output)
	}
	line, _, _ := strings.Cut(text, "\n")
	database, err := url.Parse(line)
	if err != nil {
		t.Fatal(err)
	}
	folder := database.Query().Get("host")
	for deadline := time.Now().Add(stopTime); ; time.Sleep(20 * time.Millisecond) {
		_, err := os.Stat(folder)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is still there: %v", folder, err)
		}
	}
}
