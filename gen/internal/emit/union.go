package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/capgen/capgen/gen/internal/model"
)

// readUnion looks ahead for the discriminator and has the variant that it names read the object.
func (f *functions) readUnion(g *jen.Group, t *model.Type) {
	names := []jen.Code{jen.Lit(t.Discriminator)}
	for _, v := range t.Variants {
		names = append(names, jen.Lit(v.Name))
	}
	g.Switch(jen.Id("d").Dot("Discriminator").Call(names...)).BlockFunc(func(g *jen.Group) {
		for i, v := range t.Variants {
			g.Case(jen.Lit(i)).BlockFunc(func(g *jen.Group) {
				g.Id("x").Op(":=").New(f.typeExpr(v.Type.Go))
				f.readValue(g, v.Type, nil, pointed(jen.Id("x")), f.purpose(t)+"."+v.Type.Go.Name)
				if v.Pointer {
					g.Op("*").Id("v").Op("=").Id("x")
				} else {
					g.Op("*").Id("v").Op("=").Op("*").Id("x")
				}
			})
		}
	})
}

func (f *functions) writeUnion(g *jen.Group, t *model.Type) {
	g.Switch(jen.Id("x").Op(":=").Parens(jen.Op("*").Id("v")).Assert(jen.Type())).BlockFunc(func(g *jen.Group) {
		for _, v := range t.Variants {
			discriminate := jen.Id("e").Dot("Discriminate").Call(rawLit(quoteJSON(t.Discriminator) + ":" + quoteJSON(v.Name)))
			write := func(g *jen.Group, from place) {
				g.Add(discriminate)
				f.writeValue(g, v.Type, nil, from, f.purpose(t)+"."+v.Type.Go.Name)
			}
			if !v.Pointer {
				g.Case(f.typeExpr(v.Type.Go)).BlockFunc(func(g *jen.Group) { write(g, variable(jen.Id("x"))) })
			}
			g.Case(jen.Op("*").Add(f.typeExpr(v.Type.Go))).BlockFunc(func(g *jen.Group) {
				g.If(jen.Id("x").Op("==").Nil()).Block(jen.Id("e").Dot("Nil").Call(), jen.Return())
				write(g, pointed(jen.Id("x")))
			})
		}
		g.Default().Block(jen.Id("e").Dot("Nil").Call())
	})
}

// declaredSchema writes the schema that was declared for a type, or nil.
func (f *functions) declaredSchema(t *model.Type) *jen.Statement {
	if t.Declared == "" {
		return jen.Nil()
	}
	return jen.Id(f.name("schemaOf", f.purpose(t), func(name string) {
		f.file.Line().Var().Id(name).Op("=").Add(codec("Declare")).Call(rawLit(t.Declared))
	}))
}
