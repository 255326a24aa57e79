package schema

import (
	"encoding/json"
	"math/big"
	"slices"
)

// Equal reports whether two values are the same to JSON Schema: 1 and 1.0 are.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		other, ok := b.(json.Number)
		if !ok {
			return false
		}
		x, ok1 := new(big.Rat).SetString(a.String())
		y, ok2 := new(big.Rat).SetString(other.String())
		return ok1 && ok2 && x.Cmp(y) == 0
	case []any:
		other, ok := b.([]any)
		return ok && slices.EqualFunc(a, other, Equal)
	case map[string]any:
		other, ok := b.(map[string]any)
		if !ok || len(a) != len(other) {
			return false
		}
		for name, value := range a {
			if counterpart, there := other[name]; !there || !Equal(value, counterpart) {
				return false
			}
		}
		return true
	}
	return a == b
}

// Same reports whether two schemas say the same, but for what only describes. It follows references, so that a definition that has moved is
// the same, and is sure of what it says: schemas that differ in form only may be told apart.
func Same(a, b *Node) bool {
	return (&sameness{seen: map[[2]string]bool{}}).schemas(a.doc, b.doc, a.raw, b.raw)
}

// SameKeyword reports whether a keyword that is not understood says the same in two schemas.
func SameKeyword(a, b *Node, keyword string) bool {
	x, there := a.Opaque[keyword]
	y, too := b.Opaque[keyword]
	return there && too && (&sameness{seen: map[[2]string]bool{}}).keyword(a.doc, b.doc, keyword, x, y)
}

// sameness compares; seen are the pairs of references that are being compared, or have been.
type sameness struct {
	seen map[[2]string]bool
}

func (s *sameness) schemas(da, db *Document, a, b any) bool {
	x, isObject := a.(map[string]any)
	y, both := b.(map[string]any)
	if !isObject || !both {
		return Equal(a, b)
	}
	for name, value := range x {
		other, there := y[name]
		if !silent[name] && (!there || !s.keyword(da, db, name, value, other)) {
			return false
		}
	}
	for name := range y {
		if _, there := x[name]; !silent[name] && !there {
			return false
		}
	}
	return true
}

// keyword compares the values of one keyword, each as what it is.
func (s *sameness) keyword(da, db *Document, name string, a, b any) bool {
	switch name {
	case "$ref":
		return s.references(da, db, a, b)
	case "required", "enum", "type":
		return sameSet(a, b)
	case "properties", "patternProperties", "dependentSchemas":
		return s.members(da, db, a, b)
	case "allOf", "anyOf", "oneOf", "prefixItems":
		x, _ := a.([]any)
		y, _ := b.([]any)
		return slices.EqualFunc(x, y, func(v, w any) bool { return s.schemas(da, db, v, w) })
	case "items", "additionalProperties", "propertyNames", "not", "if", "then", "else", "contains", "unevaluatedItems", "unevaluatedProperties",
		"contentSchema":
		return s.schemas(da, db, a, b)
	}
	return Equal(a, b)
}

func (s *sameness) references(da, db *Document, a, b any) bool {
	x, _ := a.(string)
	y, _ := b.(string)
	target, counterpart := da.Root().target(x), db.Root().target(y)
	if target == nil || counterpart == nil {
		return false // what is elsewhere may have changed
	}
	pair := [2]string{x, y}
	if s.seen[pair] {
		return true
	}
	s.seen[pair] = true
	return s.schemas(da, db, target.raw, counterpart.raw)
}

func (s *sameness) members(da, db *Document, a, b any) bool {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	if len(x) != len(y) {
		return false
	}
	for name, value := range x {
		if other, there := y[name]; !there || !s.schemas(da, db, value, other) {
			return false
		}
	}
	return true
}

// sameSet compares lists whose order says nothing, or single values.
func sameSet(a, b any) bool {
	x, isList := a.([]any)
	y, both := b.([]any)
	if !isList || !both {
		return Equal(a, b)
	}
	holds := func(list []any, value any) bool {
		return slices.ContainsFunc(list, func(other any) bool { return Equal(value, other) })
	}
	return len(x) == len(y) && !slices.ContainsFunc(x, func(v any) bool { return !holds(y, v) })
}
