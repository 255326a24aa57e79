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
	"slices"
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

	texts map[string][]byte // the files that were read, by name
	own   bool              // it holds our output
}

type module struct {
	Path, Dir, GoVersion string
	Main                 bool
}

type listError struct {
	Pos, Err string
}

// listing holds the packages that match the patterns and all their imports, imports first.
type listing struct {
	packages []*listed
	byPath   map[string]*listed
}

const listFields = "-json=ImportPath,Name,Dir,DepOnly,Standard,Match,GoFiles,CgoFiles,Imports,ImportMap,Module,Error"

// list asks the go command for the packages. Our own output can make it stumble, by a syntax error, another package name or an
// import that is gone or closes a circle: then it is asked again with that output out of the way. Where it is known to be, it is out of
// the way from the start, since that of a thousand structs costs the go command more than all else.
func list(ctx context.Context, config Config) (*listing, error) {
	patterns := config.Patterns
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	args := append([]string{"-e", "-deps", listFields, "--"}, patterns...)
	hidden := outputsOfFolders(config)
	packages, err := listWithout(ctx, config, hidden, args)
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
		if packages, err = listWithout(ctx, config, hidden, args); err != nil {
			return nil, err
		}
	}
	l := &listing{packages: packages, byPath: make(map[string]*listed, len(packages))}
	for _, pkg := range packages {
		l.byPath[pkg.ImportPath] = pkg
		pkg.own = pkg.own || slices.Contains(hidden, filepath.Join(pkg.Dir, OutputName))
	}
	findOutputs(packages)
	return l, l.unmatched()
}

// listWithout lists as if the named files did not exist.
func listWithout(ctx context.Context, config Config, names, args []string) ([]*listed, error) {
	if len(names) == 0 {
		return goList(ctx, config, args...)
	}
	replace := make(map[string]string)
	for _, name := range names {
		replace[name] = ""
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	overlay, err := os.CreateTemp("", "capgen-overlay-*.json")
	if err != nil {
		return nil, err
	}
	defer os.Remove(overlay.Name())
	_, err = overlay.Write(text)
	if err = errors.Join(err, overlay.Close()); err != nil {
		return nil, err
	}
	return goList(ctx, config, append([]string{"-overlay=" + overlay.Name()}, args...)...)
}

// unmatched returns an error for a pattern without ... that names no package.
func (l *listing) unmatched() error {
	var found []error
	for _, pkg := range l.packages {
		if pkg.DepOnly || pkg.Error == nil || pkg.own || len(pkg.GoFiles)+len(pkg.CgoFiles) > 0 {
			continue
		}
		if slices.ContainsFunc(pkg.Match, func(pattern string) bool { return !strings.Contains(pattern, "...") }) {
			found = append(found, errors.New(oneLine(pkg.Error.Err)))
		}
	}
	return errors.Join(found...)
}

func hasError(packages []*listed) bool {
	return slices.ContainsFunc(packages, func(pkg *listed) bool { return pkg.Error != nil })
}

// goList runs the go command. With -e it fails only when there is nothing to list at all.
func goList(ctx context.Context, config Config, args ...string) ([]*listed, error) {
	cmd := exec.CommandContext(ctx, "go", slices.Concat([]string{"list"}, config.BuildFlags, args)...)
	cmd.Dir = config.Dir
	cmd.Env = config.Env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if text := strings.TrimSpace(stderr.String()); text != "" {
			return nil, errors.New(text)
		}
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []*listed
	for d := json.NewDecoder(&stdout); ; {
		pkg := new(listed)
		if err := d.Decode(pkg); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, pkg)
	}
}

// oneLine joins the lines of a message of the go command.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
