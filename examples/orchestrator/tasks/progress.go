package tasks

import (
	"context"
	"time"

	"github.com/capgen/capgen/examples/orchestrator/api"
)

// lease is how long a task stays with whoever took it up without a step being done. Then its task server is taken for dead, and the task
// is anybody's. Servers that share a database must agree about the time to a fraction of it.
const lease = 30 * time.Second

// Claim takes up the most urgent task for a worker, which is known by a name that no other has, and reports whether there was one. One
// statement finds and takes it, so that no two workers get the same, whatever process they are in.
func (s *Store) Claim(ctx context.Context, worker string) (api.Task, bool, error) {
	// Of those that others are about to take PostgreSQL need not wait for. SQLite has one writer at a time.
	skip := ""
	if s.dialect == postgresSQL {
		skip = "FOR UPDATE SKIP LOCKED"
	}
	at := now()
	return s.one(ctx, `
		UPDATE tasks SET status = 'running', claim = $1, claimed_until = $2, updated_at = $3
		WHERE id = (
			SELECT id FROM tasks WHERE status = 'pending' OR status = 'running' AND claimed_until < $3
			ORDER BY CASE priority WHEN 'urgent' THEN 0 WHEN 'high' THEN 1 WHEN 'normal' THEN 2 ELSE 3 END, seq LIMIT 1 `+skip+`)
		RETURNING `+columns, worker, at+lease.Microseconds(), at)
}

// Move does a move of a task that a worker has, and reports whether the worker still has it: it may have been stopped meanwhile.
func (s *Store) Move(ctx context.Context, worker string, id api.TaskID, m move) (api.Task, bool, error) {
	at := now()
	return s.one(ctx, `
		UPDATE tasks SET status = $3, failure = $4, steps_done = steps_done + $5, spent_minutes = spent_minutes + $6,
			spent_cents = spent_cents + $7, claimed_until = $8, updated_at = $9
		WHERE id = $1 AND claim = $2 AND status = 'running'
		RETURNING `+columns, string(id), worker, string(m.to), m.failure, m.steps, m.minutes, m.cents, at+lease.Microseconds(), at)
}

// Approve lets a task that waits for it go on. One that was approved before is returned as it is.
func (s *Store) Approve(ctx context.Context, id api.TaskID) (api.Task, error) {
	t, err := s.Get(ctx, id)
	if err != nil || t.Approved {
		return t, err
	}
	approved, found, err := s.one(ctx, `
		UPDATE tasks SET status = 'pending', approved = true, updated_at = $2
		WHERE id = $1 AND status = 'waiting_approval' RETURNING `+columns, string(id), now())
	if err != nil || found {
		return approved, err
	}
	// It moved on between the two statements, or never waited.
	if t, err = s.Get(ctx, id); err != nil || t.Approved {
		return t, err
	}
	return t, api.Errorf(api.NotWaiting, "task %s is %s and waits for no approval: orchestrator_tasks with the status waiting_approval lists those that do", id, t.Status)
}

// Stop ends unfinished tasks for good, if the order says so, and tells how many there were and are.
func (s *Store) Stop(ctx context.Context, order api.StopOrder) (report api.StopReport, err error) {
	const unfinished = "status IN ('pending', 'running', 'waiting_approval')"
	switch order.Unfinished {
	case api.Discard:
		result, err := s.db.ExecContext(ctx, s.sql("UPDATE tasks SET status = 'stopped', updated_at = $1 WHERE "+unfinished), now())
		if err != nil {
			return report, err
		}
		discarded, err := result.RowsAffected()
		report.Discarded = int(discarded)
		if err != nil {
			return report, err
		}
	case api.Keep:
	default:
		return report, api.Errorf(api.BadRequest, "unfinished must be %q or %q", api.Keep, api.Discard)
	}
	err = s.db.QueryRowContext(ctx, "SELECT count(*) FROM tasks WHERE "+unfinished).Scan(&report.Kept)
	return report, err
}
