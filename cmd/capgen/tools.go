package main

import (
	"context"
	"encoding/json"
	"fmt"
	"go/doc"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/capgen/capgen/internal/client"
)

func newTools() *cobra.Command {
	var flags serverFlags
	cmd := &cobra.Command{
		Use:   "tools URL",
		Short: "List the tools of a server",
		Long: `Tools lists the tools that a server offers to this caller: name, what a call can do (read, write,
destructive; idempotent and open-world where they say more), and the first sentence of the description.`,
		Example: `  capgen tools http://127.0.0.1:8053/mcp`,
		Args:    between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return listTools(cmd.Context(), flags, args[0], cmd.OutOrStdout())
		},
	}
	flags.register(cmd, "print the tools as the server describes them, as a JSON array")
	return cmd
}

func listTools(ctx context.Context, flags serverFlags, endpoint string, stdout io.Writer) error {
	server, err := flags.connect(ctx, endpoint)
	if err != nil {
		return err
	}
	defer server.Close()
	tools, err := server.List(ctx)
	if err != nil {
		return err
	}
	if flags.json {
		return printJSON(stdout, tools)
	}
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	for _, tool := range tools {
		fmt.Fprintf(table, "%s\t%s\t%s\n", tool.Name, hints(tool.Annotations), synopsis(tool))
	}
	return table.Flush()
}

// hints says what a call can do. A hint that is not given has the protocol's default, which is the worst
// (2025-11-25, schema, "ToolAnnotations").
func hints(a *mcp.ToolAnnotations) string {
	if a == nil {
		return "unknown"
	}
	var words []string
	switch {
	case a.ReadOnlyHint:
		words = append(words, "read")
	case a.DestructiveHint == nil || *a.DestructiveHint:
		words = append(words, "destructive")
	default:
		words = append(words, "write")
	}
	if a.IdempotentHint && !a.ReadOnlyHint {
		words = append(words, "idempotent")
	}
	if a.OpenWorldHint == nil || *a.OpenWorldHint {
		words = append(words, "open-world")
	}
	return strings.Join(words, ",")
}

// synopsis returns the first sentence of the description, on one line.
func synopsis(tool *mcp.Tool) string {
	text := tool.Description
	if text == "" {
		text = tool.Title
	}
	return new(doc.Package).Synopsis(text)
}

func printJSON(stdout io.Writer, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = stdout.Write(client.Indent(text))
	return err
}
