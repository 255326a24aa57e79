package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/capgen/capgen/gen/internal/model"
)

// emitPack writes the function that returns the package's contracts, and embeds those of what was removed, which nothing else needs.
func emitPack(f *jen.File, pkg *model.Package, contract func(*model.Capability) string) {
	for _, c := range pkg.Removed {
		emitContract(f, c, contract(c))
	}
	f.Line().Commentf("%s returns the contracts of the package, which owns the namespace %s, for capabilities.Compose.", pkg.Pack, pkg.PackNamespace)
	f.Func().Id(pkg.Pack).Params().Qual(vocabulary, "Pack").
		Block(jen.Return(jen.Qual(vocabulary, "NewPack").CallFunc(func(g *jen.Group) {
			g.Line().Lit(pkg.PackNamespace)
			for _, c := range pkg.Capabilities {
				g.Line().Id(c.CapabilityVar())
			}
			for _, c := range pkg.Removed {
				g.Line().Qual(vocabulary, "Removed").Call(jen.Id(c.ContractVar()))
			}
			g.Line()
		})))
}
