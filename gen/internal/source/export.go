package source

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"slices"

	"golang.org/x/tools/go/gcexportdata"
)

// exports holds the file of each package's export data, by import path; empty for a package that doesn't compile.
type exports map[string]string

// exportData asks the go command for the export data of the packages; it builds what its cache doesn't have. Export data is
// complete in itself, so that the packages' own imports need not be asked for.
func exportData(ctx context.Context, config Config, paths []string) (exports, error) {
	return askExports(ctx, config, paths)
}

// exportDataOfAll asks for the export data of the packages and of all they import, which tells which of them are broken.
func exportDataOfAll(ctx context.Context, config Config, paths []string) (exports, error) {
	return askExports(ctx, config, paths, "-deps")
}

func askExports(ctx context.Context, config Config, paths []string, flags ...string) (exports, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	args := slices.Concat([]string{"-e", "-export"}, flags, []string{"-json=ImportPath,Export", "--"}, paths)
	packages, _, err := goList(ctx, config, args...)
	if err != nil {
		return nil, err
	}
	found := make(exports, len(packages))
	for _, pkg := range packages {
		found[pkg.ImportPath] = pkg.Export
	}
	return found, nil
}

// broken reports whether the go command was asked for the package and could not compile it.
func (e exports) broken(path string) bool {
	file, asked := e[path]
	return asked && file == "" && path != "unsafe"
}

// incomplete reports whether one of the packages has no export data.
func (e exports) incomplete(paths []string) bool {
	return slices.ContainsFunc(paths, func(path string) bool { return e[path] == "" })
}

// read returns the package that path's export data describes. The packages in known are shared: types are identical only
// when they come from the same package.
func (e exports) read(fset *token.FileSet, known map[string]*types.Package, path string) (*types.Package, error) {
	if pkg := known[path]; pkg != nil && pkg.Complete() {
		return pkg, nil
	}
	if e[path] == "" {
		return nil, fmt.Errorf("no export data for %s", path)
	}
	file, err := os.Open(e[path])
	if err != nil {
		return nil, err
	}
	defer file.Close()
	// The files are the compiler's archives, which only the deprecated reader opens; the form that is to replace them does not
	// exist before Go 1.29.
	r, err := gcexportdata.NewReader(file) //lint:ignore SA1019 see above
	if err != nil {
		return nil, fmt.Errorf("export data of %s: %w", path, err)
	}
	pkg, err := gcexportdata.Read(r, fset, known, path)
	if err != nil {
		return nil, fmt.Errorf("export data of %s: %w", path, err)
	}
	return pkg, nil
}
