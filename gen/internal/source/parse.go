package source

import (
	"errors"
	"go/parser"
	"go/scanner"
	"go/token"
	"path/filepath"
	"slices"
)

const parserMode = parser.ParseComments | parser.SkipObjectResolution

// parse parses the packages one after the other, so that positions are the same in every run, and reports syntax errors.
func (p *Program) parse(packages []*listed) {
	for _, l := range packages {
		pkg, found := p.parsePackage(l)
		for _, err := range found {
			pkg.invalid = true
			p.Diagnostics.Errorf(err.Pos, "%s", oneLine(err.Msg))
		}
		p.fromSrc[l.ImportPath] = pkg
	}
}

// parsePackage parses the package's files. Our own output is not among them.
func (p *Program) parsePackage(l *listed) (*Package, scanner.ErrorList) {
	pkg := &Package{
		Path:   l.ImportPath,
		Name:   l.Name,
		Dir:    l.Dir,
		Main:   l.Module != nil && l.Module.Main,
		listed: l,
	}
	names := slices.Sorted(slices.Values(slices.Concat(l.GoFiles, l.CgoFiles)))
	var found scanner.ErrorList
	for _, name := range names {
		path := filepath.Join(l.Dir, name)
		file, err := parser.ParseFile(p.Fset, path, l.text(name), parserMode)
		var list scanner.ErrorList
		switch {
		case errors.As(err, &list):
			found = append(found, list...)
		case err != nil:
			found.Add(token.Position{Filename: path}, err.Error())
		}
		if file != nil {
			pkg.Files = append(pkg.Files, file)
		}
		delete(l.texts, name)
	}
	return pkg, found
}
