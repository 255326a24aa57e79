package api

import "time"

// Health is how the task server is.
type Health struct {
	// Database is where the tasks are kept.
	Database string `json:"database" enum:"sqlite,postgres"`
	// Workers is how many tasks this task server works on at once.
	Workers int `json:"workers" minimum:"0"`
	// Stopping says that the task server takes no new tasks and is about to end.
	Stopping bool `json:"stopping"`
	// StartedAt is when the task server started.
	StartedAt time.Time `json:"started_at"`
}

// Page is a part of a list of tasks.
type Page struct {
	// Tasks are the tasks, the newest first.
	Tasks []Task `json:"tasks"`
	// NextCursor is the cursor of the next page; absent when this is the last.
	NextCursor string `json:"next_cursor,omitzero"`
}

// Summary is how many tasks there are, and what needs somebody's attention.
type Summary struct {
	// Total is how many tasks there are.
	Total int `json:"total" minimum:"0"`
	// Counts are how many there are of each status.
	Counts Counts `json:"counts"`
	// Incomplete are tasks, at most twenty and the newest first, that have fewer subtasks than were planned: the call that created them was
	// cut short. The missing ones can be created one by one, or all by the same call with the same key.
	Incomplete []Incomplete `json:"incomplete"`
}

// Counts are how many tasks there are of each status.
type Counts struct {
	// Pending are waiting for a worker.
	Pending int `json:"pending" minimum:"0"`
	// Running are being worked on.
	Running int `json:"running" minimum:"0"`
	// WaitingApproval are waiting for orchestrator_approve.
	WaitingApproval int `json:"waiting_approval" minimum:"0"`
	// Done have reached their goal.
	Done int `json:"done" minimum:"0"`
	// Failed have not, and say why.
	Failed int `json:"failed" minimum:"0"`
	// Stopped were discarded by orchestrator_stop.
	Stopped int `json:"stopped" minimum:"0"`
}

// Incomplete is a task with fewer subtasks than were planned.
type Incomplete struct {
	ID TaskID `json:"id"`
	// Goal is what the task is to achieve.
	Goal string `json:"goal"`
	// Created is how many subtasks there are.
	Created int `json:"created" minimum:"0"`
	// Planned is how many there should be.
	Planned int `json:"planned" minimum:"1"`
}

// Costs are what the work cost until now.
type Costs struct {
	Total Cost `json:"total"`
	// Roles are the costs of each role that has tasks, the highest first.
	Roles []RoleCost `json:"roles"`
}

// Cost is what some tasks cost.
type Cost struct {
	// Tasks is how many tasks there are, those included that nobody has worked on yet.
	Tasks int `json:"tasks" minimum:"0"`
	// Minutes is how long they were worked on.
	Minutes int `json:"minutes" minimum:"0"`
	// Cents is what that cost, in cents of a US dollar.
	Cents int `json:"cents" minimum:"0"`
}

// RoleCost is what the tasks of a role cost.
type RoleCost struct {
	Role Role `json:"role"`
	Cost
}

// StopOrder asks the task server to end.
type StopOrder struct {
	Unfinished Unfinished `json:"unfinished"`
}

// Unfinished says what becomes of tasks that are not finished when the orchestrator stops.
type Unfinished string

// What becomes of them.
const (
	// Keep leaves them as they are: the next start goes on with them.
	Keep Unfinished = "keep"
	// Discard ends them for good, as stopped.
	Discard Unfinished = "discard"
)

// StopReport is what a stop leaves behind.
type StopReport struct {
	// Discarded is how many tasks were ended for good.
	Discarded int `json:"discarded" minimum:"0"`
	// Kept is how many unfinished tasks the next start goes on with.
	Kept int `json:"kept" minimum:"0"`
}
