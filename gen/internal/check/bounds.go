package check

import (
	"math"
	"math/big"

	"github.com/capgen/capgen/gen/internal/model"
)

// checkBounds refuses bounds that no value can meet, and those outside what the Go type can hold.
func (c *checker) checkBounds(keywords []model.Keyword, t *model.Type) {
	for _, pair := range [][2]string{
		{"minLength", "maxLength"}, {"minItems", "maxItems"}, {"minProperties", "maxProperties"},
		{"minimum", "maximum"}, {"exclusiveMinimum", "exclusiveMaximum"},
	} {
		low, high := find(keywords, pair[0]), find(keywords, pair[1])
		if low != nil && high != nil && number(low.Text).Cmp(number(high.Text)) > 0 {
			c.report.Errorf(low.ValuePosition, "%s %s is more than %s %s: no value can meet both", low.Name, low.Text, high.Name, high.Text)
		}
	}
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
