package sqlstore_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// TestWaiting: while another process writes, changes wait until their context ends, and those that wait behind them too. Reading goes on.
func TestWaiting(t *testing.T) {
	url := databases[0].create(t)
	store := open(t, url)
	g := newGrant("g")
	if err := store.Save(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	other, err := newPool(t, "sqlite", url).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	var done sync.WaitGroup
	for _, change := range []func() error{
		func() error { return store.Save(ctx, g) },
		func() error { return store.Save(ctx, newGrant("h")) },
		func() error { return store.Revoke(ctx, g.ID, time.Now()) },
	} {
		done.Go(func() {
			if err := change(); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		})
	}
	if found, err := store.Find(t.Context(), g.Key); err != nil || len(found) != 1 {
		t.Error(found, err)
	}
	done.Wait()
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	if _, err := other.ExecContext(t.Context(), "COMMIT"); err != nil {
		t.Fatal(err)
	}
	if err := store.Revoke(t.Context(), g.ID, time.Now()); err != nil {
		t.Error(err)
	}
}
