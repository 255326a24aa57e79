// Package contain decides whether every value that one JSON Schema allows is one that another allows. It proves what it says: a containment
// is proved keyword by keyword, and one that fails is shown by a value, which the reference validator has looked at. What is left is a doubt.
package contain

import (
	"slices"

	"github.com/capgen/capgen/internal/compat/schema"
)

// Doubt is a keyword of the greater schema that the lesser one is not proved to keep.
type Doubt struct {
	// Sub and Sup are where the two schemas are that say so, the lesser and the greater.
	Sub, Sup string
	// Keyword is the greater one's, "null" for whether null is allowed at all, and "" for the schema as a whole.
	Keyword string
	// Property is the member that it is about, if it is about one.
	Property string
	// Value is what the lesser schema allows in this place and the greater refuses, where Shown is true.
	Value any
	// Example is a whole value of that kind that has it in its place. It is nil where Shown is false, and where none was found.
	Example any
	// Shown says that a value was found, so that the schema is not contained. Otherwise it is not known.
	Shown bool
}

const (
	// maxSteps bounds how many pairs of schemas are looked at.
	maxSteps = 20_000
	// maxTrials bounds how deep a containment may ask for another one that is in no corresponding place.
	maxTrials = 6
)

// In returns the doubts of whether sub is contained in sup. It is contained when there are none.
func In(sub, sup *schema.Node) []Doubt {
	steps := maxSteps
	return (&checker{steps: &steps, sampler: newSampler()}).whole(sub, sup)
}

// checker is the comparison of two schemas.
type checker struct {
	steps   *int
	trials  int
	sampler *sampler
	// met holds the pairs that were looked at, each with how many levels of the value were above it.
	met    map[[2]string]int
	open   map[[2]string]bool
	doubts []Doubt
}

func (c *checker) whole(sub, sup *schema.Node) []Doubt {
	c.met, c.open = map[[2]string]int{}, map[[2]string]bool{}
	c.check(place{sub: sub, sup: sup})
	return c.doubts
}

// place is a pair of schemas for the same part of a value.
type place struct {
	sub, sup *schema.Node
	// names says that the part is the name of a member.
	names bool
	depth int
	// above is the place of what holds the part, and embed puts a part in its place there.
	above *place
	embed func(part any) (any, bool)
}

// check adds the doubts of one place and of all below it. A pair that is met again below itself needs no second look, since a value ends
// somewhere; one that is met again at the same level says nothing of itself.
func (c *checker) check(p place) {
	pair := [2]string{p.sub.Pointer, p.sup.Pointer}
	if depth, met := c.met[pair]; met {
		if c.open[pair] && depth == p.depth {
			c.add(p, "", "")
		}
		return
	}
	c.met[pair], c.open[pair] = p.depth, true
	defer delete(c.open, pair)
	if *c.steps--; *c.steps < 0 || !p.sub.Checks() || !p.sup.Checks() {
		c.add(p, "", "")
		return
	}
	p.sub, p.sup = p.sub.Normal(), p.sup.Normal()
	if p.names {
		p.sub, p.sup = p.sub.OnlyText(), p.sup.OnlyText()
	} else if p.sub.Accepts(nil) {
		c.keep(p, "null", "", nil)
	}
	if values, few := p.sub.Values(); few {
		c.checkValues(p, values)
		return
	}
	if p.sub.Types == 0 {
		return
	}
	if c.checkAlternatives(p) {
		return
	}
	c.checkTypes(p)
	c.checkEnum(p)
	c.checkTexts(p)
	c.checkNumbers(p)
	c.checkArrays(p)
	c.checkObjects(p)
	c.checkOpaque(p)
}

// keep holds a value that the lesser schema allows against the greater one, and adds a doubt if that refuses it.
func (c *checker) keep(p place, keyword, property string, value any) {
	if !p.sup.Accepts(value) {
		c.show(p, keyword, property, value)
	}
}

// add adds a doubt for which one of some values may be shown: one that the lesser schema allows and the greater refuses.
func (c *checker) add(p place, keyword, property string, values ...any) {
	for _, value := range values {
		if p.sub.Accepts(value) && !p.sup.Accepts(value) {
			c.show(p, keyword, property, value)
			return
		}
	}
	c.doubts = append(c.doubts, Doubt{Sub: p.sub.Pointer, Sup: p.sup.Pointer, Keyword: keyword, Property: property})
}

// show adds a doubt that a value proves, with the whole value that has it in this place.
func (c *checker) show(p place, keyword, property string, value any) {
	d := Doubt{Sub: p.sub.Pointer, Sup: p.sup.Pointer, Keyword: keyword, Property: property, Value: value, Shown: true}
	root, ok := &p, true
	for ; ok && root.above != nil; root = root.above {
		value, ok = root.embed(value)
	}
	if ok && root.sub.Accepts(value) && !root.sup.Accepts(value) {
		d.Example = value
	}
	c.doubts = append(c.doubts, d)
}

// try decides about two schemas that are in no corresponding place.
func (c *checker) try(sub, sup *schema.Node, names bool) (Answer, any) {
	if c.trials >= maxTrials {
		return Unknown, nil
	}
	trial := &checker{steps: c.steps, sampler: c.sampler, trials: c.trials + 1, met: map[[2]string]int{}, open: map[[2]string]bool{}}
	trial.check(place{sub: sub, sup: sup, names: names})
	if len(trial.doubts) == 0 {
		return Yes, nil
	}
	if i := slices.IndexFunc(trial.doubts, func(d Doubt) bool { return d.Shown && (d.Example != nil || d.Keyword == "null") }); i >= 0 {
		return No, trial.doubts[i].Example
	}
	return Unknown, nil
}
