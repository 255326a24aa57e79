package docs

import (
	"fmt"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/gen/internal/model"
)

// risks say what a caller has to reckon with.
var risks = map[capabilities.Risk]string{
	capabilities.Read:        "a call changes nothing",
	capabilities.Write:       "a call adds or changes, and destroys nothing",
	capabilities.Destructive: "a call may delete or overwrite what cannot be had back",
}

// factsOf lists what a contract says of a capability beside its description and its schemas.
func factsOf(c *model.Capability) []Fact {
	var facts []Fact
	add := func(name string, parts ...Part) { facts = append(facts, Fact{Name: name, Value: parts}) }
	switch {
	case c.Removed != "":
		add("Lifecycle", code(string(Removed)), plain(": "+oneLine(c.Removed)))
	case c.Deprecated != "":
		add("Lifecycle", code(string(Deprecated)), plain(": "+oneLine(c.Deprecated)))
	default:
		add("Lifecycle", code(string(Supported)))
	}
	if c.Migrates != "" {
		add("Migrates", plain(oneLine(c.Migrates)))
	}
	if c.ReviewedBy != "" {
		add("Reviewed by", plain(c.ReviewedBy))
	}
	add("Risk", code(string(c.Risk)), plain(": "+risks[c.Risk]))
	if c.Access.Public() {
		add("Access", code("public"), plain(": anybody may call"))
	} else {
		parts := Line{plain("callers who hold ")}
		for i, scope := range c.Access.Scopes {
			if i > 0 {
				parts = append(parts, plain(" and "))
			}
			parts = append(parts, code(scope))
		}
		add("Access", parts...)
	}
	if c.Removed != "" {
		return facts
	}
	if c.Timeout > 0 {
		add("Deadline", plain(fmt.Sprintf("a call is stopped after %v", c.Timeout)))
	}
	if c.Idempotent {
		add("Idempotent", plain("repeating a call with the same input changes nothing more"))
	}
	if c.OpenWorld {
		add("Open world", plain("a call reaches systems outside, such as the web"))
	}
	return facts
}
