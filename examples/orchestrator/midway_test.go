package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capgen/capgen/examples/orchestrator/api"
	"github.com/capgen/capgen/examples/orchestrator/tools"
)

const fourParts = `{"goal": "whole", "subtasks": ["one", "two", "three", "four"], "key": "k"}`

// A call that its caller gives up midway keeps what was done. The status says so, and the same call creates the rest and nothing twice.
func TestCancelledMidway(t *testing.T) {
	for _, revision := range []string{"", "2025-11-25"} {
		t.Run("revision "+revision, func(t *testing.T) {
			server, _ := startTasks(t, newDatabase(t), 0)
			relay := startRelay(t, server, 4) // the task and two subtasks pass
			agent := connectTo(t, revision, relay.url)

			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() {
				_, err := agent.MCP().CallTool(ctx, &mcp.CallToolParams{Name: "orchestrator_run", Arguments: json.RawMessage(fourParts)})
				ended <- err
			}()
			<-relay.held
			cancel()
			if err := <-ended; err == nil {
				t.Error("the cancelled call was answered")
			}
			relay.holding.Store(false)

			var summary api.Summary
			agent.Call(t, "orchestrator_status", nil).Decode(t, &summary)
			if summary.Total != 3 || len(summary.Incomplete) != 1 || summary.Incomplete[0].Created != 2 || summary.Incomplete[0].Planned != 4 {
				t.Fatalf("after the cancellation: %+v", summary)
			}
			var again tools.Started
			agent.Call(t, "orchestrator_run", fourParts).Decode(t, &again)
			if len(again.Created) != 4 || len(again.Remaining) != 0 || again.Task.ID != summary.Incomplete[0].ID {
				t.Errorf("the same call again: %+v", again)
			}
			agent.Call(t, "orchestrator_status", nil).Decode(t, &summary)
			if summary.Total != 5 || len(summary.Incomplete) != 0 {
				t.Errorf("in the end: %+v", summary)
			}
		})
	}
}

// A task server that is lost midway is no loss of what was done: the answer says how far it came.
func TestServerLostMidway(t *testing.T) {
	server, _ := startTasks(t, newDatabase(t), 0)
	relay := startRelay(t, server, 4)
	agent := connect(t, relay.url)
	began := time.Now()
	var started tools.Started
	agent.Call(t, "orchestrator_run", fourParts).Decode(t, &started)
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("the answer took %v", took)
	}
	if len(started.Created) != 2 || len(started.Remaining) != 2 || started.Remaining[0] != "three" || started.Key != "k" {
		t.Errorf("%+v", started)
	}
	for _, part := range []string{"2 of 4 subtasks were created and stay. Then this happened: server_unreachable: ", "may have been done",
		`Call orchestrator_run with the same input and the key "k" to create what remains.`} {
		if !strings.Contains(started.Problem, part) {
			t.Errorf("%q is not in the problem: %s", part, started.Problem)
		}
	}
}

// A call that runs out of its time stops before it, and says how far it came.
func TestTimeIsUp(t *testing.T) {
	server, _ := startTasks(t, newDatabase(t), 0)
	client, err := api.NewClient(startRelay(t, server, 2).url)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
	defer cancel()
	started, err := tools.Service{Server: client}.Run(ctx, tools.Run{Goal: "whole", Subtasks: []tools.Goal{"one"}, Key: "k"})
	want := `0 of 1 subtasks were created and stay. Then the time was up. Call orchestrator_run with the same input and the key "k" to create what remains.`
	if err != nil || started.Problem != want || len(started.Remaining) != 1 {
		t.Errorf("%+v, %v", started, err)
	}
}
