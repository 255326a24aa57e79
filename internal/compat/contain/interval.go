package contain

import (
	"encoding/json"
	"math/big"

	"github.com/capgen/capgen/internal/compat/schema"
)

// interval is the numbers that a schema allows: those between two ends, which may be none, and the multiples of step among them.
type interval struct {
	low, high         *big.Rat // nil is no end
	lowOpen, highOpen bool
	step              *big.Rat // nil is every number
}

// intervalOf returns the numbers of a schema that allows some; integers alone where it allows no others.
func intervalOf(n *schema.Node) interval {
	var i interval
	i.atLeast(n.Rational("minimum"), false)
	i.atLeast(n.Rational("exclusiveMinimum"), true)
	i.atMost(n.Rational("maximum"), false)
	i.atMost(n.Rational("exclusiveMaximum"), true)
	i.step = n.Rational("multipleOf")
	if n.Types&schema.Fraction == 0 {
		i.step = common(i.step, big.NewRat(1, 1))
	}
	return i
}

// common returns the least number that is a multiple of both; a is nil for any.
func common(a, b *big.Rat) *big.Rat {
	if a == nil || a.Sign() <= 0 {
		return b
	}
	// lcm(p/q, r/s) = lcm(p·s, r·q) / (q·s)
	x, y := new(big.Int).Mul(a.Num(), b.Denom()), new(big.Int).Mul(b.Num(), a.Denom())
	gcd := new(big.Int).GCD(nil, nil, x, y)
	lcm := x.Mul(x, y).Quo(x, gcd)
	return new(big.Rat).SetFrac(lcm, new(big.Int).Mul(a.Denom(), b.Denom()))
}

func (i *interval) atLeast(low *big.Rat, open bool) {
	if low == nil {
		return
	}
	if i.low == nil || low.Cmp(i.low) > 0 {
		i.low, i.lowOpen = low, open
	} else if low.Cmp(i.low) == 0 {
		i.lowOpen = i.lowOpen || open
	}
}

func (i *interval) atMost(high *big.Rat, open bool) {
	if high == nil {
		return
	}
	if i.high == nil || high.Cmp(i.high) < 0 {
		i.high, i.highOpen = high, open
	} else if high.Cmp(i.high) == 0 {
		i.highOpen = i.highOpen || open
	}
}

// pick returns a number of the interval, or nil if it has none.
func (i interval) pick() *big.Rat {
	if i.step != nil {
		return i.pickMultiple()
	}
	whole := i
	whole.step = big.NewRat(1, 1)
	if n := whole.pickMultiple(); n != nil {
		return n
	}
	if i.low == nil || i.high == nil {
		return nil // there is always a whole number
	}
	switch between := i.low.Cmp(i.high); {
	case between > 0, between == 0 && (i.lowOpen || i.highOpen):
		return nil
	case !i.lowOpen:
		return i.low
	case !i.highOpen:
		return i.high
	}
	return middle(i.low, i.high)
}

func (i interval) pickMultiple() *big.Rat {
	var n *big.Rat
	switch {
	case i.low != nil:
		n = multiple(i.low, i.step, 1)
		if i.lowOpen && n.Cmp(i.low) == 0 {
			n.Add(n, i.step)
		}
	case i.high != nil:
		n = multiple(i.high, i.step, -1)
		if i.highOpen && n.Cmp(i.high) == 0 {
			n.Sub(n, i.step)
		}
	default:
		return new(big.Rat)
	}
	if !i.holds(n) {
		return nil
	}
	return n
}

func (i interval) holds(n *big.Rat) bool {
	if i.low != nil {
		if c := n.Cmp(i.low); c < 0 || c == 0 && i.lowOpen {
			return false
		}
	}
	if i.high != nil {
		if c := n.Cmp(i.high); c > 0 || c == 0 && i.highOpen {
			return false
		}
	}
	return i.step == nil || isMultiple(n, i.step)
}

// multiple returns the multiple of step next to a number: not less for direction 1, not more for -1.
func multiple(n, step *big.Rat, direction int) *big.Rat {
	q := new(big.Rat).Quo(n, step)
	whole := new(big.Int).Div(q.Num(), q.Denom()) // rounds down
	if direction > 0 && !q.IsInt() {
		whole.Add(whole, big.NewInt(1))
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(whole), step)
}

func isMultiple(n, step *big.Rat) bool { return new(big.Rat).Quo(n, step).IsInt() }

func middle(a, b *big.Rat) *big.Rat {
	sum := new(big.Rat).Add(a, b)
	return sum.Quo(sum, big.NewRat(2, 1))
}

// below returns a number of the interval that a least number refuses, which is itself refused if open; nil if there is none.
func (i interval) below(low *big.Rat, open bool) *big.Rat {
	i.atMost(low, !open)
	return i.pick()
}

// above is below for a greatest number.
func (i interval) above(high *big.Rat, open bool) *big.Rat {
	i.atLeast(high, !open)
	return i.pick()
}

// notMultiple returns a number of the interval that is not a multiple of step; nil if there is none. Of two multiples of one number that
// follow each other both are multiples of step only if that number is, so that looking at two is enough; between two numbers that are not
// held to multiples there is always another.
func (i interval) notMultiple(step *big.Rat) *big.Rat {
	if i.step != nil && isMultiple(i.step, step) {
		return nil
	}
	first := i.pick()
	if first == nil || !isMultiple(first, step) {
		return first
	}
	for _, n := range i.beside(first, step) {
		if i.holds(n) && !isMultiple(n, step) {
			return n
		}
	}
	return nil
}

// beside returns numbers next to one of the interval.
func (i interval) beside(n, step *big.Rat) []*big.Rat {
	distance := i.step
	if distance == nil {
		// So near that it is within the interval, unless that is a single number, and no multiple: less than one step away.
		distance = new(big.Rat).Quo(step, big.NewRat(2, 1))
		for _, end := range []*big.Rat{i.low, i.high} {
			if end == nil || end.Cmp(n) == 0 {
				continue
			}
			if half := new(big.Rat).Abs(new(big.Rat).Quo(new(big.Rat).Sub(end, n), big.NewRat(2, 1))); half.Cmp(distance) < 0 {
				distance = half
			}
		}
	}
	return []*big.Rat{new(big.Rat).Add(n, distance), new(big.Rat).Sub(n, distance)}
}

var one = big.NewRat(1, 1)

// number writes a number as JSON does; the result is false for one that JSON cannot write.
func number(n *big.Rat) (json.Number, bool) {
	if n == nil {
		return "", false
	}
	digits, exact := n.FloatPrec()
	return json.Number(n.FloatString(digits)), exact
}
