package resolve

import (
	"encoding/json"
	"go/constant"
	"go/types"
	"math/bits"
	"slices"
	"strings"

	"github.com/capgen/capgen/gen/internal/model"
)

// enumOf returns the JSON texts of the constants that are declared with a type in its own package, in the order of their
// declaration. A type that has none, or whose values are combined as bit flags, or that is the standard library's, has no enum.
func (r *resolver) enumOf(named *types.Named, resolved *model.Type) []string {
	pkg := named.Obj().Pkg()
	if pkg == nil || r.program.Standard(pkg.Path()) {
		return nil
	}
	switch resolved.Kind {
	case model.String, model.Integer, model.Number:
	default:
		return nil
	}
	var constants []*types.Const
	for _, name := range pkg.Scope().Names() {
		c, ok := pkg.Scope().Lookup(name).(*types.Const)
		if ok && types.Identical(c.Type(), named) {
			constants = append(constants, c)
		}
	}
	declared := r.constants(pkg.Path())
	slices.SortStableFunc(constants, func(a, b *types.Const) int { return declared[a.Name()].order - declared[b.Name()].order })
	if bitFlags(constants) || slices.ContainsFunc(constants, func(c *types.Const) bool { return combines(declared[c.Name()].value) }) {
		return nil
	}
	var values []string
	for _, c := range constants {
		if text := constantJSON(c.Val(), resolved.Bits); !slices.Contains(values, text) {
			values = append(values, text)
		}
	}
	return values
}

// bitFlags reports whether constants are the single bits of a set: three or more different powers of two, zero aside.
func bitFlags(constants []*types.Const) bool {
	seen := map[uint64]bool{}
	for _, c := range constants {
		v, exact := constant.Uint64Val(constant.ToInt(c.Val()))
		if c.Val().Kind() != constant.Int || !exact || bits.OnesCount64(v) > 1 {
			return false
		}
		if v != 0 {
			seen[v] = true
		}
	}
	return len(seen) > 2
}

// constantJSON writes a constant as encoding/json writes a value of that size.
func constantJSON(v constant.Value, bits int) string {
	switch v.Kind() {
	case constant.String:
		return quoteJSON(constant.StringVal(v))
	case constant.Int:
		return v.ExactString()
	}
	var text []byte
	if bits == 32 {
		f, _ := constant.Float32Val(v)
		text, _ = json.Marshal(f)
	} else {
		f, _ := constant.Float64Val(v)
		text, _ = json.Marshal(f)
	}
	return string(text)
}

// quoteJSON writes a string without the escapes that only HTML needs.
func quoteJSON(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}
