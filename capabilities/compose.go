package capabilities

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Compose joins packs into a catalog. Packs bring contracts only; [Catalog.NewRegistry] joins handlers to them.
//
// The error names every contradiction at once, with both of its sources: a namespace that two packs own, an ID or a tool name that
// occurs twice, an alias that is taken, is of no exact ID of its pack, or is of a capability that was removed. An import is named by
// its position, its package and its namespace.
func Compose(imports ...Import) (*Catalog, error) {
	c := &composer{
		catalog: &Catalog{definitions: map[ID]*Definition{}, aliases: map[string]ID{}, names: map[ID]string{}},
		owners:  map[string]*source{}, declared: map[ID]member{}, names: map[string]claim{},
	}
	sources := make([]*source, len(imports))
	for i, imported := range imports {
		sources[i] = &source{imported, i + 1}
		c.add(sources[i])
	}
	// Aliases come last, since a tool name of any pack stands against them.
	for _, s := range sources {
		c.addAliases(s)
	}
	if err := errors.Join(c.errs...); err != nil {
		return nil, err
	}
	slices.SortFunc(c.catalog.sorted, func(a, b *Definition) int { return strings.Compare(a.ID.String(), b.ID.String()) })
	slices.SortFunc(c.catalog.named, func(a, b Alias) int { return strings.Compare(a.Name, b.Name) })
	return c.catalog, nil
}

// composer is what Compose knows half-way.
type composer struct {
	catalog *Catalog
	// owners holds the import that owns each namespace.
	owners map[string]*source
	// declared holds every contract, those of what is removed too.
	declared map[ID]member
	// names holds who has each tool name or alias, by its folded form.
	names map[string]claim
	errs  []error
}

func (c *composer) refuse(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

// add adds the contracts of an import.
func (c *composer) add(s *source) {
	if owner, owned := c.owners[s.pack.namespace]; owned && s.pack.path != "" {
		if owner.same(s) {
			c.refuse("%s and %s are the same pack: keep one, with the aliases of both", owner, s)
			return
		}
		c.refuse("%s and %s both own the namespace %s: move one of the packs to a namespace of its own", owner, s, s.pack.namespace)
	}
	members, err := s.members()
	c.errs = append(c.errs, err)
	for _, m := range members {
		if other, twice := c.declared[m.ID]; twice {
			c.refuse("%s is declared twice, by %s and by %s: give one of them another name or major", m.ID, other.by, s)
			continue
		}
		c.declared[m.ID] = m
		c.claim(claim{name: m.Tool, id: m.ID, by: s})
		if m.removed == "" {
			c.catalog.definitions[m.ID] = m.Definition
			c.catalog.sorted = append(c.catalog.sorted, m.Definition)
		}
	}
	if _, owned := c.owners[s.pack.namespace]; !owned {
		c.owners[s.pack.namespace] = s
	}
}

// addAliases adds the aliases that an import declares.
func (c *composer) addAliases(s *source) {
	if s.explicit && len(s.aliases) == 0 {
		c.refuse("%s: WithAliases names no alias: write WithoutAliases", s)
	}
	for _, alias := range s.aliases {
		id, err := c.target(s, alias)
		if err != nil {
			c.errs = append(c.errs, fmt.Errorf("%s: the alias %q %w", s, alias.Name, err))
			continue
		}
		if !c.claim(claim{name: alias.Name, id: id, by: s, alias: true}) {
			continue
		}
		c.catalog.aliases[alias.Name] = id
		c.catalog.named = append(c.catalog.named, alias)
		if _, named := c.catalog.names[id]; !named {
			c.catalog.names[id] = alias.Name
		}
	}
}

// target returns what an alias names. The error goes on from the alias.
func (c *composer) target(s *source, alias Alias) (ID, error) {
	id, err := ParseID(alias.ID)
	if err != nil {
		return ID{}, fmt.Errorf("does not name one exact ID: %w", err)
	}
	m, declared := c.declared[id]
	switch {
	case declared && !m.by.same(s):
		return ID{}, fmt.Errorf("names %s, which is of %s: declare it there", id, m.by)
	case declared && m.removed != "":
		return ID{}, fmt.Errorf("names %s, which was removed: %s", id, m.removed)
	case declared:
		return id, nil
	}
	members, _ := s.members()
	if others := majors(members, id); others != "" {
		return ID{}, fmt.Errorf("names %s, which the pack does not have: name %s", id, others)
	}
	return ID{}, fmt.Errorf("names %s, which the pack does not have: name a capability that it declares", id)
}

// claim is a name by which a tool may be called.
type claim struct {
	name  string
	alias bool
	id    ID
	by    *source
}

func (c claim) String() string {
	what := "tool name"
	if c.alias {
		what = "alias"
	}
	return fmt.Sprintf("the %s %q of %s, by %s", what, c.name, c.id, c.by)
}

// claim takes a name, and reports whether it could. An alias may be its own capability's tool name, which it keeps for it.
func (c *composer) claim(claimed claim) bool {
	if err := CheckToolName(claimed.name); err != nil {
		c.refuse("%s: %w", claimed, err)
		return false
	}
	folded := FoldToolName(claimed.name)
	other, taken := c.names[folded]
	switch {
	case !taken:
		c.names[folded] = claimed
		return true
	case claimed.alias && !other.alias && claimed.id == other.id:
		return true
	case claimed.alias:
		c.refuse("%s, and %s, cannot be told apart by some clients: rename the alias", other, claimed)
	default:
		c.refuse("%s, and %s, cannot be told apart by some clients: give one another name with tool=", other, claimed)
	}
	return false
}
