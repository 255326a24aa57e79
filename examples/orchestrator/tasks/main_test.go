package tasks

import (
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/capgen/capgen/examples/orchestrator/api"
	"github.com/capgen/capgen/internal/postgres"
)

// An application's own tests would use a PostgreSQL of its own; the repository has one for tests.
func TestMain(m *testing.M) {
	code := postgres.Main(m)
	if err := goleak.Find(); err != nil && code == 0 {
		os.Stderr.WriteString(err.Error() + "\n")
		code = 1
	}
	os.Exit(code)
}

// onEach runs a test on every kind of database, with the URL of a new one.
func onEach(t *testing.T, f func(t *testing.T, url string)) {
	t.Run("SQLite", func(t *testing.T) { f(t, "sqlite:"+filepath.Join(t.TempDir(), "ta%sks?.db")) })
	t.Run("PostgreSQL", func(t *testing.T) {
		if testing.Short() {
			t.Skip("starts PostgreSQL")
		}
		f(t, postgres.Start(t))
	})
}

func open(t *testing.T, url string) *Store {
	t.Helper()
	store, err := Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

func create(t *testing.T, s *Store, n api.NewTask) api.Task {
	t.Helper()
	if n.Goal == "" {
		n.Goal = "goal"
	}
	task, err := s.Create(t.Context(), "", n)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// serveTasks runs a task server until the test ends or stop is called, which waits for its end.
func serveTasks(t *testing.T, config Config) (client *api.Client, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	listening, ended := make(chan net.Addr, 1), make(chan struct{})
	config.Addr = "127.0.0.1:0"
	config.Logger = slog.New(slog.NewTextHandler(t.Output(), nil))
	config.OnListen = func(addr net.Addr) { listening <- addr }
	var failed error
	go func() {
		defer close(ended)
		failed = Run(ctx, config)
	}()
	stop = func() {
		cancel()
		<-ended
		if failed != nil {
			t.Error(failed)
		}
	}
	select {
	case addr := <-listening:
		client, err := api.NewClient("http://" + addr.String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			client.Close()
			stop()
		})
		return client, stop
	case <-ended:
		cancel()
		t.Fatal(failed)
	}
	return nil, nil
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it does not come to pass that %s", what)
		}
	}
}
