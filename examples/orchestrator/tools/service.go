package tools

import (
	"context"
	"errors"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/orchestrator/api"
)

// Service answers the package's capabilities by asking a task server. It keeps nothing between calls, so that any number of fronts may serve
// one. It is safe for concurrent use.
type Service struct {
	Server *api.Client
}

var _ Handlers = Service{}

// Bindings joins the service to its capabilities. Tasks belong to the orchestrator and not to whoever created them: everybody who may
// approve at all may approve any. So each protected capability says that its input names nothing that is somebody's, one by one, so
// that a new one is not taken for such.
func (s Service) Bindings() capabilities.Bindings {
	return Bind(s,
		capabilities.For[Run](capabilities.NoResource()),
		capabilities.For[CreateSubtask](capabilities.NoResource()),
		capabilities.For[Approve](capabilities.NoResource()),
		capabilities.For[Stop](capabilities.NoResource()),
	)
}

// Health asks how the task server is.
func (s Service) Health(ctx context.Context, _ Health) (api.Health, error) {
	health, err := s.Server.Health(ctx)
	return health, explain(err)
}

// Status counts the tasks.
func (s Service) Status(ctx context.Context, _ Status) (api.Summary, error) {
	summary, err := s.Server.Summary(ctx)
	return summary, explain(err)
}

// Tasks lists tasks.
func (s Service) Tasks(ctx context.Context, in Tasks) (api.Page, error) {
	page, err := s.Server.Tasks(ctx, api.Filter{Status: in.Status, Parent: in.ParentTaskID, Limit: in.Limit, Cursor: in.Cursor})
	return page, explain(err)
}

// Cost asks what the work cost.
func (s Service) Cost(ctx context.Context, _ Cost) (api.Costs, error) {
	costs, err := s.Server.Costs(ctx)
	return costs, explain(err)
}

// CreateSubtask adds a subtask.
func (s Service) CreateSubtask(ctx context.Context, in CreateSubtask) (api.Task, error) {
	created, err := s.Server.Create(ctx, "subtask:"+chosen(in.Key), api.NewTask{
		ParentID: in.ParentTaskID, Goal: string(in.Goal), Role: in.Role, Priority: in.Priority,
		Scope: in.Scope, Complexity: in.Complexity, EstimatedMinutes: in.EstimatedMinutes,
	})
	return created, explain(err)
}

// Approve lets a task go on.
func (s Service) Approve(ctx context.Context, in Approve) (api.Task, error) {
	task, err := s.Server.Approve(ctx, in.TaskID)
	return task, explain(err)
}

// Stop ends the task server.
func (s Service) Stop(ctx context.Context, in Stop) (api.StopReport, error) {
	if in.Unfinished == "" {
		in.Unfinished = api.Keep // a Go caller's zero value is the default
	}
	report, err := s.Server.Stop(ctx, api.StopOrder{Unfinished: in.Unfinished})
	return report, explain(err)
}

// explain turns an error of the client into what an agent is told.
func explain(err error) error {
	var refused *api.Error
	var lost *api.Unreachable
	switch {
	case errors.As(err, &refused):
		return capabilities.Errorf(refused.Code, "%s", refused.Text)
	case errors.As(err, &lost):
		const advice = `: start it with "go run ./examples/orchestrator tasks", or start the front with the -server-url of one that runs, and try again`
		if lost.Sent {
			return capabilities.Errorf("server_unreachable", "%v"+advice+". What was asked for may have been done: look before you repeat it without a key", lost)
		}
		return capabilities.Errorf("server_unreachable", "%v"+advice, lost)
	}
	return err
}
