package check

import (
	"go/token"

	"github.com/capgen/capgen/gen/internal/model"
)

// direction tells the two ways a text goes.
type direction struct {
	reason func(*model.Type) string
	at     token.Position
	path   string
}

// checkDirections refuses types that can be read and not written, or written and not read, where the other is needed: a client
// reads results.
func (c *checker) checkDirections(capability *model.Capability, client bool) {
	input := direction{func(t *model.Type) string { return t.NotInput }, capability.Position, capability.GoName}
	c.walkDirection(input, capability.Input, map[*model.Type]bool{})
	output := direction{func(t *model.Type) string { return t.NotOutput }, capability.OutputPosition, capability.GoName + "'s result"}
	c.walkDirection(output, capability.Output, map[*model.Type]bool{})
	if client {
		output.reason = func(t *model.Type) string { return t.NotInput }
		c.walkDirection(output, capability.Output, map[*model.Type]bool{})
	}
}

func (c *checker) walkDirection(d direction, t *model.Type, seen map[*model.Type]bool) {
	if t == nil {
		return
	}
	if reason := d.reason(t); reason != "" {
		c.report.Errorf(d.at, "%s %s", d.path, reason)
		return
	}
	if seen[t] {
		return
	}
	seen[t] = true
	for _, f := range t.Fields {
		below := direction{d.reason, d.at, d.path + "." + f.GoName}
		if f.Position.IsValid() {
			below.at = f.Position
		}
		c.walkDirection(below, f.Type, seen)
	}
	c.walkDirection(direction{d.reason, d.at, d.path + "{key}"}, t.Key, seen)
	step := "[]"
	if t.Kind == model.Map {
		step = "{}"
	}
	c.walkDirection(direction{d.reason, d.at, d.path + step}, t.Elem, seen)
	for _, v := range t.Variants {
		c.walkDirection(direction{d.reason, d.at, d.path + "(" + v.Name + ")"}, v.Type, seen)
	}
}
