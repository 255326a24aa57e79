package reference

import "github.com/santhosh-tekuri/jsonschema/v5"

const (
	// maxCost and maxCostPerNode bound how often the validator may hold a part of a schema against a part of a value.
	maxCost        = 100_000
	maxCostPerNode = 100
)

// cost counts how often the validator would hold a part of a schema against a part of a value. A schema that refers to itself twice for one
// member is held against it twice as often with each level, so that thirty levels would never end. Counting that takes no longer than
// parts of the schema times parts of the value, since each pair is counted once and remembered.
type cost struct {
	known map[pair]int
	nodes int
	limit int
}

// node is a part of a value.
type node struct {
	id      int
	members map[string]*node
	items   []*node
}

type pair struct {
	schema *jsonschema.Schema
	id     int
}

// isTooCostly reports whether to check the value would take the validator longer than anybody may have it take.
func isTooCostly(schema *jsonschema.Schema, value any) bool {
	c := &cost{known: map[pair]int{}}
	root := c.number(value)
	c.limit = maxCost + maxCostPerNode*c.nodes
	return c.of(schema, root) > c.limit
}

// number gives each part of a value an identity.
func (c *cost) number(value any) *node {
	n := &node{id: c.nodes}
	c.nodes++
	switch v := value.(type) {
	case map[string]any:
		n.members = make(map[string]*node, len(v))
		for name, member := range v {
			n.members[name] = c.number(member)
		}
	case []any:
		for _, item := range v {
			n.items = append(n.items, c.number(item))
		}
	}
	return n
}

// of counts for one pair, and no further than just past the limit.
func (c *cost) of(schema *jsonschema.Schema, n *node) int {
	if schema == nil {
		return 0
	}
	key := pair{schema, n.id}
	if count, ok := c.known[key]; ok {
		return count
	}
	c.known[key] = 0 // a reference that leads back here without going deeper is refused by the validator
	count := 1
	add := func(sub *jsonschema.Schema, at *node) {
		if count <= c.limit {
			count += c.of(sub, at)
		}
	}
	for _, sub := range []*jsonschema.Schema{schema.Ref, schema.RecursiveRef, schema.DynamicRef, schema.Not, schema.If, schema.Then, schema.Else} {
		add(sub, n)
	}
	for _, list := range [][]*jsonschema.Schema{schema.AllOf, schema.AnyOf, schema.OneOf} {
		for _, sub := range list {
			add(sub, n)
		}
	}
	for _, sub := range schema.DependentSchemas {
		add(sub, n)
	}
	additional, _ := schema.AdditionalProperties.(*jsonschema.Schema)
	for name, member := range n.members {
		add(schema.Properties[name], member)
		for pattern, sub := range schema.PatternProperties {
			if pattern.MatchString(name) {
				add(sub, member)
			}
		}
		add(additional, member)
		add(schema.UnevaluatedProperties, member)
	}
	for i, item := range n.items {
		if i < len(schema.PrefixItems) {
			add(schema.PrefixItems[i], item)
		} else {
			add(schema.Items2020, item)
		}
		add(schema.Contains, item)
		add(schema.UnevaluatedItems, item)
	}
	c.known[key] = count
	return count
}
