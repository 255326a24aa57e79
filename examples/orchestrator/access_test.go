package main

import (
	"strings"
	"testing"

	"github.com/capgen/capgen/examples/orchestrator/api"
	"github.com/capgen/capgen/examples/orchestrator/tools"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/runtimetest"
)

const secret = "0123456789abcdef0123456789abcdef"

// On this machine alone the caller is the operator. Elsewhere it is whoever has the token, and nobody else reads a thing.
func TestAccess(t *testing.T) {
	local := matrix(t, front{addr: "127.0.0.1:0"}, runtimetest.Caller{Name: "anybody"})
	if strings.Count(local, "list call") != 8 {
		t.Errorf("on the loopback:\n%s", local)
	}
	guarded := matrix(t, front{addr: "0.0.0.0:8053", token: secret, url: "https://tools.example.com/mcp"},
		runtimetest.Caller{Name: "holder", Token: secret}, runtimetest.Caller{Name: "nobody"}, runtimetest.Caller{Name: "guesser", Token: secret + "0"})
	for row := range strings.Lines(guarded) {
		if fields := strings.Fields(row); fields[0] != "TOOL" && strings.Join(fields[1:], " ") != "list call 401 401" {
			t.Errorf("with a token: %s", row)
		}
	}
	if strings.Count(guarded, "\n") != 9 {
		t.Errorf("with a token:\n%s", guarded)
	}
}

func matrix(t *testing.T, f front, callers ...runtimetest.Caller) string {
	t.Helper()
	options, err := f.options()
	if err != nil {
		t.Fatal(err)
	}
	handler, err := runtime.NewHandler(registryOf(t, "http://127.0.0.1:1"), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := handler.Shutdown(t.Context()); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
	})
	return runtimetest.Matrix(t, handler, callers, nil)
}

// What a tool declares as its default is what the task server makes of nothing, so that a Go caller who leaves a field out gets the same.
func TestDefaults(t *testing.T) {
	server, _ := startTasks(t, newDatabase(t), 0)
	var told tools.Started
	connect(t, server).Call(t, "orchestrator_run", `{"goal": "a", "key": "k"}`).Decode(t, &told)
	client, err := api.NewClient(server)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	service := tools.Service{Server: client}
	untold, err := service.Run(t.Context(), tools.Run{Goal: "a", Key: "k"})
	if err != nil || untold.Task.ID != told.Task.ID {
		t.Errorf("the same key and input: %+v, %v", untold, err)
	}
	if report, err := service.Stop(t.Context(), tools.Stop{}); err != nil || report != (api.StopReport{Kept: 1}) {
		t.Errorf("%+v, %v", report, err)
	}
}
