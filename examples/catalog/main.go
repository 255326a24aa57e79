// Command catalog composes a pack of contracts, which is in package albums, binds handlers of its own to it, and shows what comes of it:
//
//	go run ./examples/catalog show
//	go run ./examples/catalog failures
//	go run ./examples/catalog serve
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/capgen/capgen/runtime"
)

const usage = `Catalog composes contracts and handlers.

  catalog show       print what the catalog has, and call both majors of a capability
  catalog failures   print compositions that are refused, and why
  catalog serve      serve agents at http://127.0.0.1:8053/mcp, by the names of the catalog
`

// errUsage says that the command line is wrong.
var errUsage = errors.New("see go run ./examples/catalog help")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, errUsage):
		fmt.Fprintln(os.Stderr, "catalog:", err)
		os.Exit(2)
	case err != nil && !errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(os.Stderr, "catalog:", err)
		os.Exit(1)
	}
}

// run carries out a command line, until ctx ends.
func run(ctx context.Context, args []string, out io.Writer) error {
	command := ""
	if len(args) > 0 {
		command, args = args[0], args[1:]
	}
	switch {
	case command == "help", command == "-h", command == "-help", command == "--help":
		fmt.Fprint(out, usage)
		return nil
	case command == "serve":
		return serve(ctx, args, out)
	case len(args) > 0:
		return fmt.Errorf("%q is too much: %w", args[0], errUsage)
	case command == "show":
		return show(ctx, out)
	case command == "failures":
		return failures(out)
	}
	return fmt.Errorf("%q is no command: %w", command, errUsage)
}

// serve serves the catalog, until ctx ends. Agents call the first major by its alias, and only by that.
func serve(ctx context.Context, args []string, out io.Writer) error {
	var config runtime.Config
	if err := config.FromEnv(os.LookupEnv); err != nil {
		return err
	}
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	config.Flags(flags)
	flags.SetOutput(io.Discard)
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(out)
		flags.PrintDefaults()
		return err
	case err != nil:
		return fmt.Errorf("%w: %w", err, errUsage)
	case flags.NArg() > 0:
		return fmt.Errorf("%q is too much: %w", flags.Arg(0), errUsage)
	}
	catalog, registry, err := bind()
	if err != nil {
		return err
	}
	return runtime.Run(ctx, registry, config, runtime.WithToolNames(catalog.ToolName),
		runtime.OnListen(func(addr net.Addr) { fmt.Fprintln(out, "Serving at", config.URL(addr)) }))
}
