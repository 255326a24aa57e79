package capabilities

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Import is a [Pack] and what it is allowed to bring along: [Pack.WithoutAliases] or [Pack.WithAliases] says so, and there is no default.
type Import struct {
	pack    Pack
	aliases []Alias
	// explicit says that there is a list of aliases, which then must not be empty.
	explicit bool
}

// Alias is a further name of one capability. It stays with the major that it names: when a newer one comes, nothing changes for those
// who use the alias.
type Alias struct {
	// Name has the form of a tool name, so that tools can be called by it: a letter, then at most 63 letters, digits, "_" and "-".
	Name string
	// ID is the exact ID, such as "example.catalog:album.lookup@1". It is of the pack that is imported.
	ID string
}

// WithoutAliases imports a pack whose capabilities are known by their IDs alone.
func (p Pack) WithoutAliases() Import { return Import{pack: p} }

// WithAliases imports a pack and gives some of its capabilities further names, at least one.
func (p Pack) WithAliases(aliases ...Alias) Import {
	return Import{pack: p, aliases: slices.Clone(aliases), explicit: true}
}

// source is an import with its place among all, from 1.
type source struct {
	Import
	position int
}

// String names an import in errors: import 1 (example.com/albums, namespace example.catalog).
func (s *source) String() string {
	if s.pack.path == "" {
		return fmt.Sprintf("import %d", s.position)
	}
	return fmt.Sprintf("import %d (%s, namespace %s)", s.position, s.pack.path, s.pack.namespace)
}

// same reports whether two imports are of the same pack.
func (s *source) same(other *source) bool {
	return s.pack.path == other.pack.path && s.pack.namespace == other.pack.namespace
}

// member is a contract that was read.
type member struct {
	*Definition
	// removed says what to use instead of one that is gone.
	removed string
	by      *source
}

// members reads the contracts of an import. One that cannot be read, or is of somebody else's namespace, is in the error and not
// among them.
func (s *source) members() (members []member, err error) {
	if len(s.pack.contracts) == 0 {
		return nil, fmt.Errorf("%s has no contracts: import what a generated Pack or capabilities.NewPack returns", s)
	}
	var errs []error
	if err := CheckNamespace(s.pack.namespace); err != nil {
		errs = append(errs, fmt.Errorf("%s: %w", s, err))
	}
	for _, c := range s.pack.contracts {
		if c == nil {
			errs = append(errs, fmt.Errorf("%s: a contract is nil: give capabilities.NewPack what the Capability methods return", s))
			continue
		}
		def, removed, err := c.contract()
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", s, err))
		case def.ID.Namespace != s.pack.namespace:
			errs = append(errs, fmt.Errorf("%s: %s is not in the namespace of the pack: move it to a pack of its own namespace", s, def.ID))
		default:
			members = append(members, member{def, removed, s})
		}
	}
	return members, errors.Join(errs...)
}

// majors lists the capabilities of an import that differ from an ID in their major alone, for a remedy; all else is too much for a line.
func majors(members []member, id ID) string {
	var ids []string
	for _, m := range members {
		if m.removed == "" && m.ID.Namespace == id.Namespace && m.ID.Name == id.Name {
			ids = append(ids, m.ID.String())
		}
	}
	return strings.Join(ids, " or ")
}
