package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// exitError is an error that decides the exit code. Its text may be empty: then all has been said already.
type exitError struct {
	code int
	text string
}

func (e *exitError) Error() string { return e.text }

// failedf returns an error that exits 1: what was asked for did not work out.
func failedf(format string, args ...any) error {
	return &exitError{code: 1, text: fmt.Sprintf(format, args...)}
}

// usagef returns an error that exits 2: the command line is wrong.
func usagef(format string, args ...any) error {
	return &exitError{code: 2, text: fmt.Sprintf(format, args...)}
}

// exitCode prints an error and returns the exit code that it stands for.
func exitCode(err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	var found *findingsError
	if errors.As(err, &found) {
		fmt.Fprintln(stderr, found)
		return 1
	}
	if text := err.Error(); text != "" {
		fmt.Fprintf(stderr, "capgen: %s\n", strings.ReplaceAll(text, "\n", "\ncapgen: "))
	}
	var exit *exitError
	if errors.As(err, &exit) {
		return exit.code
	}
	return 1
}

// between says how many arguments a command takes; usage names them, as in its Use line.
func between(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return usagef("got %d arguments, want: %s", len(args), cmd.UseLine())
		}
		return nil
	}
}

// noCommand refuses a command that does not exist.
func noCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "see capgen -help"
	if near := root.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return usagef("there is no command %q: %s", args[0], hint)
}
