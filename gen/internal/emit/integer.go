package emit

import (
	"encoding/json"
	"math/big"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/capgen/capgen/gen/internal/model"
)

// integerBreaks writes the condition under which an integer breaks a bound, with the bound as an integer: one that lies between two
// is rounded to the side that it means.
func integerBreaks(t *model.Type, k model.Keyword) *jen.Statement {
	bound, _ := new(big.Rat).SetString(k.JSON)
	x := jen.Id("x")
	switch k.Name {
	case "multipleOf":
		// x is a multiple of p/q in lowest terms exactly when it is one of p.
		p := bound.Num()
		switch {
		case t.Unsigned && p.IsUint64(), p.IsInt64():
			return x.Op("%").Id(p.String()).Op("!=").Lit(0)
		case !t.Unsigned && new(big.Int).Neg(p).IsInt64():
			return x.Op("!=").Lit(0).Op("&&").Id("x").Op("!=").Id("-" + p.String())
		}
		return x.Op("!=").Lit(0) // nothing else is large enough
	case "minimum":
		return x.Op("<").Id(ceil(bound).String())
	case "maximum":
		return x.Op(">").Id(floor(bound).String())
	case "exclusiveMinimum":
		return x.Op("<=").Id(floor(bound).String())
	}
	return x.Op(">=").Id(ceil(bound).String())
}

// plainBounds returns how many of the keywords that are next are bounds of a signed integer that are written as Go writes them: 2 for a
// minimum and the maximum after it, 1 for either alone.
func plainBounds(t *model.Type, next []model.Keyword) int {
	plain := func(i int, name string) bool {
		if t.Kind != model.Integer || t.Unsigned || i >= len(next) || next[i].Name != name {
			return false
		}
		n, ok := new(big.Int).SetString(next[i].JSON, 10)
		return ok && n.IsInt64() && n.String() == next[i].JSON
	}
	switch {
	case plain(0, "minimum") && plain(1, "maximum"):
		return 2
	case plain(0, "minimum"), plain(0, "maximum"):
		return 1
	}
	return 0
}

// emitBounds writes what plainBounds counted.
func emitBounds(g *jen.Group, bounds []model.Keyword) {
	method := map[string]string{"minimum": "AtLeast", "maximum": "AtMost"}[bounds[0].Name]
	args := []jen.Code{jen.Id("x")}
	for _, k := range bounds {
		args = append(args, jen.Id(k.JSON))
	}
	if len(bounds) == 2 {
		method = "Between"
	}
	g.Id("r").Dot(method).Call(args...)
}

// alwaysHolds reports whether every integer meets a bound: a Uint is not negative, and all are multiples of 1 and its fractions.
func alwaysHolds(t *model.Type, k model.Keyword) bool {
	switch k.Name {
	case "minimum":
		return t.Unsigned && k.Text == "0"
	case "multipleOf":
		bound, ok := new(big.Rat).SetString(k.JSON)
		return ok && bound.Num().Cmp(big.NewInt(1)) == 0
	}
	return false
}

func floor(r *big.Rat) *big.Int {
	// Euclidean division rounds down for a positive divisor, as a denominator is.
	return new(big.Int).Div(r.Num(), r.Denom())
}

func ceil(r *big.Rat) *big.Int {
	return new(big.Int).Neg(floor(new(big.Rat).Neg(r)))
}

// integerLit writes an integral JSON number, such as 1e3, or a boolean, as Go.
func integerLit(text string) string {
	if n, ok := new(big.Rat).SetString(text); ok && n.IsInt() {
		return n.Num().String()
	}
	return text
}

// quoteGo writes a JSON string as a Go one.
func quoteGo(text string) string {
	var s string
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return text
	}
	return strconv.Quote(s)
}
