package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capgen/capgen/gen"
	"github.com/capgen/capgen/mcptool"
)

func newLint() *cobra.Command {
	var flags sourceFlags
	var config gen.LintConfig
	var profile string
	var asJSON, rules bool
	cmd := &cobra.Command{
		Use:   "lint [packages]",
		Short: "Tell what clients refuse of the tools that packages declare",
		Long: `Lint holds the tools that the packages declare, by default those of the one in this folder, against what families of MCP
clients accept: names, descriptions, parameters, types and keywords of their schemas, sizes and numbers. Each finding is
at the field or directive to change and says what to write; lint exits 1 when there is any. It reads the declarations
alone and writes nothing. All the packages together are taken for the tools of one server.

Profiles:

  all            what every client below but openai-strict accepts, as far as declarations can give it
  claude         Anthropic's API, Claude Code and Claude Desktop
  openai         OpenAI's API, Codex and ChatGPT
  openai-strict  OpenAI's API with strict: true
  gemini         Google's API and Gemini CLI
  bedrock        the Converse API of Amazon Bedrock
  cursor         Cursor
  vscode         Visual Studio Code with Copilot

A profile by its own name also tells of what all leaves out since every schema has it. runtime.WithDialect serves such clients on a
path of their own, with schemas that are rewritten for them: with -dialect lint tells what they would refuse of those. With -rules
it prints the table of what it knows of a profile, with the source and the date of each row.

Tokens are estimated: one for every four bytes of what a server sends of a tool.`,
		Example: `  capgen lint ./...
  capgen lint -profile gemini ./tools
  capgen lint -profile gemini -dialect ./tools
  capgen lint -server shop -max-tokens 8000 ./...`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if config.Profile, err = mcptool.ParseProfile(profile); err != nil {
				return usagef("-profile: %v", err)
			}
			if config.MaxTokens < 0 {
				return usagef("-max-tokens %d: write a number from 0, which is no budget", config.MaxTokens)
			}
			if rules {
				return printRules(cmd.OutOrStdout(), config.Profile)
			}
			config.Config = flags.config(args)
			found, unmatched, err := gen.Lint(cmd.Context(), config)
			if err != nil {
				return findings(err)
			}
			printUnmatched(cmd.ErrOrStderr(), unmatched)
			if asJSON {
				err = printDocument(cmd.OutOrStdout(), found)
			} else {
				err = printFindings(cmd.OutOrStdout(), found)
			}
			if err == nil && len(found) > 0 {
				err = &exitError{code: 1}
			}
			return err
		},
	}
	flags.register(cmd, false)
	cmd.Flags().StringVar(&profile, "profile", string(mcptool.All), "whose clients: all, claude, openai, openai-strict, gemini, bedrock, cursor or vscode")
	cmd.Flags().StringVar(&config.Server, "server", "", fmt.Sprintf("the name that clients give the server; %d characters if it is not given", mcptool.UnknownServer))
	cmd.Flags().BoolVar(&config.Dialect, "dialect", false, "lint the tools as runtime.WithDialect rewrites them for the profile")
	cmd.Flags().IntVar(&config.MaxTokens, "max-tokens", 0, "how many tokens of a prompt all tools together may take; 0 is any number")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array of {position, rule, profiles, tool, message, source, checked}")
	cmd.Flags().BoolVar(&rules, "rules", false, "print the rules of the profile, and read no packages")
	return cmd
}

func printFindings(stdout io.Writer, found []gen.Finding) error {
	for _, f := range found {
		if _, err := fmt.Fprintln(stdout, f); err != nil {
			return err
		}
	}
	return nil
}

func printRules(stdout io.Writer, profile mcptool.Profile) error {
	for _, r := range mcptool.RulesOf(profile) {
		clients := make([]string, len(r.Profiles))
		for i, p := range r.Profiles {
			clients[i] = string(p)
		}
		_, err := fmt.Fprintf(stdout, "%s (%s): %s\n  fix: %s\n  source: %s, checked %s\n", r.ID, strings.Join(clients, " "), r.Says, r.Fix, r.Source, r.Checked)
		if err == nil && r.Note != "" {
			_, err = fmt.Fprintf(stdout, "  note: %s\n", r.Note)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
