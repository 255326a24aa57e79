// Command playlist serves the playlists of several tenants to agents, who act for users with a token of an OpenID provider and a grant.
// It says of its commands what they do:
//
//	go run ./examples/playlist help
//
// With CAPGEN_ENV=production it starts no demonstration issuer and knows no demonstration users.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const usage = `Playlist serves playlists of several tenants to agents.

  playlist serve            serve at http://127.0.0.1:8054/mcp
  playlist grants issue     permit a user's agent something, for a time
  playlist grants revoke    take that back, from the next call on
  playlist grants list      show what is permitted
  playlist walk             show on a server of its own what several callers see

playlist COMMAND -h lists the flags of a command.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "playlist:", err)
	}
	os.Exit(exitCode(err))
}

// run carries out a command line, until ctx ends.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	command, args := next(args)
	switch command {
	case "serve":
		return serve(ctx, args, stdout)
	case "walk":
		return walk(ctx, args, stdout)
	case "grants":
		verb, args := next(args)
		switch verb {
		case "issue":
			return issueGrant(ctx, args, stdout)
		case "revoke":
			return revokeGrant(ctx, args, stdout)
		case "list":
			return listGrants(ctx, args, stdout)
		}
		return usagef("write grants issue, grants revoke or grants list")
	case "help", "-h", "-help", "--help":
		_, err := io.WriteString(stdout, usage)
		return err
	}
	return usagef("write serve, walk, grants or help")
}

func next(args []string) (first string, rest []string) {
	if len(args) == 0 {
		return "", nil
	}
	return args[0], args[1:]
}

// usageError is a command line that is wrong.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func exitCode(err error) int {
	var wrong usageError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, &wrong):
		return 2
	}
	return 1
}

// parse reads the flags of a command, and so many arguments after them.
func parse(flags *flag.FlagSet, args []string, arguments int, stdout io.Writer) error {
	flags.SetOutput(io.Discard)
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stdout, "The flags of playlist %s:\n", flags.Name())
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return err
	case err != nil:
		return usagef("%s: %w", flags.Name(), err)
	case flags.NArg() > arguments:
		return usagef("%s: %q is too much", flags.Name(), flags.Arg(arguments))
	}
	return nil
}
