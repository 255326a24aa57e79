package check

import (
	"go/token"
	"slices"
	"strings"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/gen/internal/model"
)

// predeclared are the names of Go's own that generated code is written with.
var predeclared = []string{
	"bool", "byte", "error", "false", "float64", "int", "int64", "len", "new", "nil", "string", "true", "uint64",
}

// checkNames refuses generated names that the package has already.
func (c *checker) checkNames(pkg *model.Package) {
	methods := map[string]*model.Capability{}
	for _, capability := range pkg.Capabilities {
		if !token.IsExported(capability.Method()) {
			c.report.Errorf(capability.Position, "%s names a method of %s, which must begin with a capital letter for other packages to implement it, and has no such form: rename the type, as in %s",
				capability.GoName, pkg.Handlers, exported(capability.GoName))
		}
		if other, taken := methods[capability.Method()]; taken {
			c.report.Errorf(capability.Position, "%s and %s would have the same method, %s: rename one of the types", other.GoName, capability.GoName, capability.Method())
		}
		methods[capability.Method()] = capability
		for _, name := range []string{capability.ContractVar(), capability.CapabilityVar()} {
			if at, taken := pkg.Taken(name); taken {
				c.report.Errorf(at, "%s is a name that is generated for %s: rename this", name, capability.GoName)
			}
		}
	}
	if len(pkg.Capabilities) == 0 {
		return
	}
	for _, name := range predeclared {
		if at, taken := pkg.Declared[name]; taken {
			c.report.Errorf(at, "%s means something else in this package than in Go, and generated code needs Go's: rename this", name)
		}
	}
	named := map[string]string{pkg.Handlers: "handlers", pkg.Bind: "bind"}
	if pkg.Pack != "" {
		named[pkg.Pack] = "pack"
	}
	for name, renamed := range named {
		if at, taken := pkg.Taken(name); taken {
			c.report.Errorf(at, "%s is a name that is generated for the package: rename this, or write //capgen:names %s=… above a package clause", name, renamed)
		}
	}
	if pkg.Client {
		c.checkClientNames(pkg)
	}
}

// checkClientNames refuses names that a client needs.
func (c *checker) checkClientNames(pkg *model.Package) {
	for _, name := range []string{model.ClientType, model.ClientConstructor} {
		if at, taken := pkg.Taken(name); taken {
			c.report.Errorf(at, "%s is a name that is generated for //capgen:client: rename this", name)
		}
		if name == pkg.Handlers || name == pkg.Bind || name == pkg.Pack {
			c.report.Errorf(pkg.Capabilities[0].Position, "%s is a name that is generated for //capgen:client: choose another in //capgen:names", name)
		}
	}
	for _, capability := range pkg.Capabilities {
		if capability.Method() == model.ClientCheck {
			c.report.Errorf(capability.Position, "%s is a method that the client of //capgen:client has: rename the type", model.ClientCheck)
		}
	}
}

// exported returns a name like one that has no form with a capital letter.
func exported(name string) string {
	name = strings.TrimLeft(name, "_")
	if method := model.MethodName(name); token.IsExported(method) {
		return method
	}
	return "X" + name
}

// checkTools refuses IDs and tool names that occur twice, also names that some client cannot tell apart. Those of what is removed stay
// taken, since an agent that still has them must not call another thing by them.
func (c *checker) checkTools(packages []*model.Package) {
	ids := map[capabilities.ID]*model.Capability{}
	tools := map[string]*model.Capability{}
	for _, pkg := range packages {
		for _, capability := range slices.Concat(pkg.Removed, pkg.Capabilities) {
			if other, taken := ids[capability.ID]; taken {
				c.report.Errorf(capability.IDPosition, "%s is declared twice, also at %s: give one another name or major", capability.ID, other.IDPosition)
				continue
			}
			ids[capability.ID] = capability
			folded := capabilities.FoldToolName(capability.Tool)
			if other, taken := tools[folded]; taken {
				c.report.Errorf(capability.ToolPosition, "the tool name %s of %s cannot be told apart from %s, that of %s at %s: give one another name with tool=",
					capability.Tool, capability.ID, other.Tool, other.ID, other.ToolPosition)
				continue
			}
			tools[folded] = capability
		}
	}
}
