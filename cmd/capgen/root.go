package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
)

// run runs one command line and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot(stdin, stdout, stderr)
	root.SetArgs(longFlags(args))
	return exitCode(root.ExecuteContext(ctx), stderr)
}

func newRoot(stdin io.Reader, stdout, stderr io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:   "capgen",
		Short: "Turn annotated Go structs into tools that agents can call",
		Long: `Capgen turns annotated Go structs into tools that agents can call, and calls them.

Exit codes: 0 when all is well, 1 for findings and failed calls, 2 for a wrong command line.`,
		Args:              noCommand,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		// How many letters a misspelt command may be off.
		SuggestionsMinimumDistance: 2,
	}
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%s: see %s -help", flagFault(err), cmd.CommandPath())
	})
	root.AddCommand(newGenerate(), newCheck(), newDocs(), newList(), newLint(), newCompat(), newClient(), newAuthz(), newTools(), newCall())
	root.SetHelpCommand(newHelp(root))
	return root
}
