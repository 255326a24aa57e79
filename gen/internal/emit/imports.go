package emit

import (
	"go/doc"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/capgen/capgen/gen/internal/model"
)

// imports gives every package that generated code imports a name in its file: the package's own, unless the user's package declares
// that or two are called the same.
type imports struct {
	pkg      *model.Package
	names    map[string]string // by import path
	own      map[string]bool   // which of them are the packages' own names
	taken    map[string]bool
	standard map[string]bool
}

func newImports(pkg *model.Package) *imports {
	n := &imports{pkg: pkg, names: map[string]string{}, own: map[string]bool{}, taken: map[string]bool{}, standard: map[string]bool{"context": true, "embed": true}}
	n.name("context", "context")
	n.name(vocabulary, "capabilities")
	n.name(codecPath, "codec")
	seen := map[*model.Type]bool{}
	for _, c := range pkg.Capabilities {
		n.add(c.Out)
		n.addAll(c.Input, seen)
		n.addAll(c.Output, seen)
	}
	return n
}

// addAll names the packages of a type and of all below it.
func (n *imports) addAll(t *model.Type, seen map[*model.Type]bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	n.add(t.Go)
	n.addAll(t.Key, seen)
	n.addAll(t.Elem, seen)
	for _, f := range t.Fields {
		n.addAll(f.Type, seen)
	}
	for _, v := range t.Variants {
		n.addAll(v.Type, seen)
	}
}

// add names the packages of a type expression.
func (n *imports) add(e model.Expr) {
	if e.Package != "" && e.Package != n.pkg.Path {
		n.name(e.Package, e.PackageName)
		n.standard[e.Package] = n.standard[e.Package] || e.Standard
	}
	for _, arg := range e.Args {
		n.add(arg)
	}
	for _, part := range []*model.Expr{e.Key, e.Elem} {
		if part != nil {
			n.add(*part)
		}
	}
}

func (n *imports) name(path, name string) {
	if n.names[path] != "" {
		return
	}
	free := name
	if n.isTaken(free) {
		free = parent(path) + name // as in corev1
	}
	for n.isTaken(free) {
		free += "pkg"
	}
	n.names[path], n.own[path], n.taken[free] = free, free == name, true
}

// declare tells a file the names.
func (n *imports) declare(file *jen.File) {
	for path, name := range n.names {
		if n.own[path] {
			file.ImportName(path, name)
		} else {
			file.ImportAlias(path, name)
		}
	}
}

func (n *imports) isTaken(name string) bool {
	return n.taken[name] || n.declares(name) || jen.IsReservedWord(name) || local.MatchString(name)
}

// parent returns the element before the last of an import path as part of a name, or "" for one that is no word.
func parent(path string) string {
	elements := strings.Split(path, "/")
	if len(elements) < 2 {
		return ""
	}
	word := strings.ReplaceAll(elements[len(elements)-2], "-", "")
	if !token.IsIdentifier(word) {
		return ""
	}
	return word
}

// local matches the names that generated functions give their variables, which would hide a package of the same name.
var local = regexp.MustCompile(`^([dnrv]|[eikpx][0-9]*|ok|name|seen|text)$`)

// declares reports whether a name means something at package level, or in Go itself.
func (n *imports) declares(name string) bool {
	_, declared := n.pkg.Declared[name]
	return declared || doc.IsPredeclared(name) || name == n.pkg.Handlers || name == n.pkg.Bind || name == n.pkg.Pack ||
		n.pkg.Client && (name == model.ClientType || name == model.ClientConstructor)
}

// block returns the import declaration of some lines, the standard library's first, with an empty line between.
func (n *imports) block(lines map[string]bool) string {
	var standard, others []string
	for line := range lines {
		path := strings.Trim(line[strings.IndexByte(line, '"'):], `"`)
		if n.standard[path] {
			standard = append(standard, line)
		} else {
			others = append(others, line)
		}
	}
	for _, list := range [][]string{standard, others} {
		slices.SortFunc(list, func(a, b string) int {
			return strings.Compare(a[strings.IndexByte(a, '"'):], b[strings.IndexByte(b, '"'):])
		})
	}
	return "import (\n" + strings.Join(standard, "\n") + "\n\n" + strings.Join(others, "\n") + "\n)\n"
}
