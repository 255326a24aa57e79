package compat

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/internal/compat/contain"
	"github.com/capgen/capgen/internal/compat/schema"
)

// compareSchemas judges the changes of an input or an output. Whether the later schema is what it must be is decided first, by [contain.In]; then
// the schemas are walked side by side, and each doubt goes to the change that it is about. A doubt that is about none is a finding of its own, so
// that nothing is judged compatible that is not proved.
func compareSchemas(id capabilities.ID, d direction, before, after *schema.Document) []Finding {
	w := &walk{id: id, direction: d, doubts: d.doubts(before.Root(), after.Root()), met: map[spot]bool{}}
	w.pair(before.Root(), after.Root(), false)
	w.rest()
	return once(w.findings)
}

// once leaves out what is found again where a definition is referred to again, and keeps the heaviest verdict.
func once(findings []Finding) []Finding {
	var kept []Finding
	for _, f := range findings {
		i := slices.IndexFunc(kept, func(k Finding) bool {
			return k.Pointer == f.Pointer && k.Change == f.Change && string(k.Before) == string(f.Before) && string(k.After) == string(f.After)
		})
		switch {
		case i < 0:
			kept = append(kept, f)
		case f.Verdict.weight() > kept[i].Verdict.weight():
			kept[i] = f
		}
	}
	return kept
}

// walk is the comparison of two schemas.
type walk struct {
	id capabilities.ID
	direction
	// doubts are those that no change was found for yet.
	doubts   map[spot][]contain.Doubt
	met      map[spot]bool
	findings []Finding
}

// side is a pair of schemas for the same part of a value, their references followed.
type side struct{ before, after *schema.Node }

func (s side) spot() spot { return spot{s.before.Pointer, s.after.Pointer} }

// pair compares two schemas and all below them. Absent says that both times the value may be absent, so that a default has a meaning.
func (w *walk) pair(before, after *schema.Node, absent bool) {
	s := side{before.Normal(), after.Normal()}
	if w.met[s.spot()] {
		return
	}
	w.met[s.spot()] = true
	w.nullability(s)
	if !w.types(s) {
		return // nothing below is the same thing
	}
	w.limits(s)
	w.meaning(s, absent)
	w.openness(s)
	w.properties(s)
	w.variants(s)
	w.opaque(s)
	w.below(s)
}

// below compares the schemas that are in the same place below both.
func (w *walk) below(s side) {
	if s.before.Items != nil || s.after.Items != nil {
		w.pair(s.before.Elements(), s.after.Elements(), false)
	}
	if s.before.Names != nil || s.after.Names != nil {
		names := func(n *schema.Node, pointer string) *schema.Node {
			if n == nil {
				return schema.Text(pointer + "/propertyNames")
			}
			return n.OnlyText()
		}
		w.names(side{names(s.before.Names, s.before.Pointer), names(s.after.Names, s.after.Pointer)})
	}
	if isSchema(s.before.Additional) && isSchema(s.after.Additional) {
		w.pair(s.before.Additional, s.after.Additional, false)
	}
}

// names compares the schemas of members' names, which are texts whatever they say.
func (w *walk) names(s side) {
	if !w.met[s.spot()] {
		w.met[s.spot()] = true
		w.limits(s)
		w.opaque(s)
	}
}

// witness is a value by which something is shown, and a whole text that has it in its place. Either may be nil.
type witness struct{ value, example json.RawMessage }

// ruling is a verdict, and what shows it.
type ruling struct {
	Verdict
	witness
}

// worse returns the heavier of two rulings.
func (r ruling) worse(other ruling) ruling {
	if other.weight() > r.weight() {
		return other
	}
	return r
}

// judge takes the doubts of a keyword, and of a member if it is about one, out of those that are left, and returns what they come to.
func (w *walk) judge(s side, keyword, property string) ruling {
	r := ruling{Verdict: Compatible}
	w.doubts[s.spot()] = slices.DeleteFunc(w.doubts[s.spot()], func(d contain.Doubt) bool {
		mine := d.Keyword == keyword && d.Property == property
		if mine {
			r = r.worse(rulingOf(d))
		}
		return mine
	})
	return r
}

func rulingOf(d contain.Doubt) ruling {
	if !d.Shown {
		return ruling{Verdict: NeedsReview}
	}
	return ruling{Breaking, witness{mustText(d.Value), text(d.Example)}}
}

// add adds a finding whose rule is the direction's own.
func (w *walk) add(change Change, pointer string, before, after any, r ruling) {
	w.addRule(change, pointer, before, after, r, w.rule(r.Verdict))
}

func (w *walk) addRule(change Change, pointer string, before, after any, r ruling, rule string) {
	w.findings = append(w.findings, Finding{
		ID: w.id, Pointer: pointer, Change: change, Before: text(before), After: text(after), Verdict: r.Verdict, Rule: rule, Value: r.value, Example: r.example,
	})
}

// rest adds the doubts that no change was found for, the lesser ones of each place left out.
func (w *walk) rest() {
	for _, at := range slices.SortedFunc(maps.Keys(w.doubts), func(a, b spot) int { return cmp.Or(cmp.Compare(a.after, b.after), cmp.Compare(a.before, b.before)) }) {
		r := ruling{Verdict: Compatible}
		for _, d := range w.doubts[at] {
			r = r.worse(rulingOf(d))
		}
		if r.Verdict != Compatible && !w.told(at.after, r.Verdict) && !w.told(at.before, r.Verdict) {
			w.add(Schema, at.after, nil, nil, r)
		}
	}
}

// told reports whether a finding at a place, or at what holds it, says as much already.
func (w *walk) told(pointer string, verdict Verdict) bool {
	return slices.ContainsFunc(w.findings, func(f Finding) bool {
		parent := f.Pointer[:strings.LastIndexByte(f.Pointer, '/')]
		return f.Verdict.weight() >= verdict.weight() && (pointer == f.Pointer || pointer == parent || strings.HasPrefix(pointer, f.Pointer+"/"))
	})
}
