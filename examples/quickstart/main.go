// Command quickstart serves time-zone tools to agents, at http://127.0.0.1:8053/mcp unless the environment or flags say otherwise:
//
//	go run ./examples/quickstart -help
//
// With -stdio it serves the program that started it, on standard input and output. It ends on SIGINT or SIGTERM.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/quickstart/zones"
	"github.com/capgen/capgen/runtime"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("quickstart: ")
	config, stdio, err := parse(os.Args[1:], os.LookupEnv, os.Stdout)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		log.Print(err)
		os.Exit(2)
	}

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, config, stdio, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// parse reads the environment and the command line.
func parse(args []string, env func(string) (string, bool), stdout io.Writer) (config runtime.Config, stdio bool, err error) {
	if err := config.FromEnv(env); err != nil {
		return config, false, err
	}
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	config.Flags(flags)
	flags.BoolVar(&stdio, "stdio", false, "serve the program that started this one, on standard input and output")
	flags.SetOutput(io.Discard)
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return config, false, err
	case err != nil:
		return config, false, fmt.Errorf("%w: see -help", err)
	case flags.NArg() > 0:
		return config, false, fmt.Errorf("%q is no flag: see -help", flags.Arg(0))
	}
	return config, stdio, nil
}

// run serves until ctx ends, or standard input does.
func run(ctx context.Context, config runtime.Config, stdio bool, stdout io.Writer) error {
	registry, err := capabilities.NewRegistry(zones.Bind(new(zones.Service)))
	if err != nil {
		return err
	}
	options := []runtime.Option{
		runtime.WithInstructions("Answers questions about time zones. Find exact zone names with zone_find before you use the other tools."),
		runtime.OnToolFailure(logFailure),
	}
	if stdio {
		return runtime.ServeStdio(ctx, registry, os.Stdin, stdout, append(config.Options(), options...)...)
	}
	options = append(options, runtime.OnListen(func(addr net.Addr) { fmt.Fprintf(stdout, welcome, config.URL(addr)) }))
	return runtime.Run(ctx, registry, config, options...)
}

// logFailure says which calls fail and why. What was in them it is never told.
func logFailure(ctx context.Context, f runtime.ToolFailure) {
	slog.WarnContext(ctx, "call failed", "tool", f.Tool, "kind", f.Kind, "problems", f.Observation.Problems)
}

// welcome shows two ways to call a tool, each as it can be pasted into another terminal, in the folder of the repository.
const welcome = `Serving at %[1]s

  go run ./cmd/capgen call %[1]s zone_find '{"query": "berlin"}'

  curl -sS %[1]s -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \
    -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: zone_find' \
    -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "zone_find", "arguments": {"query": "berlin"},
         "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}'

Stop it with Ctrl-C.
`
