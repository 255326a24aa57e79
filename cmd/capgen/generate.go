package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capgen/capgen/gen"
)

// sourceFlags are the flags of the commands that read packages.
type sourceFlags struct {
	tags         string
	strict       bool
	descriptions bool
}

// register adds the flags to a command; descriptions is the default of that flag.
func (f *sourceFlags) register(cmd *cobra.Command, descriptions bool) {
	cmd.Flags().StringVar(&f.tags, "tags", "", "build tags, separated by commas, as for the go command")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "make warnings errors")
	cmd.Flags().BoolVar(&f.descriptions, "descriptions", descriptions, "warn of fields without a description")
}

func (f *sourceFlags) config(patterns []string) gen.Config {
	config := gen.Config{Patterns: patterns, Strict: f.strict, NoDescriptions: !f.descriptions}
	if f.tags != "" {
		config.BuildFlags = []string{"-tags=" + f.tags}
	}
	return config
}

// generate returns the command that writes what a command with these flags and packages has found to be stale.
func (f *sourceFlags) generate(patterns []string) string {
	words := []string{"capgen generate"}
	if f.tags != "" {
		words = append(words, "-tags="+shellWord(f.tags))
	}
	if len(patterns) == 0 {
		words = append(words, ".")
	}
	for _, pattern := range patterns {
		words = append(words, shellWord(pattern))
	}
	return strings.Join(words, " ")
}

// plainWord is a text that a shell takes as it is.
var plainWord = regexp.MustCompile(`^[\pL\pN_./,:@%+=-]+$`)

// shellWord quotes a text for a POSIX shell, where it must be.
func shellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

func newGenerate() *cobra.Command {
	var flags sourceFlags
	cmd := &cobra.Command{
		Use:   "generate [packages]",
		Short: "Write the code and the contracts of annotated packages",
		Long: `Generate reads the annotated structs of the packages, by default the one in this folder, and writes into each
package capgen_gen.go and, under schemas/, one contract for each capability. Files that are current are not
touched; when anything is wrong, no file is written.

A run without a warning is put on record, and one that finds everything as it was left ends early. Records are kept
in the user's cache folder, or in the folder that the environment variable CAPGEN_CACHE names; with CAPGEN_CACHE=off
there are none.`,
		Example: `  capgen generate ./...`,
		RunE: func(cmd *cobra.Command, args []string) error {
			config := flags.config(args)
			var err error
			if config.Cache, err = cacheFolder(); err != nil {
				return err
			}
			plan, err := gen.Generate(cmd.Context(), config)
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
	flags.register(cmd, true)
	return cmd
}

func newCheck() *cobra.Command {
	var flags sourceFlags
	cmd := &cobra.Command{
		Use:   "check [packages]",
		Short: "Tell what generated files are stale",
		Long: `Check prints a unified diff from what the packages' generated files hold to what they must hold, and exits 1 when there is
any, or when a pattern matches no package. It prints nothing and exits 0 when all are current. It writes nothing.`,
		Example: `  capgen check ./...`,
		RunE: func(cmd *cobra.Command, args []string) error {
			plan, err := gen.Generate(cmd.Context(), flags.config(args))
			if err != nil {
				return findings(err)
			}
			printWarnings(cmd.ErrOrStderr(), plan)
			diff := plan.Diff()
			if _, err := cmd.OutOrStdout().Write(diff); err != nil {
				return err
			}
			var wrong []error
			if len(diff) > 0 {
				wrong = append(wrong, failedf("stale: %s; run %s", strings.Join(plan.Stale(), ", "), flags.generate(args)))
			}
			for _, pattern := range plan.Unmatched {
				wrong = append(wrong, failedf("%q matched no packages, so there was nothing to check: correct the pattern, or remove it", pattern))
			}
			return errors.Join(wrong...)
		},
	}
	flags.register(cmd, false)
	return cmd
}

// printUnmatched warns of patterns that match no package, as the go command does.
func printUnmatched(stderr io.Writer, patterns []string) {
	for _, pattern := range patterns {
		fmt.Fprintf(stderr, "capgen: warning: %q matched no packages\n", pattern)
	}
}

func printWarnings(stderr io.Writer, plan *gen.Plan) {
	for _, line := range plan.Warnings {
		fmt.Fprintln(stderr, line)
	}
}
