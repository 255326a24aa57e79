package directive

import (
	"go/token"
	"path/filepath"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/gen/internal/diag"
)

// Package is what the directives on a package's clauses say. Each may stand in one file only.
type Package struct {
	// Namespace is "" when there is none.
	Namespace string
	// Handlers and Bind are the names to generate: "Handlers" and "Bind" unless they are renamed.
	Handlers, Bind string
	// The positions are those of the values, or token.NoPos for what is not written.
	NamespacePos, HandlersPos, BindPos token.Pos
}

// unreadable stands in for a namespace that was reported, so that the IDs that lean on it are not reported as well.
const unreadable = "unreadable"

// ParsePackage joins the directives on the package clauses of a package's files, as [Scan] returned them.
func ParsePackage(files []File, at func(token.Pos) token.Position, report *diag.List) Package {
	p := Package{Handlers: "Handlers", Bind: "Bind"}
	s := &scan{at: at, report: report}
	first := map[string]Directive{}
	for _, file := range files {
		for _, d := range file.Package {
			if other, again := first[d.Name]; again {
				s.errorf(d.Pos, "%s is already in %s: keep one for the package", d, shortPosition(at(other.Pos)))
				continue
			}
			first[d.Name] = d
			switch d.Name {
			case "namespace":
				p.namespace(d, s)
			case "names":
				p.names(d, s)
			}
		}
	}
	return p
}

func (p *Package) namespace(d Directive, s *scan) {
	word, ok := d.Word()
	if !ok {
		p.Namespace = unreadable
		return
	}
	p.Namespace, p.NamespacePos = word.Value, word.Pos
	if err := capabilities.CheckNamespace(word.Value); err != nil {
		s.errorf(word.Pos, "%v", err)
		p.Namespace = unreadable
	}
}

func (p *Package) names(d Directive, s *scan) {
	rename := func(key string, name *string, pos *token.Pos) {
		arg, ok := d.Arg(key)
		switch {
		case !ok:
		case !token.IsIdentifier(arg.Value) || arg.Value == "_":
			s.errorf(arg.ValuePos, "%s= %q is not a Go name: write one such as Catalog%s", key, arg.Value, *name)
		default:
			*name, *pos = arg.Value, arg.ValuePos
		}
	}
	rename("handlers", &p.Handlers, &p.HandlersPos)
	rename("bind", &p.Bind, &p.BindPos)
	if p.Handlers == p.Bind {
		s.errorf(d.Pos, "%s gives handlers= and bind= the same name, %s: write two", d, p.Bind)
	}
}

// shortPosition is a position with the last element of its file name, for use in a message.
func shortPosition(at token.Position) string {
	at.Filename = filepath.Base(at.Filename)
	return at.String()
}
