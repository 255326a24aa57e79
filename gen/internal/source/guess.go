package source

import (
	"bytes"
	"context"
	"go/build"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// guess is export data that is asked for before it is known to be needed. Listing a package and asking for what it imports each take the
// go command as long as all the rest takes for a package of ten structs, and both at once half of that.
type guess struct {
	cancel context.CancelFunc
	done   chan struct{}
	found  exports
}

// startGuess asks for what the configuration expects, and for what the files in the patterns' folders import from outside the main
// module.
func startGuess(ctx context.Context, config Config) *guess {
	ctx, cancel := context.WithCancel(ctx)
	g := &guess{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(g.done)
		paths := append(importsOfFolders(config), config.Imports...)
		slices.Sort(paths)
		if paths = slices.Compact(paths); len(paths) > 0 {
			g.found, _ = exportData(ctx, config, paths) // what goes wrong here does so again in complete
		}
	}()
	return g
}

// stop ends the go command, if it runs still.
func (g *guess) stop() {
	g.cancel()
	<-g.done
}

// complete returns the export data of the packages, having asked for what was not guessed. It is for one goroutine at a time.
func (g *guess) complete(ctx context.Context, config Config, paths []string) (exports, error) {
	<-g.done
	known := exports{}
	var missing []string
	for _, path := range paths {
		if file := g.found[path]; file != "" {
			known[path] = file
		} else {
			missing = append(missing, path)
		}
	}
	asked, err := exportData(ctx, config, missing)
	maps.Copy(known, asked)
	return known, err
}

// folders returns the folders that the patterns name, or nothing when one is no folder.
func folders(config Config) []string {
	if len(config.Patterns) == 0 {
		return []string{config.Dir}
	}
	var dirs []string
	for _, pattern := range config.Patterns {
		if !build.IsLocalImport(pattern) || strings.Contains(pattern, "...") {
			return nil
		}
		dirs = append(dirs, filepath.Join(config.Dir, pattern))
	}
	return dirs
}

// outputsOfFolders returns our own outputs in the folders that the patterns name.
func outputsOfFolders(config Config) []string {
	if strings.Contains(os.Getenv("GOFLAGS")+strings.Join(config.BuildFlags, " "), "-overlay") {
		return nil // there can be one only
	}
	var outputs []string
	for _, dir := range folders(config) {
		path, err := filepath.Abs(filepath.Join(dir, OutputName))
		if err != nil {
			return nil
		}
		if text, err := os.ReadFile(path); err == nil && IsOutput(OutputName, text) {
			outputs = append(outputs, path)
		}
	}
	return outputs
}

// importsOfFolders returns what the files in the patterns' folders import. Packages of the main module are left out, since they need
// not compile: asking for them would be work for nothing.
func importsOfFolders(config Config) []string {
	paths := []string{}
	for _, dir := range folders(config) {
		module := moduleOf(dir)
		if module == "" {
			return nil
		}
		for _, path := range importsOf(dir) {
			if path != "C" && path != "unsafe" && path != module && !strings.HasPrefix(path, module+"/") {
				paths = append(paths, path)
			}
		}
	}
	if len(paths) > 0 {
		paths = append(paths, "context") // what is generated imports it
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// importsOf returns what the files in a folder import, tests and our own output aside.
func importsOf(dir string) []string {
	var paths []string
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, path := range names {
		name := filepath.Base(path)
		if name == OutputName || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if matches, err := build.Default.MatchFile(dir, name); err != nil || !matches {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			continue
		}
		for _, spec := range file.Imports {
			if imported, err := strconv.Unquote(spec.Path.Value); err == nil {
				paths = append(paths, imported)
			}
		}
	}
	return paths
}

// moduleOf returns the path of the module that a folder is in, or "" where that is not sure, as in a workspace.
func moduleOf(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil || os.Getenv("GOWORK") != "" && os.Getenv("GOWORK") != "off" {
		return ""
	}
	module := ""
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return ""
		}
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && module == "" {
			module = modulePath(text)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return module
		}
		dir = parent
	}
}

func modulePath(text []byte) string {
	for line := range bytes.Lines(text) {
		if words := strings.Fields(string(line)); len(words) > 1 && words[0] == "module" {
			return strings.Trim(words[1], "\"`")
		}
	}
	return ""
}
