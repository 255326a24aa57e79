package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/capgen/capgen/gen"
)

func newList() *cobra.Command {
	var flags sourceFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [packages]",
		Short: "List the capabilities that packages declare",
		Long: `List prints a table of the capabilities that the packages declare, by default those of the one in this folder: ID, tool
name, risk, access and the position of the declaration.`,
		Example: `  capgen list ./...`,
		RunE: func(cmd *cobra.Command, args []string) error {
			list, unmatched, err := gen.List(cmd.Context(), flags.config(args))
			if err != nil {
				return findings(err)
			}
			printUnmatched(cmd.ErrOrStderr(), unmatched)
			if asJSON {
				return printDeclarations(cmd.OutOrStdout(), list)
			}
			table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			if len(list) > 0 {
				fmt.Fprintln(table, "ID\tTOOL\tRISK\tACCESS\tPOSITION")
			}
			for _, d := range list {
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", d.ID, d.Tool, d.Risk, d.Access, d.Position)
			}
			return table.Flush()
		},
	}
	flags.register(cmd, false)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array of {id, tool, risk, access, position}")
	return cmd
}

func printDeclarations(stdout io.Writer, list []gen.Declaration) error {
	e := json.NewEncoder(stdout)
	e.SetIndent("", "\t")
	e.SetEscapeHTML(false)
	return e.Encode(list)
}
