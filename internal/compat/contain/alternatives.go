package contain

import (
	"maps"
	"slices"
	"strings"

	"github.com/capgen/capgen/internal/compat/schema"
)

// checkAlternatives compares schemas of which one has alternatives. It reports whether that was all there was to compare.
func (c *checker) checkAlternatives(p place) bool {
	switch {
	case p.sup.OneOf == nil && p.sub.OneOf == nil:
		return false
	case p.sup.OneOf == nil:
		return c.checkEach(p)
	}
	member, branches := schema.Discriminated(p.sup)
	if member == "" || p.sub.OneOf == nil {
		if !schema.Same(p.sub, p.sup) {
			c.add(p, "oneOf", "", c.samples(p.sub)...)
		}
		return false // and what is said beside them
	}
	for _, branch := range p.sub.OneOf {
		value, ok := branch.Constant(member)
		if !ok {
			c.add(p, "oneOf", "")
			continue
		}
		below := p
		if below.sup = branches[value]; below.sup == nil {
			c.add(p, "oneOf", value, c.sampler.candidates(branch, schema.Object)...)
			continue
		}
		below.sub, below.above = branch, &p
		below.embed = func(part any) (any, bool) { return part, true }
		c.check(below)
	}
	return false
}

// checkEach compares each alternative of the lesser schema, which is enough where nothing is said beside them.
func (c *checker) checkEach(p place) bool {
	for _, branch := range p.sub.OneOf {
		if answer, _ := c.try(branch, p.sup, false); answer != Yes {
			return false // what stands beside the alternatives may do
		}
	}
	return true
}

func (c *checker) samples(n *schema.Node) []any {
	var values []any
	for _, kind := range kinds {
		if kind != schema.Null {
			values = append(values, c.sampler.candidates(n, kind)...)
		}
	}
	return values
}

// whole are keywords whose meaning depends on all that is beside them.
var whole = []string{"unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$recursiveRef"}

// companions are keywords that say something together.
var companions = map[string][]string{
	"if": {"then", "else"}, "then": {"if"}, "else": {"if"},
	"contains": {"minContains", "maxContains"}, "minContains": {"contains"}, "maxContains": {"contains"},
}

// checkOpaque adds a doubt for each keyword of the greater schema that is not understood, unless the lesser one says the same.
func (c *checker) checkOpaque(p place) {
	if len(p.sup.Opaque) == 0 || schema.Same(p.sub, p.sup) {
		return
	}
	for _, keyword := range slices.Sorted(maps.Keys(p.sup.Opaque)) {
		if strings.HasPrefix(keyword, "$") && keyword != "$ref" && !slices.Contains(whole, keyword) {
			continue // a name
		}
		same := !slices.Contains(whole, keyword) && schema.SameKeyword(p.sub, p.sup, keyword)
		for _, companion := range companions[keyword] {
			_, there := p.sub.Opaque[companion]
			_, too := p.sup.Opaque[companion]
			same = same && (there || too == there) && (!there && !too || schema.SameKeyword(p.sub, p.sup, companion))
		}
		if !same {
			c.add(p, keyword, "", c.samples(p.sub)...)
		}
	}
}
