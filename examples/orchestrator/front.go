package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/orchestrator/api"
	"github.com/capgen/capgen/examples/orchestrator/tools"
	"github.com/capgen/capgen/runtime"
)

// defaultAddress is where agents on this machine find the front.
const defaultAddress = "127.0.0.1:8053"

// front is the MCP server.
type front struct {
	addr   string // to listen on
	server string // the task server's URL
	token  string // that agents must send; empty on the loopback
	url    string // of the endpoint, as agents know it
	stdout io.Writer
}

// serve serves until ctx ends.
func (f front) serve(ctx context.Context) error {
	client, err := api.NewClient(f.server)
	if err != nil {
		return err
	}
	defer client.Close()
	registry, err := capabilities.NewRegistry(tools.Service{Server: client}.Bindings())
	if err != nil {
		return err
	}
	options, err := f.options()
	if err != nil {
		return err
	}
	options = append(options, runtime.OnListen(func(addr net.Addr) { fmt.Fprintf(f.stdout, welcome, "http://"+addr.String()+runtime.EndpointPath) }))
	listen, err := f.listen()
	if err != nil {
		return err
	}
	return runtime.Run(ctx, registry, listen, options...)
}

// listen is where to listen, and the name that the front may be called by.
func (f front) listen() (runtime.Config, error) {
	var config runtime.Config
	if err := config.SetAddress(f.addr); err != nil {
		return config, err
	}
	if public, err := url.Parse(f.url); err == nil && public.Host != "" {
		config.PublicURL = public.Scheme + "://" + public.Host
	}
	return config, nil
}

// options are how the tools are served.
func (f front) options() ([]runtime.Option, error) {
	if f.token == "" && !isLoopback(f.addr) {
		return nil, fmt.Errorf("other machines can reach %s, and whoever can call may stop the orchestrator: give a -token, or listen on 127.0.0.1", f.addr)
	}
	options := []runtime.Option{
		runtime.WithInstructions("Plans work and has it done. orchestrator_run creates a task and its subtasks, orchestrator_status and orchestrator_tasks tell how " +
			"they are coming on, orchestrator_cost what they cost. Ask the user before orchestrator_approve and orchestrator_stop."),
		runtime.OnToolFailure(logFailure),
		runtime.WithServer(addPrompts),
	}
	access, err := f.access()
	return append(options, access...), err
}

func isLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	ip, failed := netip.ParseAddr(host)
	return err == nil && (host == "localhost" || failed == nil && ip.IsLoopback())
}

// logFailure says which calls fail and why. What was in them it is never told.
func logFailure(ctx context.Context, f runtime.ToolFailure) {
	slog.WarnContext(ctx, "call failed", "tool", f.Tool, "kind", f.Kind, "problems", f.Observation.Problems)
}

// welcome shows how to call a tool, as it can be pasted into another terminal, in the folder of the repository.
const welcome = `Serving at %[1]s

  go run ./cmd/capgen call %[1]s orchestrator_run '{"goal": "Validate the input of the sign-up form"}'

  go run ./cmd/capgen call %[1]s orchestrator_tasks '{}'

Stop it with Ctrl-C. The tasks stay.
`
