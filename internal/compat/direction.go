package compat

import (
	"github.com/capgen/capgen/internal/compat/contain"
	"github.com/capgen/capgen/internal/compat/schema"
)

// direction is which way a text goes, and with it what may become of its schema.
type direction struct {
	// widens says that the later schema must take all that the earlier one took; else the earlier one must have promised all that comes now.
	widens bool
	// good, bad and unsure are the rules, by how a schema keeps to that.
	good, bad, unsure string
}

var (
	input = direction{
		widens: true,
		good:   "an input may be widened: whatever was accepted still is",
		bad:    "an input may be widened and not narrowed: what was accepted is refused",
		unsure: "an input may be widened and not narrowed, and whether this narrows it cannot be decided",
	}
	output = direction{
		good:   "an output may be narrowed: whatever comes was promised before",
		bad:    "an output may be narrowed and not widened: what was never promised can come",
		unsure: "an output may be narrowed and not widened, and whether this widens it cannot be decided",
	}
)

// doubts returns what keeps the later schema from being what it must be, with the places that it is about: of the earlier schema, and of the
// later one.
func (d direction) doubts(before, after *schema.Node) map[spot][]contain.Doubt {
	sub, sup := before, after
	if !d.widens {
		sub, sup = after, before
	}
	found := map[spot][]contain.Doubt{}
	for _, doubt := range contain.In(sub, sup) {
		at := spot{doubt.Sub, doubt.Sup}
		if !d.widens {
			at = spot{doubt.Sup, doubt.Sub}
		}
		found[at] = append(found[at], doubt)
	}
	return found
}

// spot is a pair of places, of the earlier schema and of the later one.
type spot struct{ before, after string }

// rule returns the direction's rule for a verdict.
func (d direction) rule(verdict Verdict) string {
	switch verdict {
	case Breaking:
		return d.bad
	case NeedsReview:
		return d.unsure
	}
	return d.good
}
