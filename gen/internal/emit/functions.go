package emit

import (
	"fmt"
	"go/token"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/capgen/capgen/gen/internal/model"
)

// codecPath is the import path of what generated code reads and writes JSON with.
const codecPath = vocabulary + "/codec"

// functions writes the codec of a package: for each named struct a function that reads it and one that writes it, and for each
// constrained value one that checks it, which both call.
type functions struct {
	file   *jen.File
	chunks *chunks
	pkg    *model.Package
	// names holds the name of each function and variable, by what it is for; taken tells which names are in use.
	names map[string]string
	taken map[string]bool
	// purposes holds how each type is named among all, by its full name; named tells which of these are in use.
	purposes map[string]string
	named    map[string]bool
	// pending are the functions that were referred to and are not written yet.
	pending []func()
	// results says that what is being written reads results: objects may have more members than are known, and a default is what the server
	// has applied, not what is read for nothing.
	results bool
	// level counts the loops that what is being written is in.
	level int
}

func newFunctions(file *chunks, pkg *model.Package) *functions {
	f := &functions{chunks: file, pkg: pkg, names: map[string]string{}, taken: map[string]bool{}, purposes: map[string]string{}, named: map[string]bool{}}
	for _, names := range []map[string]token.Position{pkg.Declared, pkg.Imported} {
		for name := range names {
			f.taken[name] = true
		}
	}
	return f
}

// flush writes the functions that were referred to, and those that they refer to.
func (f *functions) flush() {
	for written := 0; len(f.pending) > 0; written++ {
		if written%chunkSize == 0 {
			f.file = f.chunks.next()
		}
		next := f.pending[0]
		f.pending = f.pending[1:]
		next()
	}
}

// name returns the name of something that is generated once, and has it written at the first call. What it is for tells it apart
// from everything else of its kind; the name is made from that, and from a number where it is taken.
func (f *functions) name(kind, purpose string, write func(name string)) string {
	key := kind + " " + purpose
	if name, known := f.names[key]; known {
		return name
	}
	base := kind + identifier(purpose)
	name := base
	for i := 2; f.taken[name]; i++ {
		name = fmt.Sprintf("%s%d", base, i)
	}
	f.taken[name] = true
	f.names[key] = name
	f.pending = append(f.pending, func() { write(name) })
	return name
}

// purpose names a type among all that the package's codec knows: by its own name if it is the package's, and with a number where
// two have the same.
func (f *functions) purpose(t *model.Type) string {
	if purpose, known := f.purposes[t.Name]; known {
		return purpose
	}
	base := t.Short
	if t.Go.Package == f.pkg.Path && len(t.Go.Args) == 0 {
		base = t.Go.Name
	}
	purpose := base
	for i := 2; f.named[purpose]; i++ {
		purpose = fmt.Sprintf("%s %d", base, i)
	}
	f.purposes[t.Name], f.named[purpose] = purpose, true
	return purpose
}

// reader returns the name of the function that reads a named type. An open one admits names that the type does not have.
func (f *functions) reader(t *model.Type, open bool) string {
	kind, results := "read", f.results
	switch {
	case results:
		kind = "readResult"
	case open:
		kind = "readOpen"
	}
	return f.name(kind, f.purpose(t), func(name string) {
		defer f.reading(results)()
		f.emitReader(name, t, open)
	})
}

// reading says whether results are read, until the function that it returns is called.
func (f *functions) reading(results bool) (end func()) {
	before := f.results
	f.results = results
	return func() { f.results = before }
}

// admitsMore reports whether a struct may have members that are not known.
func (f *functions) admitsMore(t *model.Type, keywords []model.Keyword) bool {
	return f.results || t.Open(keywords)
}

// writer returns the name of the function that writes a named type.
func (f *functions) writer(t *model.Type) string {
	return f.name("write", f.purpose(t), func(name string) { f.emitWriter(name, t) })
}

// ownFunction reports whether a type has functions of its own where it is used with these keywords: a named struct, union, list or
// map that code here can name. A list whose items must be unique only here is written out.
func (f *functions) ownFunction(t *model.Type, keywords []model.Keyword) bool {
	switch t.Kind {
	case model.Struct, model.Union:
	case model.List, model.Map:
		if unique(keywords) {
			return false
		}
	default:
		return false
	}
	return t.Name != "" && nameable(t.Go, f.pkg.Path)
}

// of joins a capability's functions.
func (f *functions) of(c *model.Capability) *jen.Statement {
	read, write := f.reader(c.Input, c.Input.Open(nil)), f.writer(c.Input)
	return codec("Of").Call(jen.Id(read), jen.Id(write), jen.Id(f.resultWriter(c)))
}

// resultWriter returns the name of the function that writes a capability's result.
func (f *functions) resultWriter(c *model.Capability) string {
	if c.Out.Form == model.Named && f.ownFunction(c.Output, nil) {
		return f.writer(c.Output)
	}
	return f.name("writeResultOf", c.GoName, func(name string) {
		f.file.Line().Func().Id(name).
			Params(jen.Id("e").Op("*").Add(codec("Encoder")), jen.Id("v").Op("*").Add(typeExpr(c.Out))).
			BlockFunc(func(g *jen.Group) {
				from := pointed(jen.Id("v"))
				for out := c.Out; out.Form == model.PointerTo; out = *out.Elem {
					g.If(from.value().Op("==").Nil()).Block(jen.Id("e").Dot("Nil").Call(), jen.Return())
					from = from.target(false)
				}
				f.writeValue(g, c.Output, nil, from, c.GoName+".result")
			})
	})
}

// identifier turns a type's text, such as tree.Node[int], into part of a name.
func identifier(text string) string {
	var b strings.Builder
	upper := true
	for _, c := range text {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			upper = true
			continue
		case upper:
			c = unicode.ToUpper(c)
		}
		upper = false
		b.WriteRune(c)
	}
	return b.String()
}

func codec(name string) *jen.Statement { return jen.Qual(codecPath, name) }
