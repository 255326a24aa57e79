// Package rival declares capabilities by hand, for tests of packs that contradict each other: what they take from whom is told by the
// import path of the package, and this one is another than that of the tests.
package rival

import (
	"fmt"

	"github.com/capgen/capgen/capabilities"
)

// Lookup is the input of all that is declared here.
type Lookup struct {
	capabilities.Returns[string]
}

// Capability satisfies [capabilities.Declared].
func (Lookup) Capability() *capabilities.Capability[Lookup, string] {
	return Contract("example.rival:lookup@1", "rival_lookup")
}

// Contract returns a capability of some ID and tool name, another one each time.
func Contract(id, tool string) *capabilities.Capability[Lookup, string] {
	return capabilities.Declare[Lookup, string](fmt.Sprintf(
		`{"id": %q, "tool": %q, "risk": "read", "access": "public", "input": {"type": "object"}, "output": {"type": "string"}}`, id, tool))
}

// Removed returns the contract of a capability that is gone.
func Removed(id, tool, note string) capabilities.Contract {
	return capabilities.Removed(fmt.Sprintf(`{"id": %q, "tool": %q, "removed": %q, "risk": "read", "access": "public"}`, id, tool, note))
}
