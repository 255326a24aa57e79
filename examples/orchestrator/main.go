// Command orchestrator serves tools to agents that plan work, have it done and look after it. It is two programs that can run apart:
//
//	go run ./examples/orchestrator          both, with the tasks in orchestrator.db
//	go run ./examples/orchestrator tasks    the task server, which keeps tasks and works on them
//	go run ./examples/orchestrator front    the MCP server, which asks the task server at -server-url
//
// Each takes -h. They end on SIGINT or SIGTERM; tasks go on at the next start.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/capgen/capgen/examples/orchestrator/tasks"
)

// defaultServer is where the task server listens: on this machine alone.
const defaultServer = "127.0.0.1:8052"

// What may hold a secret can be given by environment variables, which no list of processes shows.
const (
	tokenVariable    = "ORCHESTRATOR_TOKEN"
	databaseVariable = "ORCHESTRATOR_DB"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("orchestrator: ")
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		log.Fatal(err)
	}
}

// run runs one of the programs, or both, until ctx ends.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	name := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	flags := flag.NewFlagSet(strings.TrimSpace("orchestrator "+name), flag.ContinueOnError)
	server, front := tasks.Config{}, front{stdout: stdout}
	switch name {
	case "tasks":
		serverFlags(flags, &server, "addr")
	case "front":
		frontFlags(flags, &front)
		flags.StringVar(&front.server, "server-url", "http://"+defaultServer, "`URL` of the task server")
	case "":
		serverFlags(flags, &server, "server-addr")
		frontFlags(flags, &front)
	default:
		return fmt.Errorf("there is no program %q: run tasks, front, or without a name both", name)
	}
	flags.SetOutput(io.Discard)
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return err
	case err != nil:
		return fmt.Errorf("%w: see %s -help", err, flags.Name())
	}
	front.token = cmp.Or(front.token, os.Getenv(tokenVariable))
	server.Database = cmp.Or(server.Database, os.Getenv(databaseVariable), "sqlite:orchestrator.db")
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("%q is too much: the flags are all that there is", flags.Arg(0))
	case name == "tasks":
		server.OnListen = func(addr net.Addr) { fmt.Fprintf(stdout, "The task server is at http://%s\n", addr) }
		return tasks.Run(ctx, server)
	case name == "front":
		return front.serve(ctx)
	}
	return both(ctx, server, front)
}

func serverFlags(flags *flag.FlagSet, server *tasks.Config, addr string) {
	flags.StringVar(&server.Addr, addr, defaultServer, "`address` of the task server, on this machine; port 0 takes a free one")
	flags.StringVar(&server.Database, "db", "", "`database`: sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE; by default $"+databaseVariable+", or else sqlite:orchestrator.db")
	flags.IntVar(&server.Workers, "workers", 4, "how many tasks are worked on at once")
	flags.DurationVar(&server.Step, "step", 2*time.Second, "how long a step of a task takes")
}

func frontFlags(flags *flag.FlagSet, front *front) {
	flags.StringVar(&front.addr, "addr", defaultAddress, "`address` to serve agents on; port 0 takes a free one")
	flags.StringVar(&front.url, "url", "", "the endpoint's `URL` as agents know it, where a token is needed; by default http://ADDRESS/mcp")
	flags.StringVar(&front.token, "token", "", "bearer `token` that agents must send, on an address that others can reach; by default $"+tokenVariable)
}

// both runs a task server and a front for it. The front ends first, so that the calls that it still carries out are answered. It
// also ends when an agent stops the task server.
func both(ctx context.Context, server tasks.Config, front front) error {
	serverCtx, stopServer := context.WithCancel(context.WithoutCancel(ctx))
	defer stopServer()
	ctx, stopFront := context.WithCancel(ctx)
	defer stopFront()

	listening := make(chan net.Addr, 1)
	server.OnListen = func(addr net.Addr) { listening <- addr }
	ended := make(chan error, 1)
	go func() {
		ended <- tasks.Run(serverCtx, server)
		stopFront()
	}()
	select {
	case addr := <-listening:
		front.server = "http://" + addr.String()
	case err := <-ended:
		return err
	}
	err := front.serve(ctx)
	stopServer()
	return errors.Join(err, <-ended)
}
