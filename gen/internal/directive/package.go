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
	// Handlers, Bind and Pack are the names to generate: "Handlers", "Bind" and "Pack" unless they are renamed.
	Handlers, Bind, Pack string
	// IsPack says that Pack is generated.
	IsPack bool
	// Client says that a client is generated.
	Client bool
	// Schemas are those that are declared for types of other packages.
	Schemas []Schema
	// Docs says where the package's reference goes.
	Docs Docs
	// The positions are those of the values, or token.NoPos for what is not written.
	NamespacePos, HandlersPos, BindPos, PackPos token.Pos
}

// unreadable stands in for a text that was reported, so that what leans on it, such as the IDs of a namespace, is not reported as well.
const unreadable = "unreadable"

// ParsePackage joins the directives on the package clauses of a package's files, as [Scan] returned them.
func ParsePackage(files []File, at func(token.Pos) token.Position, report *diag.List) Package {
	p := Package{Handlers: "Handlers", Bind: "Bind", Pack: "Pack"}
	s := &scan{at: at, report: report}
	first := map[string]Directive{}
	for _, file := range files {
		for _, d := range file.Package {
			if d.Name == "schema" {
				p.schema(d, s)
				continue
			}
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
			case "client":
				p.Client = true
			case "docs":
				p.docs(d, s)
			}
		}
	}
	if names, ok := first["names"]; ok {
		p.packName(names, s)
	}
	return p
}

// packName checks the name of the function of a pack, once it is known whether there is one.
func (p *Package) packName(d Directive, s *scan) {
	switch {
	case p.PackPos.IsValid() && !p.IsPack && p.Namespace != unreadable:
		s.errorf(p.PackPos, "pack= names what is generated for a pack, and the package is none: write //capgen:namespace NS pack, or leave it out")
	case p.IsPack && p.Pack == p.Handlers, p.IsPack && p.Pack == p.Bind:
		s.errorf(d.Pos, "%s gives pack= a name that is handlers= or bind= too, %s: write another", d, p.Pack)
	}
}

func (p *Package) namespace(d Directive, s *scan) {
	word, ok := d.Word()
	if !ok {
		p.Namespace = unreadable
		return
	}
	p.Namespace, p.NamespacePos = word.Value, word.Pos
	p.IsPack = d.Has("pack")
	if err := capabilities.CheckNamespace(word.Value); err != nil {
		s.errorf(word.Pos, "%v", err)
		p.Namespace, p.IsPack = unreadable, false
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
	rename("pack", &p.Pack, &p.PackPos)
	if p.Handlers == p.Bind {
		s.errorf(d.Pos, "%s gives handlers= and bind= the same name, %s: write two", d, p.Bind)
	}
}

// Schema is the declaration of the schema of a type that encodes itself.
type Schema struct {
	// Type is the type as its import path, a dot and its name; "" for the type that the directive stands on.
	Type string
	// File is relative to the package's folder, with slashes.
	File             string
	TypePos, FilePos token.Pos
}

// schema reads a //capgen:schema on a package clause.
func (p *Package) schema(d Directive, s *scan) {
	typ, hasType := d.Arg("type")
	file, hasFile := d.Arg("file")
	switch {
	case !hasType || !hasFile:
		s.errorf(d.Pos, "%s on the package clause declares the schema of another package's type: write %s type=PATH.NAME file=FILE", d, d)
	case len(KeywordArgs(d)) > 0:
		s.errorf(KeywordArgs(d)[0].Pos, "%s does not go with file=: write it in the file", KeywordArgs(d)[0].Key)
	default:
		p.Schemas = append(p.Schemas, Schema{Type: typ.Value, File: file.Value, TypePos: typ.ValuePos, FilePos: file.ValuePos})
	}
}

// ParseSchema reads the file= of a //capgen:schema on a type; the result is false when it has none.
func ParseSchema(d Directive, at func(token.Pos) token.Position, report *diag.List) (Schema, bool) {
	file, ok := d.Arg("file")
	s := &scan{at: at, report: report}
	if typ, wrong := d.Arg("type"); wrong {
		s.errorf(typ.Pos, "type= goes with the package clause: here the type is the one that this stands on")
	}
	if keywords := KeywordArgs(d); ok && len(keywords) > 0 {
		s.errorf(keywords[0].Pos, "%s does not go with file=: write it in the file", keywords[0].Key)
	}
	return Schema{File: file.Value, FilePos: file.ValuePos}, ok
}

// shortPosition is a position with the last element of its file name, for use in a message.
func shortPosition(at token.Position) string {
	at.Filename = filepath.Base(at.Filename)
	return at.String()
}
