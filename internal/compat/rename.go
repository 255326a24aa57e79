package compat

import (
	"slices"
	"strings"

	"github.com/capgen/capgen/internal/compat/schema"
)

// renames finds members that are gone and have probably come back under another name: their schemas are the same, and their names or their
// descriptions are alike, or no other is in question.
func renames(s side, gone, came []string) map[string]string {
	found, taken := map[string]string{}, map[string]bool{}
	match := func(alike func(old, name string) bool) {
		for _, old := range gone {
			i := slices.IndexFunc(came, func(name string) bool {
				return !taken[name] && schema.Same(s.before.Properties[old], s.after.Properties[name]) && alike(old, name)
			})
			if found[old] == "" && i >= 0 {
				found[old], taken[came[i]] = came[i], true
			}
		}
	}
	match(func(old, name string) bool { return folded(old) == folded(name) })
	match(func(old, name string) bool {
		description := describe(s.before.Properties[old])
		return description != "" && description == describe(s.after.Properties[name])
	})
	match(alike)
	if len(gone) == 1 && len(came) == 1 {
		match(func(string, string) bool { return true })
	}
	return found
}

// folded is a name as in whatever way it is written: albumId, album_id and album-ID are the same.
func folded(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(name))
}

// describe returns a schema's own description, "" for none.
func describe(n *schema.Node) string {
	members, _ := n.Raw().(map[string]any)
	description, _ := members["description"].(string)
	return description
}

// alike reports whether one name holds the other, or has at most a third of its letters changed at one end or in one place.
func alike(old, name string) bool {
	a, b := folded(old), folded(name)
	if strings.Contains(a, b) || strings.Contains(b, a) {
		return true
	}
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return 3*(max(len(a), len(b))-head-tail) <= max(len(a), len(b))
}
