package contain

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/capgen/capgen/internal/compat/schema"
)

// sampler finds values that schemas allow. A value of a schema need never be within another one of it, so that what refers to itself ends.
type sampler struct {
	known map[*schema.Node]any
	busy  map[*schema.Node]bool
	// steps bounds how many schemas are asked.
	steps int
}

// maxSampled is how many schemas are asked for values in one comparison.
const maxSampled = 100_000

func newSampler() *sampler {
	return &sampler{known: map[*schema.Node]any{}, busy: map[*schema.Node]bool{}, steps: maxSampled}
}

// maxSample is how many elements or members a sample has at most.
const maxSample = 1000

// kinds are the types a sample can be of, the plainest first.
var kinds = []schema.Types{schema.String, schema.Integer, schema.Fraction, schema.Boolean, schema.Object, schema.Array, schema.Null}

// sample returns a value that a schema allows, one that is not null if there is one; the result is false where none is found.
func (s *sampler) sample(n *schema.Node) (any, bool) {
	if value, known := s.known[n]; known {
		return value, true
	}
	if s.steps--; s.busy[n] || s.steps < 0 {
		return nil, false
	}
	s.busy[n] = true
	defer delete(s.busy, n)
	for _, kind := range kinds {
		for _, value := range s.candidates(n, kind) {
			if n.Accepts(value) {
				s.known[n] = value
				return value, true
			}
		}
	}
	return nil, false
}

// candidates returns values of one type that a schema may allow.
func (s *sampler) candidates(n *schema.Node, kind schema.Types) []any {
	n = n.Normal()
	if n.Enum != nil {
		return slices.DeleteFunc(slices.Clone(n.Enum), func(v any) bool { return !isOf(v, kind) })
	}
	var list []any
	for _, branch := range n.OneOf {
		if value, ok := s.sample(branch); ok && isOf(value, kind) {
			list = append(list, value)
		}
	}
	if n.Types&kind == 0 && !(kind == schema.Null && n.Nullable) {
		return list
	}
	switch kind {
	case schema.Null:
		return append(list, nil)
	case schema.Boolean:
		return append(list, false, true)
	case schema.String:
		for _, word := range languageOf(n).words(2) {
			list = append(list, word)
		}
		if word, found := languageOf(n).outside(language{most: -1, patterned: true, pattern: `[^\s\S]`}); found == No {
			list = append(list, word)
		}
	case schema.Integer, schema.Fraction:
		list = append(list, sampleNumbers(n, kind)...)
	case schema.Array:
		if value, ok := s.array(n, n.Count("minItems", 0)); ok {
			list = append(list, value)
		}
	case schema.Object:
		if value, ok := s.object(n, nil, ""); ok {
			list = append(list, value)
		}
	}
	return list
}

func isOf(value any, kind schema.Types) bool {
	switch value.(type) {
	case nil:
		return kind == schema.Null
	case bool:
		return kind == schema.Boolean
	case string:
		return kind == schema.String
	case json.Number:
		return kind&schema.Number != 0
	case []any:
		return kind == schema.Array
	}
	return kind == schema.Object
}

func sampleNumbers(n *schema.Node, kind schema.Types) []any {
	i := intervalOf(n)
	if kind == schema.Integer {
		i.step = common(i.step, one)
	}
	value := i.pick()
	if kind == schema.Fraction {
		value = i.notMultiple(one)
	}
	if text, ok := number(value); ok {
		return []any{text}
	}
	return nil
}

// array returns an array of a number of elements. Elements that must differ do so if they are names or numbers.
func (s *sampler) array(n *schema.Node, count int) (any, bool) {
	if count > maxSample {
		return nil, false
	}
	elements := n.Elements()
	list := make([]any, count)
	for i := range list {
		value, ok := s.sample(elements)
		if !ok {
			return nil, false
		}
		list[i] = value
	}
	if n.Plain["uniqueItems"] == true && count > 1 {
		differing := different(elements.Normal(), count)
		if len(differing) < count {
			return nil, false
		}
		copy(list, differing)
	}
	return list, true
}

// different returns up to count values of a schema that differ.
func different(n *schema.Node, count int) []any {
	var list []any
	if n.Enum != nil {
		list = slices.DeleteFunc(slices.Clone(n.Enum), func(v any) bool { return !n.Accepts(v) })
	} else if n.Types&schema.String != 0 {
		for _, word := range languageOf(n).words(count) {
			list = append(list, word)
		}
	} else if n.Types&schema.Number != 0 {
		i := intervalOf(n)
		for range count {
			next := i.pick()
			text, ok := number(next)
			if !ok {
				break
			}
			list = append(list, text)
			if i.low != nil || i.high == nil {
				i.atLeast(next, true)
			} else {
				i.atMost(next, true)
			}
		}
	}
	return list[:min(len(list), count)]
}

// object returns an object that has what is required, as many members as there must be, and those that are given; without is one that it
// shall lack.
func (s *sampler) object(n *schema.Node, with map[string]any, without string) (map[string]any, bool) {
	object := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(n.Required)) {
		if _, given := with[name]; given || name == without {
			continue
		}
		property := n.Property(name)
		if property == nil {
			return nil, false
		}
		value, ok := s.sample(property)
		if !ok {
			return nil, false
		}
		object[name] = value
	}
	maps.Copy(object, with)
	return object, s.fill(n, object, n.Count("minProperties", 0), without)
}

// fill adds members to an object until there are enough: those that the schema names, then others.
func (s *sampler) fill(n *schema.Node, object map[string]any, count int, without string) bool {
	if count > maxSample {
		return false
	}
	for _, name := range slices.Concat(n.Order, otherNames(n, count)) {
		if len(object) >= count {
			return true
		}
		if _, there := object[name]; there || name == without {
			continue
		}
		if property := n.Property(name); property != nil {
			if value, ok := s.sample(property); ok {
				object[name] = value
			}
		}
	}
	return len(object) >= count
}

// otherNames returns names of members that a schema does not name and may allow.
func otherNames(n *schema.Node, count int) []string {
	var names []string
	if n.Names == nil {
		for i := range count + len(n.Order) {
			names = append(names, fmt.Sprintf("x%d", i+1))
		}
	} else if restricted := n.Names.OnlyText(); restricted.Enum != nil {
		for _, value := range restricted.Enum {
			names = append(names, value.(string))
		}
	} else {
		names = languageOf(restricted).words(count + len(n.Order))
	}
	return slices.DeleteFunc(names, func(name string) bool { return n.Properties[name] != nil })
}
