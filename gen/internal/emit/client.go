package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/capgen/capgen/gen/internal/model"
)

// emitClient writes the typed client of a package, with a method for each capability.
func emitClient(f *jen.File, pkg *model.Package, codec *functions) {
	receiver := jen.Id("c").Op("*").Id(model.ClientType)
	over := jen.Id("c").Dot("transport")
	transport := jen.Qual(vocabulary, "Transport")
	ctx := jen.Id("ctx").Qual("context", "Context")

	f.Line().Commentf("%s calls the package's capabilities over a transport. It is safe for concurrent use.", model.ClientType)
	f.Type().Id(model.ClientType).Struct(jen.Id("transport").Add(transport))
	f.Line().Commentf("%s returns a client that calls over the transport, such as one of package mcpclient.", model.ClientConstructor)
	f.Func().Id(model.ClientConstructor).Params(jen.Id("transport").Add(transport)).Op("*").Id(model.ClientType).
		Block(jen.Return(jen.Op("&").Id(model.ClientType).Values(jen.Dict{jen.Id("transport"): jen.Id("transport")})))

	for _, c := range pkg.Capabilities {
		call := jen.Qual(vocabulary, "CallOver").Call(jen.Id("ctx"), over, jen.Id("in"), jen.Qual(codecPath, "Reader").Call(jen.Id(codec.resultReader(c))))
		f.Line().Commentf("%s calls %s. The errors are those of capabilities.CallOver.", c.Method(), c.ID)
		method := f.Func().Params(receiver).Id(c.Method()).Params(ctx, jen.Id("in").Id(c.GoName))
		if c.ReturnsNothing() {
			method.Error().Block(jen.List(jen.Id("_"), jen.Id("err")).Op(":=").Add(call), jen.Return(jen.Id("err")))
		} else {
			method.Params(typeExpr(c.Out), jen.Error()).Block(jen.Return(call))
		}
	}

	f.Line().Commentf("%s asks whether the server still has the contracts that this client was generated from. The errors are those of", model.ClientCheck)
	f.Comment("capabilities.Transport.")
	f.Func().Params(receiver).Id(model.ClientCheck).Params(ctx).Error().Block(
		jen.Return(over.Clone().Dot("Check").CallFunc(func(g *jen.Group) {
			g.Id("ctx")
			for _, c := range pkg.Capabilities {
				g.Line().Id(c.CapabilityVar()).Dot("Definition").Call()
			}
			g.Line()
		})))
}

// resultReader returns the name of the function that reads a capability's result.
func (f *functions) resultReader(c *model.Capability) string {
	defer f.reading(true)()
	if c.Out.Form == model.Named && f.ownFunction(c.Output, nil) {
		return f.reader(c.Output, c.Output.Kind == model.Struct)
	}
	return f.name("readResultOf", c.GoName, func(name string) {
		defer f.reading(true)()
		f.file.Line().Func().Id(name).
			Params(jen.Id("d").Op("*").Add(codec("Decoder")), jen.Id("v").Op("*").Add(typeExpr(c.Out))).
			BlockFunc(func(g *jen.Group) {
				into := pointed(jen.Id("v"))
				for out := c.Out; out.Form == model.PointerTo; out = *out.Elem {
					into = into.target(true)
				}
				f.readValue(g, c.Output, nil, into, c.GoName+".result")
			})
	})
}
