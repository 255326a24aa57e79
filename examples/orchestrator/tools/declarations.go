// Package tools declares what agents may ask of the orchestrator, and answers by asking its task server.
//
//capgen:namespace example.orchestrator
//capgen:docs dir=../docs
package tools

import (
	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/orchestrator/api"
)

//go:generate go run github.com/capgen/capgen/cmd/capgen generate

// Health tells whether the task server answers, and how it is set up. Use it first when other tools say server_unreachable.
//
//capgen:capability server.health@1 risk=read access=public tool=orchestrator_health timeout=5s
//capgen:title Check the task server
type Health struct {
	capabilities.Returns[api.Health]
}

// Status counts the tasks by their status, and names those whose subtasks were not all created. Use orchestrator_tasks to see the tasks
// themselves.
//
//capgen:capability task.count@1 risk=read access=public tool=orchestrator_status timeout=5s
//capgen:title Count the tasks
type Status struct {
	capabilities.Returns[api.Summary]
}

// Tasks lists tasks, the newest first, a page at a time.
//
//capgen:capability task.list@1 risk=read access=public tool=orchestrator_tasks timeout=5s
//capgen:title List tasks
type Tasks struct {
	capabilities.Returns[api.Page]

	// Status leaves out tasks of other statuses.
	Status api.Status `json:"status,omitzero"`
	// ParentTaskID leaves out all but the subtasks of this task.
	ParentTaskID api.TaskID `json:"parent_task_id,omitzero"`
	// Limit is how many tasks to return at most.
	Limit int `json:"limit,omitzero" minimum:"1" maximum:"50" default:"20"`
	// Cursor is the next_cursor of the page before; without it the first page is returned.
	Cursor string `json:"cursor,omitzero" pattern:"^[1-9][0-9]{0,17}$"`
}

// Cost tells what the work cost until now, in all and for each role.
//
//capgen:capability cost.total@1 risk=read access=public tool=orchestrator_cost timeout=5s
//capgen:title Tell what the work cost
type Cost struct {
	capabilities.Returns[api.Costs]
}

// Run creates a task, which is worked on as soon as a worker is free, and the subtasks that it is split into, one after the other. It does not wait
// until they are done: orchestrator_tasks shows how far they are. When only some of the subtasks could be created, those stay, and the result
// says which are missing.
//
//capgen:capability task.run@1 risk=write scopes=orchestrator:write tool=orchestrator_run timeout=30s
//capgen:title Run a goal
type Run struct {
	capabilities.Returns[Started]

	// Goal is what the task is to achieve, in a sentence or two.
	Goal Goal `json:"goal" example:"Validate the input of the sign-up form"`
	// Role is who does it, which decides what a minute costs.
	Role api.Role `json:"role,omitzero" default:"backend"`
	// Priority decides when it is taken up.
	Priority api.Priority `json:"priority,omitzero" default:"normal"`
	// Scope is how much it may touch. What touches production waits for orchestrator_approve before its last step.
	Scope api.Scope `json:"scope,omitzero" default:"module"`
	// Complexity decides how many steps of five minutes it has: two, four or eight.
	Complexity api.Complexity `json:"complexity,omitzero" default:"medium"`
	// EstimatedMinutes is how long it may take. A task that needs more fails.
	EstimatedMinutes int `json:"estimated_minutes,omitzero" minimum:"1" maximum:"480" default:"30"`
	// Subtasks are the goals of the parts that it is split into. All else they have from the task.
	Subtasks []Goal `json:"subtasks,omitzero" maxItems:"16"`
	// Key makes the call safe to repeat: with the same key and the same input it creates what is missing and nothing twice. Any text that no other
	// call has.
	Key string `json:"key,omitzero" minLength:"1" maxLength:"64" pattern:"^[A-Za-z0-9._-]+$" example:"signup-validation-1"`
}

// Goal is what a task is to achieve, in a sentence or two.
//
//capgen:schema minLength=1 maxLength=500 pattern="[^ ]"
type Goal string

// Started is what orchestrator_run has created.
type Started struct {
	// Task is the task itself.
	Task api.Task `json:"task"`
	// Created are its subtasks that were created, in the order they were given.
	Created []api.Task `json:"created"`
	// Remaining are the goals of the subtasks that were not created. It is empty when all went well.
	Remaining []Goal `json:"remaining"`
	// Problem says why some remain and what to do about it; absent when none does.
	Problem string `json:"problem,omitzero"`
	// Key is the key of the call, for repeating it. One was made up if none was given.
	Key string `json:"key"`
}

// CreateSubtask adds a subtask to a task. What is left out it has from its parent.
//
//capgen:capability subtask.create@1 risk=write scopes=orchestrator:write tool=orchestrator_create_subtask timeout=5s
//capgen:title Add a subtask
type CreateSubtask struct {
	capabilities.Returns[api.Task]

	// ParentTaskID is the task that the new one is a part of.
	ParentTaskID api.TaskID `json:"parent_task_id"`
	// Goal is what the subtask is to achieve, in a sentence or two.
	Goal Goal `json:"goal"`
	// Role is who does it.
	Role api.Role `json:"role,omitzero"`
	// Priority decides when it is taken up.
	Priority api.Priority `json:"priority,omitzero"`
	// Scope is how much it may touch.
	Scope api.Scope `json:"scope,omitzero"`
	// Complexity decides how many steps of five minutes it has.
	Complexity api.Complexity `json:"complexity,omitzero"`
	// EstimatedMinutes is how long it may take.
	EstimatedMinutes int `json:"estimated_minutes,omitzero" minimum:"1" maximum:"480"`
	// Key makes the call safe to repeat, as that of orchestrator_run.
	Key string `json:"key,omitzero" minLength:"1" maxLength:"64" pattern:"^[A-Za-z0-9._-]+$"`
}

// Approve lets a task that waits for approval take its last step, which touches production. Ask the user before you do.
//
//capgen:capability task.approve@1 risk=write scopes=orchestrator:approve tool=orchestrator_approve timeout=5s idempotent
//capgen:title Approve a task
type Approve struct {
	capabilities.Returns[api.Task]

	// TaskID is the task to approve.
	TaskID api.TaskID `json:"task_id"`
}

// Stop ends the task server gracefully: it takes no new tasks, and a step that is under way is not counted. Somebody must start it again.
//
//capgen:capability server.stop@1 risk=destructive scopes=orchestrator:stop tool=orchestrator_stop timeout=5s
//capgen:title Stop the orchestrator
type Stop struct {
	capabilities.Returns[api.StopReport]

	// Unfinished says what becomes of tasks that are not finished. To discard them cannot be undone.
	Unfinished api.Unfinished `json:"unfinished,omitzero" default:"keep"`
}
