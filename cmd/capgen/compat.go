package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/internal/compat"
	"github.com/capgen/capgen/internal/compat/source"
)

// compatFlags are the flags of capgen compat.
type compatFlags struct {
	against                  string
	asJSON, markdown, strict bool
}

func newCompat() *cobra.Command {
	var flags compatFlags
	cmd := &cobra.Command{
		Use:   "compat --against REF|DIR [packages]",
		Short: "Tell what changes of contracts break callers",
		Long: `Compat compares the contract files of the packages, by default the one in this folder, with those of a git revision, which
are read from git's objects, or with those of a folder that holds the module as it was. It judges each change:

  compatible    nobody notices: an input was widened, an output narrowed, and that is proved
  needs-review  it cannot be decided, or is a matter of meaning
  breaking      somebody notices: keep the contract, and declare a new major beside it

and exits 1 when one is breaking, with -strict also when one needs review. A package that was not there is new, and
breaks nobody. Packages are named by their folders. What is compared is what the files hold: run capgen check too.`,
		Example: `  capgen compat --against origin/main ./...
  capgen compat --against v1.4.0 -markdown ./... >comment.md`,
		RunE: func(cmd *cobra.Command, args []string) error {
			report, err := flags.compare(cmd.Context(), args)
			if err != nil {
				return err
			}
			if err := flags.print(cmd.OutOrStdout(), report); err != nil {
				return err
			}
			return flags.verdict(report)
		},
	}
	cmd.Flags().StringVar(&flags.against, "against", "", "the git revision, such as origin/main, or the folder, such as ../old, to compare with")
	cmd.Flags().BoolVar(&flags.asJSON, "json", false, "print a JSON object {against, new, findings, summary}")
	cmd.Flags().BoolVar(&flags.markdown, "markdown", false, "print tables for a pull request")
	cmd.Flags().BoolVar(&flags.strict, "strict", false, "fail also when a change needs review")
	return cmd
}

func (f *compatFlags) print(stdout io.Writer, report *compat.Report) error {
	switch {
	case f.asJSON:
		return report.JSON(stdout)
	case f.markdown:
		return report.Markdown(stdout)
	}
	return report.Text(stdout)
}

// verdict is the error of changes that must not be.
func (f *compatFlags) verdict(report *compat.Report) error {
	if broken := report.Broken(); len(broken) > 0 {
		return failedf("breaking: %s; keep what is served as it is, and declare a new major beside it", listed(broken))
	}
	if f.strict && report.Summary.NeedsReview > 0 {
		return failedf("%d changes need review, and -strict lets none pass", report.Summary.NeedsReview)
	}
	return nil
}

// maxListed is how many capabilities an error names.
const maxListed = 5

func listed(ids []capabilities.ID) string {
	var names []string
	for _, id := range ids[:min(len(ids), maxListed)] {
		names = append(names, id.String())
	}
	if more := len(ids) - maxListed; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// compare reads both times and compares them. Its errors exit 2, since nothing was compared.
func (f *compatFlags) compare(ctx context.Context, args []string) (*compat.Report, error) {
	switch {
	case f.against == "":
		return nil, usagef("there is nothing to compare with: write --against REF, a git revision, or --against DIR, a folder")
	case f.asJSON && f.markdown:
		return nil, usagef("-json and -markdown are two forms: choose one")
	}
	scope, err := newScope(args)
	if err != nil {
		return nil, err
	}
	earlier, folder, err := scope.against(ctx, f.against)
	if err != nil {
		return nil, err
	}
	current, err := source.Folder(scope.module, folder)
	if err != nil {
		return nil, usagef("%v", err)
	}
	before, after, err := scope.contracts(earlier, current, f.against)
	if err != nil {
		return nil, err
	}
	findings, err := compat.Compare(before, after)
	if err != nil {
		return nil, usagef("%v", err)
	}
	return compat.NewReport(f.against, scope.fresh(before, after), findings), nil
}

// scope is which packages are compared.
type scope struct {
	folder, module string
	patterns       []source.Pattern
}

func newScope(args []string) (*scope, error) {
	folder, err := os.Getwd()
	if err != nil {
		return nil, usagef("%v", err)
	}
	module, err := source.Module(folder)
	if err != nil {
		return nil, usagef("%v", err)
	}
	s := &scope{folder: folder, module: module}
	if len(args) == 0 {
		args = []string{"."}
	}
	for _, arg := range args {
		p, err := source.ParsePattern(arg, folder, module)
		if err != nil {
			return nil, usagef("%s: %v", arg, err)
		}
		s.patterns = append(s.patterns, p)
	}
	return s, nil
}

// against reads what to compare with: a folder if it is written like one, else a revision if there is one of that name, else a folder, whose name
// is returned too.
func (s *scope) against(ctx context.Context, name string) (files source.Files, folder string, err error) {
	isFolder := false
	if info, err := os.Stat(name); err == nil {
		isFolder = info.IsDir()
	}
	if filepath.IsAbs(name) || name == "." || name == ".." || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		if !isFolder {
			return nil, "", usagef("--against %s: there is no such folder", name)
		}
		return folderOf(name)
	}
	isRevision, err := source.IsRevision(ctx, s.module, name)
	switch {
	case isRevision && isFolder:
		return nil, "", usagef("--against %s: it is a revision and a folder: write ./%s for the folder, or %s^0 for the revision", name, name, name)
	case isRevision:
		files, err = source.Revision(ctx, s.module, name)
		if err != nil {
			return nil, "", usagef("--against %s: %v", name, err)
		}
		return files, "", nil
	case isFolder:
		return folderOf(name)
	case err != nil:
		return nil, "", usagef("--against %s: there is no such folder, and no revision can be read: %v", name, err)
	case source.IsShallow(ctx, s.module):
		return nil, "", usagef("--against %s: this clone is shallow and does not have the revision: fetch it, as with git fetch --unshallow", name)
	}
	return nil, "", usagef("--against %s: there is neither a revision nor a folder of that name", name)
}

func folderOf(name string) (source.Files, string, error) {
	files, err := source.Folder(name, "")
	switch {
	case err != nil:
		return nil, "", usagef("--against %s: %v", name, err)
	case len(files) == 0:
		return nil, "", usagef("--against %s: the folder holds no contracts, which would be under schemas/ in it or in the folders of packages", name)
	}
	return files, name, nil
}
