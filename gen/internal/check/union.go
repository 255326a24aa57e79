package check

import "github.com/capgen/capgen/gen/internal/model"

// checkUnion refuses a variant with a member that has the discriminator's name.
func (c *checker) checkUnion(t *model.Type) {
	for _, v := range t.Variants {
		for _, f := range v.Type.Fields {
			if f.Name == t.Discriminator {
				c.report.Errorf(f.Position, "%s.%s has the name of the discriminator of %s: rename it, or write another discriminator=", v.Type.Short, f.GoName, t.Short)
			}
		}
	}
}
