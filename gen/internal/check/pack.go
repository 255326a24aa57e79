package check

import (
	"slices"

	"github.com/capgen/capgen/gen/internal/model"
)

// checkPacks sees that a pack owns its namespace: all that it declares is in it, and nothing of the other packages of the run.
func (c *checker) checkPacks(packages []*model.Package) {
	owners := map[string]*model.Package{}
	for _, pkg := range packages {
		if pkg.Pack == "" {
			continue
		}
		if len(pkg.Capabilities) == 0 && len(pkg.Misdeclared) == 0 {
			c.report.Errorf(pkg.PackPosition, "the package is a pack and declares no capability that is served: declare one, or leave pack out")
		}
		if other, owned := owners[pkg.PackNamespace]; owned {
			c.report.Errorf(pkg.PackPosition, "the namespace %s is owned by the pack at %s: leave pack out, or give one of them another namespace",
				pkg.PackNamespace, other.PackPosition)
			continue
		}
		owners[pkg.PackNamespace] = pkg
	}
	for _, pkg := range packages {
		for _, capability := range slices.Concat(pkg.Removed, pkg.Capabilities) {
			namespace := capability.ID.Namespace
			if pkg.Pack != "" && namespace != pkg.PackNamespace {
				c.report.Errorf(capability.IDPosition, "%s is not in the namespace %s, and a pack declares nothing else: move it to another package",
					capability.ID, pkg.PackNamespace)
			}
			if owner := owners[namespace]; owner != nil && pkg.Pack == "" {
				c.report.Errorf(capability.IDPosition, "the namespace of %s is owned by the pack at %s: give it one of its own, or declare it there",
					capability.ID, owner.PackPosition)
			}
		}
		c.checkPackNames(pkg)
	}
}

// checkPackNames refuses names that the package has already and that its pack needs for what was removed.
func (c *checker) checkPackNames(pkg *model.Package) {
	if pkg.Pack == "" {
		return
	}
	for _, capability := range pkg.Removed {
		if at, taken := pkg.Taken(capability.ContractVar()); taken {
			c.report.Errorf(at, "%s is a name that is generated for %s: rename this", capability.ContractVar(), capability.GoName)
		}
	}
}
