package tasks

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"github.com/capgen/capgen/examples/orchestrator/api"
)

// poll is how often idle workers look for tasks that another task server was given or has left behind. Those of their own they hear of at once.
const poll = time.Second

// pool works on tasks, several at a time. This is where a real orchestrator would have its agents do something: here a step is a wait, and
// an entry in the books.
type pool struct {
	store  *Store
	step   time.Duration // how long a step takes
	logger *slog.Logger
	wake   chan struct{} // a task may have become pending
}

func newPool(store *Store, step time.Duration, logger *slog.Logger) *pool {
	return &pool{store: store, step: step, logger: logger, wake: make(chan struct{}, 1)}
}

// nudge wakes an idle worker.
func (p *pool) nudge() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// run keeps some workers at work until ctx ends. A step that is under way then is not booked, and its task is given back: what was done stays, and
// whoever goes on with the task repeats that one step.
func (p *pool) run(ctx context.Context, workers int) {
	var group sync.WaitGroup
	for range workers {
		group.Go(func() { p.work(ctx, rand.Text()) })
	}
	group.Wait()
}

func (p *pool) work(ctx context.Context, worker string) {
	for ctx.Err() == nil {
		t, found, err := p.store.Claim(ctx, worker)
		switch {
		case err != nil:
			p.failed(ctx, "taking up a task", err)
		case found:
			// There may be more than one.
			p.nudge()
			p.finish(ctx, worker, t)
			continue
		}
		select {
		case <-ctx.Done():
		case <-p.wake:
		case <-time.After(poll):
		}
	}
}

// finish moves a task on until it is not the worker's any more.
func (p *pool) finish(ctx context.Context, worker string, t api.Task) {
	for t.Status == api.Running {
		m := nextMove(t)
		if m.steps > 0 && !p.wait(ctx) {
			p.giveBack(ctx, worker, t.ID)
			return
		}
		moved, ours, err := p.store.Move(ctx, worker, t.ID, m)
		if err != nil {
			// After the lease somebody takes it up again.
			p.failed(ctx, "moving on a task", err)
			p.giveBack(ctx, worker, t.ID)
			return
		}
		if !ours {
			return
		}
		t = moved
	}
}

// wait waits for a step, and reports whether it came to its end.
func (p *pool) wait(ctx context.Context) bool {
	timer := time.NewTimer(p.step)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func (p *pool) giveBack(ctx context.Context, worker string, id api.TaskID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if _, _, err := p.store.Move(ctx, worker, id, move{to: api.Pending}); err != nil {
		p.failed(ctx, "giving back a task", err)
	}
}

func (p *pool) failed(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		p.logger.ErrorContext(ctx, what, "error", err)
	}
}
