package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/examples/orchestrator/api"
	"github.com/capgen/capgen/examples/orchestrator/tools"
	"github.com/capgen/capgen/runtime/runtimetest"
)

// What an agent goes through from a goal to its end, with every tool.
func TestAsAnAgent(t *testing.T) {
	server, _ := startTasks(t, newDatabase(t), 2)
	agent := connect(t, server)

	var names []string
	for _, tool := range agent.List(t) {
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	want := []string{"orchestrator_approve", "orchestrator_cost", "orchestrator_create_subtask", "orchestrator_health", "orchestrator_run",
		"orchestrator_status", "orchestrator_stop", "orchestrator_tasks"}
	if !slices.Equal(names, want) {
		t.Fatalf("the tools are %v", names)
	}

	var health api.Health
	agent.Call(t, "orchestrator_health", nil).Decode(t, &health)
	if health.Database != "sqlite" || health.Workers != 2 || health.Stopping {
		t.Errorf("%+v", health)
	}

	var started tools.Started
	agent.Call(t, "orchestrator_run", `{"goal": "Ship it", "scope": "production", "complexity": "simple", "subtasks": ["Build it", "Tell of it"]}`).Decode(t, &started)
	if len(started.Created) != 2 || len(started.Remaining) != 0 || started.Problem != "" || started.Task.Subtasks != 2 {
		t.Errorf("%+v", started)
	}
	if task := started.Task; task.Role != api.Backend || task.Priority != api.Normal || task.EstimatedMinutes != 30 {
		t.Errorf("the defaults: %+v", task)
	}
	var subtask api.Task
	agent.Call(t, "orchestrator_create_subtask", tools.CreateSubtask{ParentTaskID: started.Task.ID, Goal: "Write it down", Role: api.Docs, Scope: api.File}).Decode(t, &subtask)
	if subtask.ParentID != started.Task.ID || subtask.Role != api.Docs || subtask.Complexity != api.Simple {
		t.Errorf("%+v", subtask)
	}

	counts := waitFor(t, agent, func(c api.Counts) bool { return c.WaitingApproval == 3 && c.Done == 1 })
	if counts != (api.Counts{WaitingApproval: 3, Done: 1}) {
		t.Errorf("%+v", counts)
	}
	var waiting api.Page
	agent.Call(t, "orchestrator_tasks", `{"status": "waiting_approval", "limit": 2}`).Decode(t, &waiting)
	if len(waiting.Tasks) != 2 || waiting.NextCursor == "" {
		t.Fatalf("%+v", waiting)
	}
	var rest api.Page
	agent.Call(t, "orchestrator_tasks", tools.Tasks{Status: api.WaitingApproval, Cursor: waiting.NextCursor}).Decode(t, &rest)
	if len(rest.Tasks) != 1 || rest.NextCursor != "" || rest.Tasks[0].ID != started.Task.ID {
		t.Errorf("%+v", rest)
	}
	var approved api.Task
	agent.Call(t, "orchestrator_approve", tools.Approve{TaskID: started.Task.ID}).Decode(t, &approved)
	if !approved.Approved {
		t.Errorf("%+v", approved)
	}
	waitFor(t, agent, func(c api.Counts) bool { return c.Done == 2 })

	var costs api.Costs
	agent.Call(t, "orchestrator_cost", nil).Decode(t, &costs)
	// Two steps of the approved, one of each that waits; two of the documentation.
	if costs.Total != (api.Cost{Tasks: 4, Minutes: 30, Cents: 4*5*8 + 2*5*4}) || len(costs.Roles) != 2 || costs.Roles[0].Role != api.Backend {
		t.Errorf("%+v", costs)
	}

	var report api.StopReport
	agent.Call(t, "orchestrator_stop", `{"unfinished": "discard"}`).Decode(t, &report)
	if report != (api.StopReport{Discarded: 2}) {
		t.Errorf("%+v", report)
	}
}

// waitFor asks for the status until a condition holds.
func waitFor(t *testing.T, agent *runtimetest.Session, holds func(api.Counts) bool) api.Counts {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		var summary api.Summary
		agent.Call(t, "orchestrator_status", nil).Decode(t, &summary)
		if holds(summary.Counts) {
			return summary.Counts
		}
		if time.Now().After(deadline) {
			t.Fatalf("the status stays %+v", summary.Counts)
		}
	}
}

// What an agent reads when it is wrong says what to do instead.
func TestWrongCalls(t *testing.T) {
	server, _ := startTasks(t, newDatabase(t), 0)
	agent := connect(t, server)
	var started tools.Started
	agent.Call(t, "orchestrator_run", `{"goal": "a", "key": "k"}`).Decode(t, &started)
	id := string(started.Task.ID)
	for _, test := range []struct{ tool, input, want string }{
		{"orchestrator_health", `{"verbose": true}`, "the input: has a property that is not known; there are none (additionalProperties)"},
		{"orchestrator_run", `{}`, `the input: must have the property "goal" (required)`},
		{"orchestrator_run", `{"goal": "  "}`, "The input does not match the schema.\n/goal: "},
		{"orchestrator_run", `{"goal": "a", "role": "boss"}`, `/role: must be one of "manager", "backend", "frontend", "qa", "security" or "docs" (enum)`},
		{"orchestrator_run", `{"goal": "a", "estimated_minutes": 481}`, "/estimated_minutes: must be at most 480 (maximum)"},
		{"orchestrator_run", `{"goal": "a", "subtasks": ["b", ""]}`, "/subtasks/1: "},
		{"orchestrator_run", `{"goal": "\t"}`, "bad_request: the goal must say something, in at most 500 characters"},
		{"orchestrator_run", `{"goal": "b", "key": "k"}`, "key_reused: the key has created task " + id + ", which is another: choose a new key"},
		{"orchestrator_status", `{"status": "done"}`, "the input: has a property that is not known"},
		{"orchestrator_tasks", `{"status": "sleeping"}`, "/status: must be one of"},
		{"orchestrator_tasks", `{"limit": 51}`, "/limit: must be at most 50 (maximum)"},
		{"orchestrator_tasks", `{"cursor": "abc"}`, "/cursor: "},
		{"orchestrator_tasks", `{"parent_task_id": "t-aaaaaaaaaaaaaaaa"}`, `unknown_task: there is no task "t-aaaaaaaaaaaaaaaa": orchestrator_tasks lists those that there are`},
		{"orchestrator_cost", `{"role": "qa"}`, "the input: has a property that is not known"},
		{"orchestrator_approve", `{}`, `the input: must have the property "task_id" (required)`},
		{"orchestrator_approve", `{"task_id": "1"}`, "/task_id: "},
		{"orchestrator_approve", `{"task_id": "t-aaaaaaaaaaaaaaaa"}`, "unknown_task: "},
		{"orchestrator_approve", `{"task_id": "` + id + `"}`, "not_waiting: task " + id + " is pending and waits for no approval: orchestrator_tasks with the status waiting_approval lists those that do"},
		{"orchestrator_create_subtask", `{"goal": "a"}`, `the input: must have the property "parent_task_id" (required)`},
		{"orchestrator_create_subtask", `{"goal": "a", "parent_task_id": "t-aaaaaaaaaaaaaaaa"}`, "unknown_task: "},
		{"orchestrator_stop", `{"unfinished": "burn"}`, `/unfinished: must be one of "keep" or "discard" (enum)`},
	} {
		answer := agent.Call(t, test.tool, test.input)
		if !answer.IsError || !strings.Contains(answer.Text, test.want) {
			t.Errorf("%s %s: %s\nwant %s", test.tool, test.input, answer.Text, test.want)
		}
	}
}

// Tasks survive a restart of the task server, and fronts keep nothing: another one sees the same.
func TestRestart(t *testing.T) {
	database := newDatabase(t)
	server, stop := startTasks(t, database, 0)
	first, second := connect(t, server), connect(t, server)
	first.Call(t, "orchestrator_run", `{"goal": "a", "subtasks": ["b"], "key": "k"}`)
	if counts := waitFor(t, second, func(api.Counts) bool { return true }); counts != (api.Counts{Pending: 2}) {
		t.Errorf("the other front sees %+v", counts)
	}
	stop()
	server, _ = startTasks(t, database, 2)
	agent := connect(t, server)
	waitFor(t, agent, func(c api.Counts) bool { return c == api.Counts{Done: 2} })
	var again tools.Started
	agent.Call(t, "orchestrator_run", `{"goal": "a", "subtasks": ["b"], "key": "k"}`).Decode(t, &again)
	if again.Task.Status != api.Done || len(again.Created) != 1 || again.Created[0].Status != api.Done {
		t.Errorf("the same call again: %+v", again)
	}
}

// Every tool says at once, and in the same words, that the task server is down.
func TestServerDown(t *testing.T) {
	server, stop := startTasks(t, newDatabase(t), 0)
	agent := connect(t, server)
	agent.Call(t, "orchestrator_health", nil)
	stop()
	for tool, input := range map[string]string{
		"orchestrator_health": `{}`, "orchestrator_status": `{}`, "orchestrator_tasks": `{}`, "orchestrator_cost": `{}`, "orchestrator_stop": `{}`,
		"orchestrator_run": `{"goal": "a"}`, "orchestrator_approve": `{"task_id": "t-aaaaaaaaaaaaaaaa"}`,
		"orchestrator_create_subtask": `{"goal": "a", "parent_task_id": "t-aaaaaaaaaaaaaaaa"}`,
	} {
		began := time.Now()
		answer := agent.Call(t, tool, input)
		want := "server_unreachable: the task server at " + server + ` does not answer: start it with "go run ./examples/orchestrator tasks", ` +
			"or start the front with the -server-url of one that runs, and try again"
		if !answer.IsError || answer.Text != want || time.Since(began) > 5*time.Second {
			t.Errorf("%s, after %v: %s", tool, time.Since(began), answer.Text)
		}
	}
}
