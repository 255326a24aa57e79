package check

import (
	"strings"

	"github.com/capgen/capgen/gen/internal/model"
)

// checkHeaders refuses x-mcp-header where clients cannot follow it, and two parameters that claim one header. A property is
// reached by names alone: not through a list, a map or a reference, which is how a type that refers to itself is written
// (2026-07-28, server/tools, "x-mcp-header").
func (c *checker) checkHeaders(capability *model.Capability) {
	h := headers{checker: c, claimed: map[string]*model.Field{}, visits: map[*model.Type]int{}, recursive: map[string]bool{}}
	h.findRecursive(capability.Input, nil, map[*model.Type]bool{})
	h.walk(capability.Input, "")
}

// headers is the check of one capability's input.
type headers struct {
	*checker
	claimed   map[string]*model.Field
	visits    map[*model.Type]int
	recursive map[string]bool
}

// findRecursive notes the named types that refer to themselves.
func (h *headers) findRecursive(t *model.Type, path []string, done map[*model.Type]bool) {
	if t == nil {
		return
	}
	if t.Name != "" {
		for i, name := range path {
			if name == t.Name {
				for _, on := range path[i:] {
					h.recursive[on] = true
				}
			}
		}
		path = append(path[:len(path):len(path)], t.Name)
	}
	if done[t] {
		return
	}
	done[t] = true
	for _, f := range t.Fields {
		h.findRecursive(f.Type, path, done)
	}
	h.findRecursive(t.Elem, path, done)
}

// walk checks the headers below a type; unreachable says why a client does not get there, "" if it does.
func (h *headers) walk(t *model.Type, unreachable string) {
	// The second visit is where a header is claimed twice; more would say the same again, 2^n times in types nested in pairs.
	if t == nil || h.visits[t] == 2 {
		return
	}
	h.visits[t]++
	if unreachable == "" && h.recursive[t.Name] {
		unreachable = "a type that refers to itself"
	}
	for _, f := range t.Fields {
		if k := find(f.Keywords, "x-mcp-header"); k != nil {
			h.claim(f, k, unreachable)
		}
		h.walk(f.Type, unreachable)
	}
	if t.Elem != nil && unreachable == "" {
		unreachable = "a list or a map"
	}
	h.walk(t.Elem, unreachable)
}

func (h *headers) claim(f *model.Field, k *model.Keyword, unreachable string) {
	folded := strings.ToLower(k.Text)
	switch other, taken := h.claimed[folded]; {
	case unreachable != "":
		h.report.Errorf(k.Position, "x-mcp-header cannot stand inside %s, since a client mirrors one value that it reaches by names: remove it", unreachable)
	case f.Nullable: // the type must be one primitive (2026-07-28, server/tools, "x-mcp-header"), and clients drop a tool that breaks this
		h.report.Errorf(k.Position, "x-mcp-header cannot stand on %s, which may be null: write json:\"%s,omitempty\", or make it a value", f.GoName, f.Name)
	case taken && other == f:
		h.report.Errorf(k.ValuePosition, "the header %s is claimed twice, since the type of %s occurs twice in the input: remove it", k.Text, f.GoName)
	case taken:
		h.report.Errorf(k.ValuePosition, "the header %s is claimed by %s already: give one another name", k.Text, other.GoName)
	default:
		h.claimed[folded] = f
	}
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
