package tasks

import (
	"cmp"
	"context"
	"crypto/rand"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/capgen/capgen/examples/orchestrator/api"
)

// maxKey is the longest key, in bytes.
const maxKey = 200

// Create creates a task, or returns the one that the same key created before: an answer that was lost can be asked for again. An empty key
// is one that nobody else has. The same key with another task is refused.
func (s *Store) Create(ctx context.Context, key string, n api.NewTask) (api.Task, error) {
	n, err := s.fill(ctx, n)
	if err != nil {
		return api.Task{}, err
	}
	if err := check(key, n); err != nil {
		return api.Task{}, err
	}
	if key == "" {
		key = rand.Text()
	}
	at := now()
	result, err := s.db.ExecContext(ctx, s.sql(`
		INSERT INTO tasks (id, request_key, parent_id, goal, role, priority, scope, complexity, estimated_minutes, status, steps_total,
			planned_subtasks, created_at, updated_at)
		VALUES ($1, $2, NULLIF($3, ''), $4, $5, $6, $7, $8, $9, 'pending', $10, $11, $12, $12)
		ON CONFLICT (request_key) DO NOTHING`),
		newID(), key, string(n.ParentID), n.Goal, string(n.Role), string(n.Priority), string(n.Scope), string(n.Complexity), n.EstimatedMinutes,
		steps[n.Complexity], n.PlannedSubtasks, at)
	if err != nil {
		return api.Task{}, err
	}
	created, _, err := s.one(ctx, "SELECT "+columns+" FROM tasks WHERE request_key = $1", key)
	if err != nil {
		return api.Task{}, err
	}
	if inserted, err := result.RowsAffected(); err != nil || inserted == 0 && !is(created, n) {
		return api.Task{}, api.Errorf(api.KeyReused, "the key has created task %s, which is another: choose a new key", created.ID)
	}
	return created, nil
}

// fill puts the parent's values, and without a parent the defaults, where there are none.
func (s *Store) fill(ctx context.Context, n api.NewTask) (api.NewTask, error) {
	from := api.Defaults
	if n.ParentID != "" {
		parent, err := s.Get(ctx, n.ParentID)
		if err != nil {
			return n, err
		}
		from = api.NewTask{Role: parent.Role, Priority: parent.Priority, Scope: parent.Scope, Complexity: parent.Complexity, EstimatedMinutes: parent.EstimatedMinutes}
	}
	n.Role = cmp.Or(n.Role, from.Role)
	n.Priority = cmp.Or(n.Priority, from.Priority)
	n.Scope = cmp.Or(n.Scope, from.Scope)
	n.Complexity = cmp.Or(n.Complexity, from.Complexity)
	n.EstimatedMinutes = cmp.Or(n.EstimatedMinutes, from.EstimatedMinutes)
	return n, nil
}

// is reports whether a task was created from n.
func is(t api.Task, n api.NewTask) bool {
	return n == api.NewTask{
		ParentID: t.ParentID, Goal: t.Goal, Role: t.Role, Priority: t.Priority, Scope: t.Scope, Complexity: t.Complexity,
		EstimatedMinutes: t.EstimatedMinutes, PlannedSubtasks: t.PlannedSubtasks,
	}
}

// check holds a task against its bounds once more: the tools are not the only ones who can reach the task server.
func check(key string, n api.NewTask) error {
	switch {
	case len(key) > maxKey || !utf8.ValidString(key) || strings.ContainsFunc(key, unicode.IsControl):
		return api.Errorf(api.BadRequest, "the key must be text of at most %d bytes", maxKey)
	case strings.TrimSpace(n.Goal) == "" || utf8.RuneCountInString(n.Goal) > api.MaxGoal || strings.ContainsRune(n.Goal, 0):
		return api.Errorf(api.BadRequest, "the goal must say something, in at most %d characters", api.MaxGoal)
	case !slices.Contains(priorities, n.Priority):
		return api.Errorf(api.BadRequest, "there is no priority %q", n.Priority)
	case !slices.Contains(scopes, n.Scope):
		return api.Errorf(api.BadRequest, "there is no scope %q", n.Scope)
	case steps[n.Complexity] == 0:
		return api.Errorf(api.BadRequest, "there is no complexity %q", n.Complexity)
	case rates[n.Role] == 0:
		return api.Errorf(api.BadRequest, "there is no role %q", n.Role)
	case n.EstimatedMinutes < 1 || n.EstimatedMinutes > api.MaxMinutes:
		return api.Errorf(api.BadRequest, "estimated_minutes must be from 1 to %d", api.MaxMinutes)
	case n.PlannedSubtasks < 0 || n.PlannedSubtasks > api.MaxPlannedSubtasks:
		return api.Errorf(api.BadRequest, "planned_subtasks must be from 0 to %d", api.MaxPlannedSubtasks)
	}
	return nil
}

var (
	priorities = []api.Priority{api.Low, api.Normal, api.High, api.Urgent}
	scopes     = []api.Scope{api.File, api.Module, api.Repository, api.Production}
	statuses   = []api.Status{api.Pending, api.Running, api.WaitingApproval, api.Done, api.Failed, api.Stopped}
	taskID     = regexp.MustCompile(`^t-[a-z2-7]{16}$`)
)

// newID has 80 random bits. They cannot be guessed, and nobody relies on that.
func newID() string { return "t-" + strings.ToLower(rand.Text()[:16]) }
