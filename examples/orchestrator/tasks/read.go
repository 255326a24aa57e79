package tasks

import (
	"cmp"
	"context"
	"database/sql"
	"math"
	"slices"
	"strconv"

	"github.com/capgen/capgen/examples/orchestrator/api"
)

const (
	defaultLimit  = 20
	maxLimit      = 50
	maxIncomplete = 20
)

// Get returns a task.
func (s *Store) Get(ctx context.Context, id api.TaskID) (api.Task, error) {
	if !taskID.MatchString(string(id)) {
		return api.Task{}, unknown(id)
	}
	t, found, err := s.one(ctx, "SELECT "+columns+" FROM tasks WHERE id = $1", string(id))
	if err == nil && !found {
		err = unknown(id)
	}
	return t, err
}

func unknown(id api.TaskID) error {
	return api.Errorf(api.UnknownTask, "there is no task %q: orchestrator_tasks lists those that there are", id)
}

// List returns a page of tasks, the newest first. A cursor is the place of the page's last task, which newer tasks do not move.
func (s *Store) List(ctx context.Context, f api.Filter) (api.Page, error) {
	limit, before := cmp.Or(f.Limit, defaultLimit), int64(math.MaxInt64)
	if limit < 1 || limit > maxLimit {
		return api.Page{}, api.Errorf(api.BadRequest, "the limit must be from 1 to %d", maxLimit)
	}
	if f.Status != "" && !slices.Contains(statuses, f.Status) {
		return api.Page{}, api.Errorf(api.BadRequest, "there is no status %q", f.Status)
	}
	if f.Cursor != "" {
		var err error
		if before, err = strconv.ParseInt(f.Cursor, 10, 64); err != nil || before < 1 {
			return api.Page{}, api.Errorf(api.BadRequest, "the cursor is not one of this list: leave it out for the first page")
		}
	}
	if f.Parent != "" {
		if _, err := s.Get(ctx, f.Parent); err != nil {
			return api.Page{}, err
		}
	}
	page, last := api.Page{Tasks: []api.Task{}}, int64(0)
	err := s.each(ctx, func(rows *sql.Rows) error {
		t, seq, err := scan(rows)
		if len(page.Tasks) == limit {
			// One more than was asked for: there is a next page.
			page.NextCursor = strconv.FormatInt(last, 10)
			return err
		}
		page.Tasks, last = append(page.Tasks, t), seq
		return err
	}, "SELECT "+columns+` FROM tasks
		WHERE seq < $1 AND ($2 = '' OR status = $2) AND ($3 = '' OR parent_id = $3) ORDER BY seq DESC LIMIT $4`,
		before, string(f.Status), string(f.Parent), limit+1)
	return page, err
}

// Summary counts the tasks, and finds those that lack subtasks.
func (s *Store) Summary(ctx context.Context) (api.Summary, error) {
	summary := api.Summary{Incomplete: []api.Incomplete{}}
	counts := map[api.Status]*int{
		api.Pending: &summary.Counts.Pending, api.Running: &summary.Counts.Running, api.WaitingApproval: &summary.Counts.WaitingApproval,
		api.Done: &summary.Counts.Done, api.Failed: &summary.Counts.Failed, api.Stopped: &summary.Counts.Stopped,
	}
	err := s.each(ctx, func(rows *sql.Rows) error {
		var status api.Status
		var n int
		err := rows.Scan(&status, &n)
		if into := counts[status]; into != nil {
			*into = n
		}
		summary.Total += n
		return err
	}, "SELECT status, count(*) FROM tasks GROUP BY status")
	if err != nil {
		return summary, err
	}
	err = s.each(ctx, func(rows *sql.Rows) error {
		t, _, err := scan(rows)
		summary.Incomplete = append(summary.Incomplete, api.Incomplete{ID: t.ID, Goal: t.Goal, Created: t.Subtasks, Planned: t.PlannedSubtasks})
		return err
	}, "SELECT "+columns+` FROM tasks
		WHERE status <> 'stopped' AND tasks.planned_subtasks > (SELECT count(*) FROM tasks AS c WHERE c.parent_id = tasks.id)
		ORDER BY seq DESC LIMIT $1`, maxIncomplete)
	return summary, err
}

// Costs adds up what the work cost.
func (s *Store) Costs(ctx context.Context) (api.Costs, error) {
	costs := api.Costs{Roles: []api.RoleCost{}}
	err := s.each(ctx, func(rows *sql.Rows) error {
		var c api.RoleCost
		err := rows.Scan(&c.Role, &c.Tasks, &c.Minutes, &c.Cents)
		costs.Total.Tasks += c.Tasks
		costs.Total.Minutes += c.Minutes
		costs.Total.Cents += c.Cents
		costs.Roles = append(costs.Roles, c)
		return err
	}, `SELECT role, count(*), CAST(sum(spent_minutes) AS bigint), CAST(sum(spent_cents) AS bigint) AS cents FROM tasks
		GROUP BY role ORDER BY cents DESC, role`)
	return costs, err
}
