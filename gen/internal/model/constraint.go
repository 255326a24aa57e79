package model

import (
	"math"
	"strconv"
)

// Constraints returns the keywords that hold for a type where it is used: the bounds of its Go type, then its own keywords, then
// those of the field, each in the place of an earlier one of its name. Schema and codec are both made from this list, so that
// they cannot disagree.
func (t *Type) Constraints(field []Keyword) []Keyword {
	all := t.bounds()
	if len(t.Enum) > 0 {
		all = append(all, Keyword{Name: "enum", List: t.Enum})
	}
	for _, list := range [][]Keyword{t.Keywords, field} {
		for _, k := range list {
			all = replace(all, k)
		}
	}
	return all
}

func replace(all []Keyword, k Keyword) []Keyword {
	for i := range all {
		if all[i].Name == k.Name {
			all[i] = k
			return all
		}
	}
	return append(all, k)
}

// bounds states the range of the small integers, that unsigned ones are not negative, and the length of an array.
func (t *Type) bounds() []Keyword {
	bound := func(name, text string) Keyword { return Keyword{Name: name, Text: text, JSON: text} }
	switch {
	case t.Kind == List && t.Len >= 0:
		text := strconv.FormatInt(t.Len, 10)
		return []Keyword{bound("minItems", text), bound("maxItems", text)}
	case t.Kind != Integer:
		return nil
	case t.Unsigned && t.Bits < 64:
		return []Keyword{bound("minimum", "0"), bound("maximum", strconv.FormatUint(math.MaxUint64>>(64-t.Bits), 10))}
	case t.Unsigned:
		return []Keyword{bound("minimum", "0")}
	case t.Bits < 64:
		return []Keyword{
			bound("minimum", strconv.FormatInt(math.MinInt64>>(64-t.Bits), 10)),
			bound("maximum", strconv.FormatInt(math.MaxInt64>>(64-t.Bits), 10)),
		}
	}
	return nil
}
