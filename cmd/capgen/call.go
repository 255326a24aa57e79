package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/capgen/capgen/internal/client"
)

func newCall() *cobra.Command {
	var flags serverFlags
	cmd := &cobra.Command{
		Use:   "call URL TOOL [JSON]",
		Short: "Call a tool of a server",
		Long: `Call calls a tool and prints the JSON of its result. The input is a JSON object; "-" reads it from
standard input, and no input is {}. A failure of the tool is printed on standard error and exits 1.`,
		Example: `  capgen call http://127.0.0.1:8053/mcp zone_find '{"query": "berlin"}'
  capgen call -header 'Authorization: Bearer …' https://tools.example.com/mcp album_lookup - <input.json`,
		Args: between(2, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			input, err := readInput(args[2:], cmd.InOrStdin())
			if err != nil {
				return err
			}
			return callTool(cmd.Context(), flags, args[0], args[1], input, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags.register(cmd, "print the whole answer: content, structuredContent and isError")
	return cmd
}

func callTool(ctx context.Context, flags serverFlags, endpoint, name string, input json.RawMessage, stdout, stderr io.Writer) error {
	server, err := flags.connect(ctx, endpoint)
	if err != nil {
		return err
	}
	defer server.Close()
	tools, err := server.List(ctx)
	if err != nil {
		return err
	}
	if err := checkTool(name, tools); err != nil {
		return err
	}
	result, err := server.Call(ctx, name, input)
	if err != nil {
		return err
	}
	return printResult(flags, result, stdout, stderr)
}

func printResult(flags serverFlags, result *mcp.CallToolResult, stdout, stderr io.Writer) error {
	if flags.json {
		if err := printJSON(stdout, result); err != nil || !result.IsError {
			return err
		}
		return &exitError{code: 1}
	}
	if result.IsError {
		fmt.Fprintln(stderr, client.Text(result))
		return &exitError{code: 1}
	}
	value, err := client.Value(result)
	switch {
	case err != nil:
		return err
	case value != nil:
		_, err = stdout.Write(client.Indent(value))
	default:
		_, err = fmt.Fprintln(stdout, client.Text(result))
	}
	return err
}
