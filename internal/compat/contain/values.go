package contain

import (
	"math/big"

	"github.com/capgen/capgen/internal/compat/schema"
)

// checkValues looks at every value there is.
func (c *checker) checkValues(p place, values []any) {
	reported := map[string]bool{}
	for _, value := range values {
		if !p.sub.Accepts(value) {
			continue
		}
		if keyword := p.sup.Refusal(value); keyword != "" && !reported[keyword] {
			reported[keyword] = true
			if keyword == "const" {
				keyword = "enum"
			}
			c.show(p, keyword, "", value)
		}
	}
}

// checkTypes holds the types of values against those that are allowed. Null is looked at elsewhere, and a number that must be whole may be so
// without the type that says it.
func (c *checker) checkTypes(p place) {
	lost := p.sub.Types &^ p.sup.Types &^ schema.Null
	if lost == schema.Fraction && p.sup.Types&schema.Integer != 0 {
		numbers := intervalOf(p.sub)
		value := numbers.notMultiple(one)
		if value == nil {
			return
		}
		if text, ok := number(value); ok {
			c.add(p, "type", "", text)
			return
		}
	}
	if lost == 0 {
		return
	}
	var values []any
	for _, kind := range kinds {
		if lost&kind != 0 && kind != schema.Null {
			values = append(values, c.sampler.candidates(p.sub, kind)...)
		}
	}
	c.add(p, "type", "", values...)
}

// checkEnum looks for a value that is not among those of an enum. That there is none is seen only of whole numbers between two ends: others
// are endless, or cannot be told to be few.
func (c *checker) checkEnum(p place) {
	if p.sup.Enum == nil {
		return
	}
	var values []any
	if p.sub.Types&^schema.Null == schema.Integer {
		if all, few := wholeNumbers(p.sub); few {
			c.checkValues(p, all)
			return
		}
	}
	if p.sub.Types&schema.String != 0 {
		for _, word := range languageOf(p.sub).words(len(p.sup.Enum) + 1) {
			values = append(values, word)
		}
	}
	if p.sub.Types&schema.Number != 0 {
		values = append(values, different(p.sub, len(p.sup.Enum)+1)...)
	}
	for _, kind := range kinds {
		values = append(values, c.sampler.candidates(p.sub, kind)...)
	}
	c.add(p, "enum", "", values...)
}

// maxNumbers is how many whole numbers are looked at one by one.
const maxNumbers = 500

func wholeNumbers(n *schema.Node) (all []any, few bool) {
	i := intervalOf(n)
	if i.low == nil || i.high == nil {
		return nil, false
	}
	for len(all) < maxNumbers {
		next := i.pick()
		if next == nil {
			return all, true
		}
		text, _ := number(next)
		all = append(all, text)
		i.atLeast(next, true)
	}
	return nil, false
}

// textKeywords are those that limit strings.
var textKeywords = []string{"minLength", "maxLength", "pattern"}

func (c *checker) checkTexts(p place) {
	if p.sub.Types&p.sup.Types&schema.String == 0 {
		return
	}
	sub, sup := languageOf(p.sub), languageOf(p.sup)
	for _, keyword := range textKeywords {
		if _, said := p.sup.Plain[keyword]; !said || sub.keeps(keyword, p) {
			continue
		}
		switch word, answer := sub.outside(sup.only(keyword)); answer {
		case No:
			c.add(p, keyword, "", word)
		case Unknown:
			c.add(p, keyword, "")
		}
	}
}

// keeps reports whether what one keyword says is said by the same keyword of the lesser schema already, which is quicker to see.
func (l language) keeps(keyword string, p place) bool {
	own, said := p.sub.Plain[keyword]
	if !said {
		return false
	}
	switch other := languageOf(p.sup); keyword {
	case "minLength":
		return l.least >= other.least
	case "maxLength":
		return l.most >= 0 && l.most <= other.most
	}
	return schema.Equal(own, p.sup.Plain[keyword])
}

func (c *checker) checkNumbers(p place) {
	if p.sub.Types&p.sup.Types&schema.Number == 0 {
		return
	}
	numbers := intervalOf(p.sub)
	for keyword, find := range map[string]func(*big.Rat) *big.Rat{
		"minimum":          func(n *big.Rat) *big.Rat { return numbers.below(n, false) },
		"exclusiveMinimum": func(n *big.Rat) *big.Rat { return numbers.below(n, true) },
		"maximum":          func(n *big.Rat) *big.Rat { return numbers.above(n, false) },
		"exclusiveMaximum": func(n *big.Rat) *big.Rat { return numbers.above(n, true) },
		"multipleOf":       numbers.notMultiple,
	} {
		limit := p.sup.Rational(keyword)
		if limit == nil {
			continue
		}
		if value := find(limit); value != nil {
			text, _ := number(value)
			c.add(p, keyword, "", text)
		}
	}
}
