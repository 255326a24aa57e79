package check

import (
	"math"
	"math/big"

	"github.com/capgen/capgen/gen/internal/model"
)

// bound is a pair of keywords that may leave nothing between them.
type bound struct {
	low, high string
	// exclusive says that equal ones leave nothing either.
	exclusive bool
}

var bounds = []bound{
	{low: "minLength", high: "maxLength"}, {low: "minItems", high: "maxItems"}, {low: "minProperties", high: "maxProperties"},
	{low: "minimum", high: "maximum"}, {low: "minimum", high: "exclusiveMaximum", exclusive: true},
	{low: "exclusiveMinimum", high: "maximum", exclusive: true}, {low: "exclusiveMinimum", high: "exclusiveMaximum", exclusive: true},
}

// checkBounds refuses bounds that no value can meet: among the keywords when there are no others, else between the two.
func (c *checker) checkBounds(keywords, others []model.Keyword) {
	for _, b := range bounds {
		low, high := find(keywords, b.low), find(keywords, b.high)
		if len(others) == 0 {
			c.checkBound(b, low, high, low)
			continue
		}
		c.checkBound(b, low, find(others, b.high), low)
		c.checkBound(b, find(others, b.low), high, high)
	}
}

func (c *checker) checkBound(b bound, low, high, at *model.Keyword) {
	if low == nil || high == nil {
		return
	}
	switch n := number(low.Text).Cmp(number(high.Text)); {
	case n > 0:
		c.report.Errorf(at.ValuePosition, "%s %s is more than %s %s: no value can meet both", low.Name, low.Text, high.Name, high.Text)
	case n == 0 && b.exclusive:
		c.report.Errorf(at.ValuePosition, "%s %s and %s %s leave no value between them", low.Name, low.Text, high.Name, high.Text)
	}
}

// checkRange refuses bounds outside what the Go type can hold.
func (c *checker) checkRange(keywords []model.Keyword, t *model.Type) {
	if t.Kind != model.Integer {
		return
	}
	least, most := integerRange(t)
	for _, name := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
		k := find(keywords, name)
		if k == nil {
			continue
		}
		if n := number(k.Text); n.Cmp(least) < 0 || n.Cmp(most) > 0 {
			c.report.Errorf(k.ValuePosition, "%s %s is outside what the Go type can hold, %s to %s", name, k.Text, least.RatString(), most.RatString())
		}
	}
}

func find(keywords []model.Keyword, name string) *model.Keyword {
	for i := range keywords {
		if keywords[i].Name == name {
			return &keywords[i]
		}
	}
	return nil
}

// number reads a keyword's number, whose form the language has checked.
func number(text string) *big.Rat {
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		return new(big.Rat)
	}
	return n
}

func integerRange(t *model.Type) (least, most *big.Rat) {
	if t.Unsigned {
		return new(big.Rat), new(big.Rat).SetInt(new(big.Int).SetUint64(math.MaxUint64 >> (64 - t.Bits)))
	}
	return new(big.Rat).SetInt64(math.MinInt64 >> (64 - t.Bits)), new(big.Rat).SetInt64(math.MaxInt64 >> (64 - t.Bits))
}
