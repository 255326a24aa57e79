package check

import (
	"strings"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/gen/internal/model"
)

// checkNames refuses generated names that the package has already.
func (c *checker) checkNames(pkg *model.Package) {
	methods := map[string]*model.Capability{}
	for _, capability := range pkg.Capabilities {
		if other, taken := methods[capability.Method()]; taken {
			c.report.Errorf(capability.Position, "%s and %s would have the same method, %s: rename one of the types", other.GoName, capability.GoName, capability.Method())
		}
		methods[capability.Method()] = capability
		for _, name := range []string{capability.ContractVar(), capability.CapabilityVar()} {
			if at, taken := pkg.Declared[name]; taken {
				c.report.Errorf(at, "%s is a name that is generated for %s: rename this", name, capability.GoName)
			}
		}
	}
	if len(pkg.Capabilities) == 0 {
		return
	}
	for name, renamed := range map[string]string{pkg.Handlers: "handlers", pkg.Bind: "bind"} {
		if at, taken := pkg.Declared[name]; taken {
			c.report.Errorf(at, "%s is a name that is generated for the package: rename this, or write //capgen:names %s=… above a package clause", name, renamed)
		}
	}
}

// checkTools refuses IDs and tool names that occur twice, also names that some client cannot tell apart.
func (c *checker) checkTools(packages []*model.Package) {
	ids := map[capabilities.ID]*model.Capability{}
	tools := map[string]*model.Capability{}
	for _, pkg := range packages {
		for _, capability := range pkg.Capabilities {
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

// checkHeaders refuses x-mcp-header where clients cannot follow it, and two parameters that claim one header. A property is
// reached by names alone: not through a list, a map or a type that refers to itself (2026-07-28, server/tools, "x-mcp-header").
func (c *checker) checkHeaders(capability *model.Capability) {
	claimed := map[string]string{}
	c.walkHeaders(capability.Input, true, claimed, map[*model.Type]bool{})
}

func (c *checker) walkHeaders(t *model.Type, reachable bool, claimed map[string]string, onPath map[*model.Type]bool) {
	if t == nil {
		return
	}
	if onPath[t] {
		return
	}
	onPath[t] = true
	defer delete(onPath, t)
	for _, f := range t.Fields {
		for _, k := range f.Keywords {
			if k.Name != "x-mcp-header" {
				continue
			}
			folded := strings.ToLower(k.Text)
			switch other, taken := claimed[folded]; {
			case !reachable:
				c.report.Errorf(k.Position, "x-mcp-header cannot stand inside a list or a map, since a client mirrors one value: remove it")
			case taken:
				c.report.Errorf(k.ValuePosition, "the header %s is claimed by %s already: give one another name", k.Text, other)
			}
			claimed[folded] = f.GoName
		}
		c.walkHeaders(f.Type, reachable, claimed, onPath)
	}
	c.walkHeaders(t.Elem, false, claimed, onPath)
}

// checkCase warns of properties that differ only in case, which some clients mix up.
func (c *checker) checkCase(t *model.Type) {
	folded := map[string]*model.Field{}
	for _, f := range t.Fields {
		if other, taken := folded[strings.ToLower(f.Name)]; taken {
			c.report.Warnf(f.Position, "%s and %s have JSON names that differ only in case, %q and %q, which some clients mix up", other.GoName, f.GoName, other.Name, f.Name)
		}
		folded[strings.ToLower(f.Name)] = f
	}
}
