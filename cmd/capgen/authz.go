package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/gen"
)

func newAuthz() *cobra.Command {
	var flags sourceFlags
	cmd := &cobra.Command{
		Use:   "authz [packages]",
		Short: "Print what callers need for each capability",
		Long: `Authz prints a table of the capabilities that the packages declare, by default those of the one in this folder, and what each
asks of its callers:

  PUBLIC    yes: everybody may list and call it
  SCOPES    what the caller's token and its grant must both hold, all of them
  RESOURCE  check: its binding says who may do it to what, by capabilities.AuthorizeResource or capabilities.NoResource
  EXPOSURE  exact: the server must name its ID in runtime.Exposure, since it destroys

It is the declared half of the authorisation matrix; runtimetest.Matrix shows what the callers of a server really see.`,
		Example: `  capgen authz ./...`,
		RunE: func(cmd *cobra.Command, args []string) error {
			list, unmatched, err := gen.List(cmd.Context(), flags.config(args))
			if err != nil {
				return findings(err)
			}
			printUnmatched(cmd.ErrOrStderr(), unmatched)
			return printRequirements(cmd.OutOrStdout(), list)
		},
	}
	flags.register(cmd, false)
	return cmd
}

func printRequirements(stdout io.Writer, list []gen.Declaration) error {
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	if len(list) > 0 {
		fmt.Fprintln(table, "CAPABILITY\tRISK\tPUBLIC\tSCOPES\tRESOURCE\tEXPOSURE")
	}
	for _, d := range list {
		public, scopes, resource, exposure := "yes", "-", "-", "-"
		if !d.Access.Public() {
			public, scopes, resource = "no", strings.Join(d.Access.Scopes, " "), "check"
		}
		if d.Risk == capabilities.Destructive {
			exposure = "exact"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", d.ID, d.Risk, public, scopes, resource, exposure)
	}
	return table.Flush()
}
