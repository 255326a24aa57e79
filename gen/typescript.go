package gen

import (
	"context"
	"fmt"
	"strings"

	"github.com/capgen/capgen/gen/internal/source"
	"github.com/capgen/capgen/gen/internal/typescript"
)

// TypeScriptHeader is the first line of each file of [TypeScript].
const TypeScriptHeader = typescript.Header

// TypeScript returns the files of typed TypeScript clients of what packages declare, by their names, and the patterns that match no package: one for each
// package, named as it is, and one that these share. It writes nothing. Its errors are those of [Generate], and that of two packages of one name.
func TypeScript(ctx context.Context, config Config) (files map[string][]byte, unmatched []string, err error) {
	program, err := source.Load(ctx, config.source(nil))
	if err != nil {
		return nil, nil, err
	}
	packages, _, err := read(config, program)
	if err != nil {
		return nil, nil, err
	}
	files, paths := map[string][]byte{}, map[string]string{}
	for _, pkg := range packages {
		if len(pkg.Capabilities) == 0 {
			continue
		}
		name := pkg.Name + ".ts"
		folded := strings.ToLower(name)
		switch other, taken := paths[folded]; {
		case folded == typescript.RuntimeName:
			return nil, nil, fmt.Errorf("package %s would have the file %s, which all clients share: rename the package", pkg.Path, name)
		case taken:
			return nil, nil, fmt.Errorf("packages %s and %s would have the same file, %s: write them into two folders", other, pkg.Path, name)
		}
		paths[folded] = pkg.Path
		var all []typescript.Capability
		for _, c := range pkg.Capabilities {
			all = append(all, typescript.Capability{GoName: c.GoName, Definition: definitionOf(c)})
		}
		if files[name], err = typescript.Client(pkg.Path, all); err != nil {
			return nil, nil, err
		}
		files[typescript.RuntimeName] = typescript.Runtime
	}
	return files, program.Unmatched, nil
}
