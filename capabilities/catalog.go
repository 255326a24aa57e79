package capabilities

import (
	"errors"
	"fmt"
	"slices"
)

// Catalog is what [Compose] made of packs: their definitions, and the aliases of some. It has no handlers. It does not change and is
// safe for concurrent use.
type Catalog struct {
	definitions map[ID]*Definition
	sorted      []*Definition
	// aliases holds what each alias names, named is the same as a list, and names the first alias of each capability.
	aliases map[string]ID
	named   []Alias
	names   map[ID]string
}

// Definitions returns what the packs declare, sorted by ID, without what was removed. The slice is the caller's.
func (c *Catalog) Definitions() []*Definition { return slices.Clone(c.sorted) }

// Definition returns the definition of a capability, and whether there is one.
func (c *Catalog) Definition(id ID) (*Definition, bool) {
	def, found := c.definitions[id]
	return def, found
}

// Resolve returns the definition that a name stands for, and whether there is one. A name is an alias, letter for letter, or the text of
// an exact ID. Nothing stands for the latest major.
func (c *Catalog) Resolve(name string) (*Definition, bool) {
	if id, found := c.aliases[name]; found {
		return c.Definition(id)
	}
	id, err := ParseID(name)
	if err != nil {
		return nil, false
	}
	return c.Definition(id)
}

// Aliases returns the aliases, sorted by name. The slice is the caller's.
func (c *Catalog) Aliases() []Alias { return slices.Clone(c.named) }

// ToolName returns the first alias that the imports give a capability, and its declared tool name where they give it none; for an ID that
// is not in the catalog, the default. With runtime.WithToolNames it makes aliases the names that agents call; Compose saw to it that
// no two are the same.
func (c *Catalog) ToolName(id ID) string {
	if alias, found := c.names[id]; found {
		return alias
	}
	if def, found := c.Definition(id); found {
		return def.Tool
	}
	return ToolName(id)
}

// NewRegistry joins bindings to the catalog's definitions. It is as the function [NewRegistry], and its error names the bindings of
// what the catalog does not have too. Capabilities without a binding are allowed; [Catalog.Unbound] lists them.
func (c *Catalog) NewRegistry(parts ...Part) (*Registry, error) {
	r, err := join(parts)
	errs := []error{err}
	for _, def := range r.sorted {
		input := r.bindings[def.ID][0].input
		switch known, found := c.Definition(def.ID); {
		case !found:
			errs = append(errs, fmt.Errorf("%s, which %s declares, is not in the catalog: compose the pack of %s too, or do not bind it", def.ID, input, input.PkgPath()))
		case known != def:
			errs = append(errs, fmt.Errorf("%s is bound as %s of %s declares it, and the catalog has it from another declaration: bind the handler of the pack's own struct",
				def.ID, input, input.PkgPath()))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return r, nil
}

// Unbound returns the definitions for which a registry has no binding, sorted by ID.
func (c *Catalog) Unbound(r *Registry) []*Definition {
	var unbound []*Definition
	for _, def := range c.sorted {
		if _, bound := r.Definition(def.ID); !bound {
			unbound = append(unbound, def)
		}
	}
	return unbound
}
