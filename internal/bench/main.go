//go:build unix

// Command bench compares what a tool call costs in several servers: Capgen's, those of go-sdk and mcp-go, and a bare net/http handler.
//
//	go run . [-rounds N] [-time D] [-callers N] [-only KIND,…] [-tool NAME] [-profile DIR]
//
// Each server is a process of its own on one core, the client is this process on another. In each round every server has its turn, so
// that what else the machine does falls on all of them. Every answer is checked. `bench server` is what the command starts.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/capgen/capgen/internal/bench/servers"
	"github.com/capgen/capgen/internal/bench/tools"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench: ")
	var err error
	if len(os.Args) > 1 && os.Args[1] == "server" {
		err = runServer(os.Args[2:])
	} else {
		err = runClient(os.Args[1:], os.Stdout)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func runServer(args []string) error {
	flags := flag.NewFlagSet("bench server", flag.ExitOnError)
	name := flags.String("kind", "capgen", "what to serve")
	listen := flags.String("listen", "127.0.0.1:0", "where to listen")
	core := flags.Int("core", -1, "the core to run on; -1 leaves it to the system")
	profile := flags.String("profile", "", "the file to write a CPU profile to; none if empty")
	if err := flags.Parse(args); err != nil {
		return err
	}
	kind, ok := servers.Find(*name)
	if !ok {
		return fmt.Errorf("there is no server %q", *name)
	}
	if err := pin(*core); err != nil {
		return err
	}
	if *profile == "" {
		return serve(kind, *listen, os.Stdin, os.Stdout)
	}
	file, err := os.Create(*profile)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	err = serve(kind, *listen, os.Stdin, os.Stdout)
	pprof.StopCPUProfile()
	return errors.Join(err, file.Close())
}

func runClient(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	rounds := flags.Int("rounds", 5, "how often each server has its turn")
	turn := flags.Duration("time", 300*time.Millisecond, "how long a turn is")
	callers := flags.Int("callers", 16, "how many callers there are at once")
	only := flags.String("only", "", "the servers to measure, separated by commas, beside "+servers.Bare+"; all if empty")
	tool := flags.String("tool", "", "the tool to call; all if empty")
	profiles := flags.String("profile", "", "the folder to write each server's CPU profile to; none if empty")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *rounds < 1 || *turn <= 0 || *callers < 1 {
		return errors.New("-rounds, -time and -callers must be positive")
	}
	kinds, err := choose(*only)
	if err != nil {
		return err
	}
	serverCore, clientCore := cores()
	children, err := startAll(kinds, serverCore, *profiles)
	if err != nil {
		return err
	}
	defer stopAll(children)
	if err := pin(clientCore); err != nil {
		return err
	}
	for _, sample := range tools.Samples() {
		if *tool != "" && sample.Tool != *tool {
			continue
		}
		plan := plan{sample: sample, rounds: *rounds, turn: *turn, callers: *callers}
		results, err := plan.run(children)
		if err != nil {
			return err
		}
		printTable(out, plan, results)
	}
	return nil
}

// choose returns the kinds of that list; the bare handler is always among them, and first.
func choose(list string) ([]servers.Kind, error) {
	if list == "" {
		return servers.Kinds(), nil
	}
	bare, _ := servers.Find(servers.Bare)
	kinds := []servers.Kind{bare}
	for name := range strings.SplitSeq(list, ",") {
		kind, ok := servers.Find(name)
		if !ok {
			return nil, fmt.Errorf("there is no server %q", name)
		}
		if name != servers.Bare {
			kinds = append(kinds, kind)
		}
	}
	return kinds, nil
}
