package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/capgen/capgen/gen/internal/model"
)

// A struct of very many fields is read and written in parts: the compiler takes three minutes and 6 GB for one function of 10,000
// members, and seconds for the same in a hundred functions.
const (
	partSize = 64 // a word of seen
	large    = 4 * partSize
)

func isLarge(t *model.Type) bool { return len(t.Fields) > large }

// parts calls do with the number of each part, from 1, and the numbers of its first field and of the one after its last.
func parts(t *model.Type, do func(part, from, to int)) {
	for from := 0; from < len(t.Fields); from += partSize {
		do(from/partSize+1, from, min(from+partSize, len(t.Fields)))
	}
}

// partOf declares the function of one part, and returns its name.
func (f *functions) partOf(kind string, t *model.Type, part int, params []jen.Code, body func(g *jen.Group)) string {
	results := f.results
	return f.name(kind, fmt.Sprintf("%s part %d", f.purpose(t), part), func(name string) {
		defer f.reading(results)()
		f.file.Line().Func().Id(name).Params(params...).BlockFunc(body)
	})
}

// namesOf declares the table of a struct's names, and returns its name.
func (f *functions) namesOf(t *model.Type) string {
	return f.name("namesOf", f.purpose(t), func(name string) {
		f.file.Line().Var().Id(name).Op("=").Add(codec("NewNames")).CallFunc(func(g *jen.Group) {
			g.Index().Uint64().ValuesFunc(func(g *jen.Group) {
				for _, mask := range requiredMasks(t) {
					g.Id(fmt.Sprintf("%#x", mask))
				}
			})
			for _, field := range t.Fields {
				g.Line().Lit(field.Name)
			}
			g.Line()
		})
	})
}

// readLarge writes the loop over the members of an object that has very many.
func (f *functions) readLarge(g *jen.Group, t *model.Type, open bool, owner string) {
	v := pointed(jen.Id("v"))
	d, names := jen.Id("d"), jen.Id(f.namesOf(t))
	seen := jen.Id("seen").Index(jen.Op(":"))
	target := jen.Id("v").Op("*").Add(typeExpr(t.Go))
	decoder := jen.Id("d").Op("*").Add(codec("Decoder"))
	kind := "read"
	if f.results {
		kind = "readResult"
	}
	unknown := "UnknownOf"
	if open {
		unknown = "ExtraOf"
	}
	g.If(jen.Add(d).Dot("Object").Call()).BlockFunc(func(g *jen.Group) {
		g.Var().Id("seen").Index(jen.Lit((len(t.Fields) + 63) / 64)).Uint64()
		g.For(jen.Add(d).Dot("Next").Call()).Block(
			jen.Id("i").Op(":=").Add(names).Dot("Find").Call(jen.Add(d).Dot("Name").Call()),
			jen.If(jen.Id("i").Op("<").Lit(0)).Block(jen.Add(d).Dot(unknown).Call(names), jen.Continue()),
			jen.Add(d).Dot("Once").Call(seen, jen.Id("i")),
			jen.Switch(jen.Id("i").Op("/").Lit(partSize)).BlockFunc(func(g *jen.Group) {
				parts(t, func(part, from, to int) {
					read := f.partOf(kind, t, part, []jen.Code{decoder, target, jen.Id("i").Int()}, func(g *jen.Group) {
						g.Switch(jen.Id("i")).BlockFunc(func(g *jen.Group) {
							for i := from; i < to; i++ {
								g.Case(jen.Lit(i)).BlockFunc(func(g *jen.Group) { f.readField(g, t.Fields[i], v, owner) })
							}
						})
					})
					g.Case(jen.Lit(part - 1)).Block(jen.Id(read).Call(d, jen.Id("v"), jen.Id("i")))
				})
			}),
		)
		g.Add(d).Dot("RequireOf").Call(seen, names)
		parts(t, func(part, from, to int) {
			if f.results || !hasDefault(t.Fields[from:to]) {
				return
			}
			set := f.partOf("default", t, part, []jen.Code{decoder, target, jen.Id("seen").Index().Uint64()}, func(g *jen.Group) {
				f.applyDefaults(g, t, from, to, v, owner)
			})
			g.Id(set).Call(d, jen.Id("v"), seen)
		})
		f.callCheck(g, "d", t, t.Keywords, owner, jen.Add(d).Dot("Count").Call())
	})
}

func hasDefault(fields []*model.Field) bool {
	for _, field := range fields {
		if field.Keyword("default") != nil {
			return true
		}
	}
	return false
}

// writeLarge writes the members of an object that has very many.
func (f *functions) writeLarge(g *jen.Group, t *model.Type, owner string) {
	v := pointed(jen.Id("v"))
	params := []jen.Code{jen.Id("e").Op("*").Add(codec("Encoder")), jen.Id("v").Op("*").Add(typeExpr(t.Go))}
	g.If(jen.Id("e").Dot("Object").Call()).BlockFunc(func(g *jen.Group) {
		first := firstWritten(t, nil)
		parts(t, func(part, from, to int) {
			write := f.partOf("write", t, part, params, func(g *jen.Group) {
				for i := from; i < to; i++ {
					f.writeField(g, t.Fields[i], v, owner, i > first)
				}
			})
			g.Id(write).Call(jen.Id("e"), jen.Id("v"))
		})
		f.endCounted(g, "EndObject", t, nil, owner)
	})
}
