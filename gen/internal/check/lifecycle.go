package check

import (
	"cmp"
	"slices"

	"github.com/capgen/capgen/gen/internal/model"
)

// family is what the majors of a capability have in common.
type family struct {
	namespace, name string
}

// checkFamilies refuses a major after the first that does not say what it changed in meaning: nobody could move to it by its contract
// alone. One that is gone has nobody to tell.
func (c *checker) checkFamilies(packages []*model.Package) {
	families := map[family][]*model.Capability{}
	for _, pkg := range packages {
		for _, capability := range slices.Concat(pkg.Capabilities, pkg.Removed) {
			of := family{capability.ID.Namespace, capability.ID.Name}
			families[of] = append(families[of], capability)
		}
	}
	for _, majors := range families {
		first := slices.MinFunc(majors, func(a, b *model.Capability) int { return cmp.Compare(a.ID.Major, b.ID.Major) })
		for _, capability := range majors {
			if capability.ID.Major > first.ID.Major && capability.Migrates == "" && capability.Removed == "" {
				c.report.Errorf(capability.IDPosition, "%s follows %s, which is declared at %s: write what changed in meaning on a line of its own, "+
					"//capgen:migrates TEXT, and who agreed, reviewed-by=NAME", capability.ID, first.ID, first.IDPosition)
			}
		}
	}
}
