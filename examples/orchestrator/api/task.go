// Package api is what the task server and its clients say to each other: JSON over HTTP. The tools tell agents the same, in the same words, so
// that a task has one description.
package api

import "time"

// Task is a piece of work, and how far it has come.
type Task struct {
	ID TaskID `json:"id"`
	// ParentID is the task that this one is a part of; absent when it is none.
	ParentID TaskID `json:"parent_id,omitzero"`
	// Goal is what the task is to achieve.
	Goal       string     `json:"goal"`
	Role       Role       `json:"role"`
	Priority   Priority   `json:"priority"`
	Scope      Scope      `json:"scope"`
	Complexity Complexity `json:"complexity"`
	// EstimatedMinutes is how long the task may take. One that is not done by then has failed.
	EstimatedMinutes int    `json:"estimated_minutes" minimum:"1"`
	Status           Status `json:"status"`
	// StepsDone is how many of the task's steps are done.
	StepsDone int `json:"steps_done" minimum:"0"`
	// StepsTotal is how many steps the task has.
	StepsTotal int `json:"steps_total" minimum:"1"`
	// SpentMinutes is how long the task has been worked on.
	SpentMinutes int `json:"spent_minutes" minimum:"0"`
	// SpentCents is what that cost, in cents of a US dollar.
	SpentCents int `json:"spent_cents" minimum:"0"`
	// Approved says that somebody approved the task.
	Approved bool `json:"approved"`
	// Failure says why the task failed, and what to do; absent when it did not.
	Failure string `json:"failure,omitzero"`
	// Subtasks is how many subtasks the task has.
	Subtasks int `json:"subtasks" minimum:"0"`
	// PlannedSubtasks is how many it was to have when it was created. If that is more, the call that created them was cut short.
	PlannedSubtasks int `json:"planned_subtasks" minimum:"0"`
	// CreatedAt is when the task was created.
	CreatedAt time.Time `json:"created_at"`
	// UpdatedAt is when the task last changed.
	UpdatedAt time.Time `json:"updated_at"`
}

// NewTask is a task to create. What is left empty is the parent's, and without a parent the default.
type NewTask struct {
	ParentID         TaskID     `json:"parent_id,omitzero"`
	Goal             string     `json:"goal"`
	Role             Role       `json:"role,omitzero"`
	Priority         Priority   `json:"priority,omitzero"`
	Scope            Scope      `json:"scope,omitzero"`
	Complexity       Complexity `json:"complexity,omitzero"`
	EstimatedMinutes int        `json:"estimated_minutes,omitzero"`
	PlannedSubtasks  int        `json:"planned_subtasks,omitzero"`
}

// The bounds of a new task, which the declarations of the tools repeat as schemas.
const (
	MaxGoal            = 500 // characters
	MaxMinutes         = 480
	MaxPlannedSubtasks = 16
)

// Defaults are what a new task is without a parent and without being told.
var Defaults = NewTask{Role: Backend, Priority: Normal, Scope: Module, Complexity: Medium, EstimatedMinutes: 30}

// TaskID names a task, as the orchestrator gave it out.
//
//capgen:schema pattern=`^t-[a-z2-7]{16}$` example=t-gezdgnbvgy3tqojq
type TaskID string

// Role is who does a task. It decides what a minute costs.
type Role string

// The roles.
const (
	Manager  Role = "manager"
	Backend  Role = "backend"
	Frontend Role = "frontend"
	QA       Role = "qa"
	Security Role = "security"
	Docs     Role = "docs"
)

// Priority decides which task is taken up first. Of two with the same one it is the older.
type Priority string

// The priorities.
const (
	Low    Priority = "low"
	Normal Priority = "normal"
	High   Priority = "high"
	Urgent Priority = "urgent"
)

// Scope is how much a task may touch. The last step of a task that touches production waits until somebody approves it.
type Scope string

// The scopes.
const (
	File       Scope = "file"
	Module     Scope = "module"
	Repository Scope = "repository"
	Production Scope = "production"
)

// Complexity decides how many steps of five minutes a task has: two, four or eight.
type Complexity string

// The complexities.
const (
	Simple  Complexity = "simple"
	Medium  Complexity = "medium"
	Complex Complexity = "complex"
)

// Status is where a task is on its way: from pending by running to done, failed or stopped, and by waiting_approval if it touches production.
type Status string

// The statuses.
const (
	Pending         Status = "pending"
	Running         Status = "running"
	WaitingApproval Status = "waiting_approval"
	Done            Status = "done"
	Failed          Status = "failed"
	Stopped         Status = "stopped"
)
