package compat

import (
	"slices"
	"strings"

	"github.com/capgen/capgen/internal/compat/schema"
)

// nullability judges whether null is allowed.
func (w *walk) nullability(s side) {
	before, after := s.before.Accepts(nil), s.after.Accepts(nil)
	if before == after || s.before.Types&^schema.Null == schema.All&^schema.Null || s.after.Types&^schema.Null == schema.All&^schema.Null {
		return // a value of any type is told as such
	}
	w.add(Nullability, s.after.Pointer, before, after, w.judge(s, "null", ""))
}

// typeNames are in the order in which findings name them.
var typeNames = []struct {
	types schema.Types
	name  string
}{
	{schema.Boolean, "boolean"}, {schema.Object, "object"}, {schema.Array, "array"}, {schema.String, "string"}, {schema.Number, "number"}, {schema.Integer, "integer"},
}

// namesOf returns the types of a schema other than null, as a value that reads like the keyword.
func namesOf(types schema.Types) any {
	switch types |= schema.Null; types {
	case schema.All:
		return "any"
	case schema.Null:
		return "none"
	}
	var names []any
	for _, each := range typeNames {
		if types&each.types == each.types {
			types &^= each.types
			names = append(names, each.name)
		}
	}
	if len(names) == 1 {
		return names[0]
	}
	return names
}

// types judges the types of values, and reports whether there is one that both times have.
func (w *walk) types(s side) bool {
	before, after := s.before.Types&^schema.Null, s.after.Types&^schema.Null
	if before == after {
		return true
	}
	r := w.judge(s, "type", "").worse(w.judge(s, "null", ""))
	if before&after == 0 {
		r = r.worse(w.judge(s, "enum", ""))
	}
	w.add(Type, s.after.Place("type"), namesOf(before), namesOf(after), r)
	return before&after != 0
}

// limit is a keyword that bounds values of some types.
type limit struct {
	keyword string
	types   schema.Types
	change  Change
}

var limits = []limit{
	{"minLength", schema.String, Bounds}, {"maxLength", schema.String, Bounds}, {"pattern", schema.String, Pattern},
	{"minimum", schema.Number, Bounds}, {"maximum", schema.Number, Bounds},
	{"exclusiveMinimum", schema.Number, Bounds}, {"exclusiveMaximum", schema.Number, Bounds}, {"multipleOf", schema.Number, Bounds},
	{"minItems", schema.Array, Bounds}, {"maxItems", schema.Array, Bounds}, {"uniqueItems", schema.Array, Bounds},
	{"minProperties", schema.Object, Bounds}, {"maxProperties", schema.Object, Bounds},
}

// limits judges what bounds values.
func (w *walk) limits(s side) {
	if before, after := s.before.Enum, s.after.Enum; !sameValues(before, after) {
		w.add(Enum, s.after.Place("enum"), listOf(before), listOf(after), w.judge(s, "enum", ""))
	}
	for _, l := range limits {
		before, after := s.before.Plain[l.keyword], s.after.Plain[l.keyword]
		if schema.Equal(before, after) || s.before.Types&s.after.Types&l.types == 0 {
			continue
		}
		w.add(l.change, s.after.Place(l.keyword), before, after, w.judge(s, l.keyword, ""))
	}
}

func listOf(values []any) any {
	if values == nil {
		return nil
	}
	return values
}

// sameValues compares what two enums allow, null aside, whose own change is told.
func sameValues(a, b []any) bool {
	within := func(list, other []any) bool {
		return !slices.ContainsFunc(list, func(v any) bool {
			return v != nil && !slices.ContainsFunc(other, func(w any) bool { return schema.Equal(v, w) })
		})
	}
	return (a == nil) == (b == nil) && within(a, b) && within(b, a)
}

// opaque judges the keywords that are not understood, which are the same or not.
func (w *walk) opaque(s side) {
	names := map[string]bool{}
	for _, n := range []*schema.Node{s.before, s.after} {
		for name := range n.Opaque {
			names[name] = true
		}
	}
	for _, name := range sorted(names) {
		if schema.SameKeyword(s.before, s.after, name) || strings.HasPrefix(name, "$") && name != "$ref" {
			continue
		}
		w.add(Schema, s.after.Place(name), s.before.Opaque[name], s.after.Opaque[name], w.judge(s, name, ""))
	}
}

func sorted(names map[string]bool) []string {
	list := make([]string, 0, len(names))
	for name := range names {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}
