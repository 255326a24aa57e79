package main

import (
	"github.com/spf13/cobra"

	"github.com/capgen/capgen/gen"
)

func newDocs() *cobra.Command {
	var flags sourceFlags
	var dir string
	cmd := &cobra.Command{
		Use:   "docs [packages]",
		Short: "Write the reference of capabilities for people",
		Long: `Docs writes two files into a folder, capabilities.md and capabilities.html: one page with every capability that the packages
declare, by default those of the one in this folder, its inputs and outputs, rules, examples, risk, access, lifecycle and errors. The HTML
needs no other file and no network. It reads the declarations alone. Files that are current are not touched, and a file that
capgen did not generate is not overwritten.

A package whose clause has //capgen:docs dir=DIR has the page written by capgen generate, and checked by capgen check.`,
		Example: `  capgen docs ./...
  capgen docs -o site ./tools`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if dir == "" {
				return usagef("-o is empty: write the folder of the pages, such as -o docs")
			}
			if len(args) == 0 {
				args = []string{"."}
			}
			plan, err := gen.Docs(cmd.Context(), flags.config(args), dir)
			if err != nil {
				return findings(err)
			}
			printUnmatched(cmd.ErrOrStderr(), plan.Unmatched)
			printWarnings(cmd.ErrOrStderr(), plan)
			if err := plan.Apply(); err != nil {
				return failedf("%v", err)
			}
			return nil
		},
	}
	flags.register(cmd, false)
	cmd.Flags().StringVarP(&dir, "out", "o", "docs", "the folder to write into, which is made when it is needed")
	return cmd
}
