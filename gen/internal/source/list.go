package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// listed is one package as the go command describes it.
type listed struct {
	ImportPath, Name, Dir string
	DepOnly               bool     // it is imported, and matches no pattern
	Standard              bool     // it is part of Go itself
	Match                 []string // the patterns that it matches
	GoFiles, CgoFiles     []string
	Imports               []string          // import paths after resolution
	ImportMap             map[string]string // import paths as written, where resolution changes them
	Module                *module
	Error                 *listError
	Export                string

	texts   map[string][]byte // the files that are being read, by name
	digests map[string]string // those of all that were read, by name
	own     bool              // it holds our output
	// marked says that it is a matched package of the main module which may embed a capability's marker, and mentions no directive.
	marked bool
}

type module struct {
	Path, Dir, GoVersion string
	Main                 bool
}

type listError struct {
	Pos, Err string
}

// Listing holds the packages that match the patterns and all their imports, imports first.
type Listing struct {
	packages []*listed
	byPath   map[string]*listed
	// unmatched are the patterns that match no package.
	unmatched []string
	digest    string // see Digest

	config  Config
	guessed *guess
}

const listFields = "-json=ImportPath,Name,Dir,DepOnly,Standard,Match,GoFiles,CgoFiles,Imports,ImportMap,Module,Error"

// List is the first part of [Load]: it asks the go command for the packages, their files and their imports, without building
// anything. Close must be called in the end.
func List(ctx context.Context, config Config) (*Listing, error) {
	// At the same time it is asked for export data, by a guess at what Load will need.
	guessed := startGuess(ctx, config)
	l, err := list(ctx, config)
	if err != nil {
		guessed.stop()
		return nil, err
	}
	l.config, l.guessed = config, guessed
	return l, nil
}

// Close ends what the listing started and nobody waited for.
func (l *Listing) Close() { l.guessed.stop() }

// list asks the go command for the packages. Our own output can make it stumble, by a syntax error, another package name or an
// import that is gone or closes a circle: then it is asked again with that output out of the way. Where it is known to be, it is out of
// the way from the start, since that of a thousand structs costs the go command more than all else.
func list(ctx context.Context, config Config) (*Listing, error) {
	patterns := config.Patterns
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	args := append([]string{"-e", "-deps", listFields, "--"}, patterns...)
	hidden := outputsOfFolders(config)
	packages, unmatched, err := listWithout(ctx, config, hidden, args)
	if err != nil {
		return nil, err
	}
	for hasError(packages) {
		outputs := findOutputs(packages)
		outputs = slices.DeleteFunc(outputs, func(name string) bool { return slices.Contains(hidden, name) })
		if len(outputs) == 0 {
			break
		}
		hidden = append(hidden, outputs...)
		if packages, unmatched, err = listWithout(ctx, config, hidden, args); err != nil {
			return nil, err
		}
	}
	l := &Listing{packages: packages, byPath: make(map[string]*listed, len(packages)), unmatched: unmatched}
	for _, pkg := range packages {
		l.byPath[pkg.ImportPath] = pkg
		pkg.own = pkg.own || slices.Contains(hidden, filepath.Join(pkg.Dir, OutputName))
	}
	findOutputs(packages)
	return l, l.missing()
}

// listWithout lists as if the named files did not exist.
func listWithout(ctx context.Context, config Config, names, args []string) (packages []*listed, unmatched []string, err error) {
	if len(names) == 0 {
		return goList(ctx, config, args...)
	}
	replace := make(map[string]string)
	for _, name := range names {
		replace[name] = ""
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, nil, err
	}
	overlay, err := os.CreateTemp("", "capgen-overlay-*.json")
	if err != nil {
		return nil, nil, err
	}
	defer os.Remove(overlay.Name())
	_, err = overlay.Write(text)
	if err = errors.Join(err, overlay.Close()); err != nil {
		return nil, nil, err
	}
	return goList(ctx, config, append([]string{"-overlay=" + overlay.Name()}, args...)...)
}

// missing returns an error for a package or a folder that a pattern names and that is not there.
func (l *Listing) missing() error {
	var found []error
	for _, pkg := range l.packages {
		if pkg.DepOnly || pkg.Error == nil || pkg.own || len(pkg.GoFiles)+len(pkg.CgoFiles) > 0 {
			continue
		}
		if slices.ContainsFunc(pkg.Match, func(pattern string) bool { return !strings.Contains(pattern, "...") || pattern == pkg.ImportPath }) {
			found = append(found, fmt.Errorf("%s: name a package that is there, or ./... for all below this folder", oneLine(pkg.Error.Err)))
		}
	}
	return errors.Join(found...)
}

func hasError(packages []*listed) bool {
	return slices.ContainsFunc(packages, func(pkg *listed) bool { return pkg.Error != nil })
}

// goList runs the go command. With -e it fails only when there is nothing to list at all.
func goList(ctx context.Context, config Config, args ...string) (packages []*listed, unmatched []string, err error) {
	cmd := exec.CommandContext(ctx, "go", slices.Concat([]string{"list"}, config.BuildFlags, args)...)
	cmd.Dir = config.Dir
	cmd.Env = config.Env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if text := strings.TrimSpace(stderr.String()); text != "" {
			return nil, nil, errors.New(text)
		}
		return nil, nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(&stdout); ; {
		pkg := new(listed)
		if err := d.Decode(pkg); err == io.EOF {
			return packages, unmatchedIn(stderr.String()), nil
		} else if err != nil {
			return nil, nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, pkg)
	}
}

// unmatchedWarning is what the go command says of a pattern that matches no package. It alone knows: what it matches patterns with, and
// shows as Match, are cleaned ones.
var unmatchedWarning = regexp.MustCompile(`(?m)^go: warning: (".*") matched no packages$`)

func unmatchedIn(stderr string) []string {
	var patterns []string
	for _, found := range unmatchedWarning.FindAllStringSubmatch(stderr, -1) {
		if pattern, err := strconv.Unquote(found[1]); err == nil {
			patterns = append(patterns, pattern)
		}
	}
	return patterns
}

// oneLine joins the lines of a message of the go command.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
