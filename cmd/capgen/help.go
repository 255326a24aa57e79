package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/capgen/capgen/gen"
)

// newHelp returns the help command, which knows one topic that is not a command.
func newHelp(root *cobra.Command) *cobra.Command {
	help := &cobra.Command{
		Use:   "help [command|annotations]",
		Short: "Explain a command, or the annotations",
		RunE: func(cmd *cobra.Command, args []string) error {
			target, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usagef("there is no help on %q: see capgen help", args[len(args)-1])
			}
			return target.Help()
		},
	}
	help.AddCommand(&cobra.Command{
		Use:   "annotations",
		Short: "Explain the annotations: directives, their keys and the constraint keywords",
		Args:  between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(cmd.OutOrStdout(), gen.Annotations())
			return err
		},
	})
	return help
}
