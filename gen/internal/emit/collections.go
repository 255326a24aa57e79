package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/capgen/capgen/gen/internal/model"
)

// nest gives the variables of a loop names that the loops inside it do not take, and returns them with a function that ends the
// loop.
func (f *functions) nest() (names func(string) *jen.Statement, end func()) {
	f.level++
	suffix := ""
	if f.level > 1 {
		suffix = strconv.Itoa(f.level)
	}
	return func(name string) *jen.Statement { return jen.Id(name + suffix) }, func() { f.level-- }
}

// readList reads an array into a slice, or into a Go array of the same length.
func (f *functions) readList(g *jen.Group, t *model.Type, keywords []model.Keyword, into place, owner string) {
	local, end := f.nest()
	defer end()
	g.If(jen.Id("d").Dot("Array").Call()).BlockFunc(func(g *jen.Group) {
		if unique(t.Constraints(keywords)) {
			g.Id("d").Dot("UniqueItems").Call()
		}
		if t.Len == 0 && into.made {
			g.Add(into.address())
		}
		if t.Len >= 0 {
			g.For(jen.Id("d").Dot("More").Call()).Block(
				jen.If(local("i").Op(":=").Id("d").Dot("Index").Call(), local("i").Op("<").Lit(int(t.Len))).BlockFunc(func(g *jen.Group) {
					f.readElement(g, t, into.index(local("i")), owner)
				}).Else().Block(jen.Id("d").Dot("Skip").Call()),
			)
		} else {
			g.Add(codec("Empty")).Call(into.address())
			g.For(jen.Id("d").Dot("More").Call()).BlockFunc(func(g *jen.Group) {
				item := codec("Grow").Call(into.address())
				if !f.ignores(t) {
					item = local("e").Op(":=").Add(item)
				}
				g.Add(item)
				f.readElement(g, t, pointed(local("e")), owner)
			})
		}
		f.callCheck(g, "d", t, keywords, owner, jen.Id("d").Dot("Count").Call())
	})
}

func (f *functions) readElement(g *jen.Group, t *model.Type, into place, owner string) {
	if !t.ElemNullable {
		f.readValue(g, t.Elem, nil, into, owner+".item")
		return
	}
	g.If(jen.Op("!").Id("d").Dot("Null").Call()).BlockFunc(func(g *jen.Group) {
		f.readValue(g, t.Elem, nil, into.target(true), owner+".item")
	})
}

// readMap reads an object whose names are the caller's own.
func (f *functions) readMap(g *jen.Group, t *model.Type, keywords []model.Keyword, into place, owner string) {
	local, end := f.nest()
	defer end()
	g.If(jen.Id("d").Dot("Map").Call()).BlockFunc(func(g *jen.Group) {
		g.Add(codec("MakeMap")).Call(into.address())
		g.For(jen.Id("d").Dot("Next").Call()).BlockFunc(func(g *jen.Group) {
			f.readKey(g, t, local("k"), owner)
			if t.Key.Declared != "" {
				g.Add(f.declaredSchema(t.Key)).Dot("CheckName").Call(jen.Op("&").Id("d").Dot("Report"), jen.String().Call(jen.Id("d").Dot("Name").Call()))
			}
			g.Add(local("e")).Op(":=").Add(codec("Entry")).Call(jen.Id("d"), into.value(), local("k"))
			f.readElement(g, t, variable(local("e")), owner)
			g.Add(into.index(local("k")).value()).Op("=").Add(local("e"))
		})
		f.callCheck(g, "d", t, keywords, owner, jen.Id("d").Dot("Count").Call())
	})
}

// readKey makes a key from the current name.
func (f *functions) readKey(g *jen.Group, t *model.Type, k *jen.Statement, owner string) {
	key := t.Key
	switch key.Kind {
	case model.Text:
		g.Var().Add(k).Add(f.typeExpr(key.Go))
		g.If(jen.Op("!").Id("d").Dot("Key").Call(jen.Op("&").Add(k), jen.Lit(key.Format()))).Block(jen.Id("d").Dot("Skip").Call(), jen.Continue())
	case model.Integer:
		method := "IntKey"
		if key.Unsigned {
			method = "UintKey"
		}
		g.List(jen.Id("name"), jen.Id("ok")).Op(":=").Id("d").Dot(method).Call(jen.Lit(key.Bits))
		g.If(jen.Op("!").Id("ok")).Block(jen.Id("d").Dot("Skip").Call(), jen.Continue())
		g.Add(k).Op(":=").Add(f.typeExpr(key.Go)).Call(jen.Id("name"))
	default:
		g.Add(k).Op(":=").Add(f.typeExpr(key.Go)).Call(jen.Id("d").Dot("Name").Call())
		f.callCheck(g, "d", key, nil, owner+".key", jen.String().Call(k))
	}
}

func (f *functions) writeList(g *jen.Group, t *model.Type, keywords []model.Keyword, from place, owner string) {
	local, end := f.nest()
	defer end()
	g.If(jen.Id("e").Dot("Array").Call()).BlockFunc(func(g *jen.Group) {
		if unique(t.Constraints(keywords)) {
			g.Id("e").Dot("UniqueItems").Call()
		}
		items := local("i").Op(":=").Range()
		if f.ignores(t) {
			items = jen.Range()
		}
		g.For(items.Add(from.value())).BlockFunc(func(g *jen.Group) {
			g.Id("e").Dot("Item").Call()
			f.writeElement(g, t, from.index(local("i")), owner)
		})
		f.endCounted(g, "EndArray", t, keywords, owner)
	})
}

// ignores reports whether what a list or map holds is written without a look at it: structs without fields and name, as in a set.
func (f *functions) ignores(t *model.Type) bool {
	return !t.ElemNullable && t.Elem.Kind == model.Struct && len(t.Elem.Fields) == 0 && !f.ownFunction(t.Elem, nil)
}

func (f *functions) writeElement(g *jen.Group, t *model.Type, from place, owner string) {
	if !t.ElemNullable {
		f.writeValue(g, t.Elem, nil, from, owner+".item")
		return
	}
	g.If(from.value().Op("==").Nil()).Block(jen.Id("e").Dot("Null").Call()).Else().BlockFunc(func(g *jen.Group) {
		f.writeValue(g, t.Elem, nil, from.target(false), owner+".item")
	})
}

// writeMap writes a map's members sorted by name.
func (f *functions) writeMap(g *jen.Group, t *model.Type, keywords []model.Keyword, from place, owner string) {
	local, end := f.nest()
	defer end()
	keys := "SortedKeys"
	switch t.Key.Kind {
	case model.Text:
		if !t.Key.WritesPlain {
			keys = "SortedTextKeys"
		}
	case model.Integer:
		keys = "SortedIntKeys"
	}
	g.If(jen.Id("e").Dot("Map").Call()).BlockFunc(func(g *jen.Group) {
		g.For(jen.List(jen.Id("_"), local("k")).Op(":=").Range().Add(codec(keys)).Call(jen.Id("e"), from.value())).BlockFunc(func(g *jen.Group) {
			g.Id("e").Dot("Key").Call(local("k").Dot("Name"))
			if t.Key.Declared != "" {
				g.Add(f.declaredSchema(t.Key)).Dot("CheckName").Call(jen.Op("&").Id("e").Dot("Report"), local("k").Dot("Name"))
			}
			if t.Key.Kind == model.String {
				f.callCheck(g, "e", t.Key, nil, owner+".key", local("k").Dot("Name"))
			}
			if !f.ignores(t) {
				g.Add(local("x")).Op(":=").Add(from.index(local("k").Dot("Key")).value())
			}
			f.writeElement(g, t, variable(local("x")), owner)
		})
		f.endCounted(g, "EndObject", t, keywords, owner)
	})
}

// endCounted ends an array or object and checks how much it held, if that is bounded.
func (f *functions) endCounted(g *jen.Group, method string, t *model.Type, keywords []model.Keyword, owner string) {
	end := jen.Id("e").Dot(method).Call()
	if counted(t.Constraints(keywords)) {
		g.Id("n").Op(":=").Add(end)
		f.callCheck(g, "e", t, keywords, owner, jen.Id("n"))
		return
	}
	g.Add(end)
}
