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
	var asJSON, size bool
	cmd := &cobra.Command{
		Use:   "list [packages]",
		Short: "List the capabilities that packages declare",
		Long: `List prints a table of the capabilities that the packages declare, by default those of the one in this folder: ID, tool
name, risk, access and the position of the declaration.

With -size it shows instead what each takes of what clients read: the bytes of its element of a tools/list result, just as
a server sends it, and an estimate of the tokens of a prompt that they are without their _meta, one for every four bytes;
and the total.
Clients that leave the schema of the result out of the prompt spend less.`,
		Example: `  capgen list ./...
  capgen list -size ./...`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if size {
				return listSizes(cmd, flags.config(args), asJSON)
			}
			list, unmatched, err := gen.List(cmd.Context(), flags.config(args))
			if err != nil {
				return findings(err)
			}
			printUnmatched(cmd.ErrOrStderr(), unmatched)
			if asJSON {
				return printDocument(cmd.OutOrStdout(), list)
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
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array of {id, tool, risk, access, position}, with -size of bytes and tokens too")
	cmd.Flags().BoolVar(&size, "size", false, "show how many bytes and tokens each tool takes, and the total")
	return cmd
}

func listSizes(cmd *cobra.Command, config gen.Config, asJSON bool) error {
	list, unmatched, err := gen.Sizes(cmd.Context(), config)
	if err != nil {
		return findings(err)
	}
	printUnmatched(cmd.ErrOrStderr(), unmatched)
	if asJSON {
		return printDocument(cmd.OutOrStdout(), list)
	}
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "BYTES\tTOKENS\t  TOOL")
	bytes, tokens := 0, 0
	for _, s := range list {
		fmt.Fprintf(table, "%d\t%d\t  %s\n", s.Bytes, s.Tokens, s.Tool)
		bytes, tokens = bytes+s.Bytes, tokens+s.Tokens
	}
	fmt.Fprintf(table, "%d\t%d\t  total of %d\n", bytes, tokens, len(list))
	return table.Flush()
}

// printDocument prints a value as JSON for people and programs.
func printDocument(stdout io.Writer, value any) error {
	e := json.NewEncoder(stdout)
	e.SetIndent("", "\t")
	e.SetEscapeHTML(false)
	return e.Encode(value)
}
