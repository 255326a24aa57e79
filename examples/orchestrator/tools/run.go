package tools

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/orchestrator/api"
)

// margin is how long before its deadline a call stops creating subtasks, so that it can still tell how far it came.
const margin = 500 * time.Millisecond

// Run creates a task and its subtasks.
func (s Service) Run(ctx context.Context, in Run) (Started, error) {
	key := chosen(in.Key)
	task, err := s.Server.Create(ctx, "run:"+key, api.NewTask{
		Goal: string(in.Goal), Role: in.Role, Priority: in.Priority, Scope: in.Scope, Complexity: in.Complexity,
		EstimatedMinutes: in.EstimatedMinutes, PlannedSubtasks: len(in.Subtasks),
	})
	if err != nil {
		return Started{}, explain(err)
	}
	started := Started{Task: task, Key: key}
	err = s.split(ctx, &started, in.Subtasks)
	if err != nil {
		// A caller who gave up reads nothing of this. The task server knows how many subtasks were planned, so that orchestrator_status tells.
		if stopped := ctx.Err(); stopped != nil {
			return Started{}, stopped
		}
		started.Remaining = in.Subtasks[len(started.Created):]
		started.Problem = fmt.Sprintf("%d of %d subtasks were created and stay. %s Call orchestrator_run with the same input and the key %q to create what remains.",
			len(started.Created), len(in.Subtasks), sentence(err), key)
	}
	return started, nil
}

// split creates the subtasks one after the other. Each has a key made from the run's, so that a repeated run creates none twice.
func (s Service) split(ctx context.Context, started *Started, goals []Goal) error {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-margin))
		defer cancel()
	}
	for i, goal := range goals {
		task, err := s.Server.Create(ctx, fmt.Sprintf("run:%s/%d", started.Key, i+1), api.NewTask{ParentID: started.Task.ID, Goal: string(goal)})
		if err != nil {
			return err
		}
		started.Created = append(started.Created, task)
		started.Task.Subtasks = max(started.Task.Subtasks, len(started.Created))
		capabilities.Progress(ctx, float64(i+1), float64(len(goals)), "created "+string(task.ID))
	}
	return nil
}

// sentence tells why no more were created.
func sentence(err error) string {
	// Not errors.Is, because the client's own timeout is one as well.
	if err == context.DeadlineExceeded {
		return "Then the time was up."
	}
	return "Then this happened: " + explain(err).Error() + "."
}

// chosen returns the caller's key, or one that nobody else has, so that what a connection sends twice is created once.
func chosen(key string) string {
	if key == "" {
		return rand.Text()
	}
	return key
}
