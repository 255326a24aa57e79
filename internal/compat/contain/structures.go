package contain

import (
	"maps"
	"slices"

	"github.com/capgen/capgen/internal/compat/schema"
)

func (c *checker) checkArrays(p place) {
	if p.sub.Types&p.sup.Types&schema.Array == 0 {
		return
	}
	least, most := p.sub.Count("minItems", 0), p.sub.Count("maxItems", -1)
	if limit := p.sup.Count("minItems", 0); least < limit {
		c.add(p, "minItems", "", c.arraysOf(p.sub, least, limit-1)...)
	}
	if limit := p.sup.Count("maxItems", -1); limit >= 0 && (most < 0 || most > limit) {
		c.add(p, "maxItems", "", c.arraysOf(p.sub, limit+1, max(limit+1, least))...)
	}
	if p.sup.Plain["uniqueItems"] == true && p.sub.Plain["uniqueItems"] != true && (most < 0 || most > 1) {
		var values []any
		if list, ok := c.sampler.array(p.sub, max(least, 2)); ok {
			values = append(values, list)
		}
		c.add(p, "uniqueItems", "", values...)
	}
	if p.sup.Items == nil || most == 0 {
		return
	}
	below := p
	below.sub, below.sup, below.names, below.depth, below.above = p.sub.Elements(), p.sup.Items, false, p.depth+1, &p
	below.embed = func(part any) (any, bool) { return c.arrayWith(p.sub, part, least) }
	c.check(below)
}

// arraysOf returns arrays of some lengths.
func (c *checker) arraysOf(n *schema.Node, counts ...int) []any {
	var values []any
	for _, count := range counts {
		if list, ok := c.sampler.array(n, count); ok {
			values = append(values, list)
		}
	}
	return values
}

// arrayWith returns an array that begins with an element.
func (c *checker) arrayWith(n *schema.Node, first any, least int) (any, bool) {
	rest, ok := c.sampler.array(n, max(least, 1))
	if !ok {
		return []any{first}, least <= 1
	}
	rest.([]any)[0] = first
	return rest, true
}

func (c *checker) checkObjects(p place) {
	if p.sub.Types&p.sup.Types&schema.Object == 0 {
		return
	}
	c.checkMemberCounts(p)
	for _, name := range slices.Sorted(maps.Keys(p.sup.Required)) {
		if !p.sub.Required[name] {
			c.add(p, "required", name, c.objects(p.sub, nil, name)...)
		}
	}
	for _, name := range p.sup.Order {
		c.checkProperty(p, name)
	}
	c.checkOthers(p)
	c.checkNames(p)
}

// objects returns an object with some members and without another, if there can be one.
func (c *checker) objects(n *schema.Node, with map[string]any, without string) []any {
	if value, ok := c.sampler.object(n, with, without); ok {
		return []any{value}
	}
	return nil
}

func (c *checker) checkMemberCounts(p place) {
	least := max(p.sub.Count("minProperties", 0), len(p.sub.Required))
	if limit := p.sup.Count("minProperties", 0); least < limit {
		c.add(p, "minProperties", "", c.objects(p.sub, nil, "")...)
	}
	limit, most := p.sup.Count("maxProperties", -1), p.sub.Count("maxProperties", -1)
	if p.sub.Rest() == nil && (most < 0 || most > len(p.sub.Order)) {
		most = len(p.sub.Order)
	}
	if limit >= 0 && (most < 0 || most > limit) {
		var values []any
		if value, ok := c.sampler.object(p.sub, nil, ""); ok && c.sampler.fill(p.sub, value, limit+1, "") {
			values = append(values, value)
		}
		c.add(p, "maxProperties", "", values...)
	}
}

// checkProperty compares what a member of a name can be.
func (c *checker) checkProperty(p place, name string) {
	sup := p.sup.Properties[name]
	if sub := p.sub.Properties[name]; sub != nil {
		below := p
		below.sub, below.sup, below.names, below.depth, below.above = sub, sup, false, p.depth+1, &p
		below.embed = func(part any) (any, bool) { return c.sampler.object(p.sub, map[string]any{name: part}, "") }
		c.check(below)
		return
	}
	sub := p.sub.Property(name)
	if sub == nil {
		return // there is never one
	}
	c.tryMember(p, sub, sup, "properties", name, name)
}

// checkOthers compares the members that the greater schema does not name.
func (c *checker) checkOthers(p place) {
	if p.sup.Additional == nil {
		return
	}
	for _, name := range p.sub.Order {
		if p.sup.Properties[name] == nil && p.sub.Property(name).Normal().Types != 0 {
			c.tryMember(p, p.sub.Properties[name], p.sup.Additional, "additionalProperties", name, name)
		}
	}
	rest := p.sub.Rest()
	if rest == nil {
		return
	}
	name := ""
	for _, other := range otherNames(p.sub, len(p.sup.Order)+1) {
		if p.sup.Properties[other] == nil {
			name = other
			break
		}
	}
	below := p
	below.sub, below.sup, below.names, below.depth, below.above = rest, p.sup.Additional, false, p.depth+1, &p
	below.embed = func(part any) (any, bool) { return c.sampler.object(p.sub, map[string]any{name: part}, "") }
	if p.sup.Additional.Normal().Types == 0 {
		// That there may be members at all is said by the object, and not by the schema of members.
		c.tryMember(p, rest, p.sup.Additional, "additionalProperties", "", name)
		return
	}
	c.check(below)
}

// tryMember compares the schemas of a member that stand in different places; name is one that it can have.
func (c *checker) tryMember(p place, sub, sup *schema.Node, keyword, property, name string) {
	answer, part := c.try(sub, sup, false)
	switch answer {
	case Yes:
	case No:
		c.add(p, keyword, property, c.objects(p.sub, map[string]any{name: part}, "")...)
	default:
		c.add(p, keyword, property)
	}
}

// checkNames compares what names members can have.
func (c *checker) checkNames(p place) {
	if p.sup.Names == nil {
		return
	}
	for _, name := range p.sub.Order {
		if sub := p.sub.Property(name); sub != nil && sub.Normal().Types != 0 && !p.sup.Names.Accepts(name) {
			var values []any
			if part, ok := c.sampler.sample(sub); ok {
				values = c.objects(p.sub, map[string]any{name: part}, "")
			}
			c.add(p, "propertyNames", name, values...)
		}
	}
	rest := p.sub.Rest()
	if rest == nil {
		return
	}
	names := p.sub.Names
	if names == nil {
		names = schema.Text(p.sub.Pointer + "/propertyNames")
	}
	below := p
	below.sub, below.sup, below.names, below.depth, below.above = names, p.sup.Names, true, p.depth+1, &p
	below.embed = func(part any) (any, bool) {
		value, ok := c.sampler.sample(rest)
		if !ok {
			return nil, false
		}
		return c.sampler.object(p.sub, map[string]any{part.(string): value}, "")
	}
	c.check(below)
}
