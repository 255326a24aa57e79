package compat

import (
	"slices"

	"github.com/capgen/capgen/internal/compat/schema"
)

// properties judges the members that are named: those that both times have, those that are gone and those that came, of which some are probably
// the same under another name.
func (w *walk) properties(s side) {
	var gone, came []string
	for _, name := range s.before.Order {
		if s.after.Properties[name] == nil {
			gone = append(gone, name)
		}
	}
	for _, name := range s.after.Order {
		if s.before.Properties[name] == nil {
			came = append(came, name)
		}
	}
	renamed := renames(s, gone, came)
	for _, name := range s.before.Order {
		after := s.after.Properties[name]
		switch {
		case after != nil:
			w.required(s, name)
			w.pair(s.before.Properties[name], after, !s.before.Required[name] && !s.after.Required[name])
		case renamed[name] != "":
			w.renamed(s, name, renamed[name])
		default:
			w.removed(s, name)
		}
	}
	for _, name := range came {
		if !slices.ContainsFunc(gone, func(old string) bool { return renamed[old] == name }) {
			w.came(s, name)
		}
	}
}

// required judges whether a member that both times have must be there.
func (w *walk) required(s side, name string) {
	before, after := s.before.Required[name], s.after.Required[name]
	if before == after {
		return
	}
	w.add(Required, s.after.Properties[name].Pointer, before, after, w.judge(s, "required", name))
}

// came judges a new member.
func (w *walk) came(s side, name string) {
	r, rule := w.judgeNew(s, name)
	w.addRule(PropertyAdded, s.after.Properties[name].Pointer, nil, s.after.Properties[name].Raw(), r, rule)
}

func (w *walk) judgeNew(s side, name string) (ruling, string) {
	r := w.judgeMember(s, name)
	switch {
	case r.Verdict == Breaking && w.widens && s.after.Required[name]:
		return r, "a call made before lacks it and is refused"
	case r.Verdict == Compatible && w.widens:
		return r, "a call made before lacks it and is as good"
	case r.Verdict == Compatible:
		return r, "an output may have more, since callers pass over what they do not know"
	}
	return r, w.rule(r.Verdict)
}

// removed judges a member that is gone.
func (w *walk) removed(s side, name string) {
	r, rule := w.judgeGone(s, name)
	w.addRule(PropertyRemoved, s.before.Properties[name].Pointer, s.before.Properties[name].Raw(), nil, r, rule)
}

func (w *walk) judgeGone(s side, name string) (ruling, string) {
	r := w.judgeMember(s, name)
	switch {
	case !w.widens:
		// Also where the schema that was did not ask for it.
		return ruling{Verdict: Breaking}, "whoever reads it finds it no longer"
	case r.Verdict == Compatible:
		return ruling{Verdict: NeedsReview}, "a call that has it is accepted and no longer heeded: see that this is what was meant"
	case r.Verdict == Breaking:
		return r, "a call that has it is refused"
	}
	return r, w.rule(r.Verdict)
}

// judgeMember takes all that is in doubt about a member.
func (w *walk) judgeMember(s side, name string) ruling {
	r := ruling{Verdict: Compatible}
	for _, keyword := range []string{"required", "properties", "additionalProperties", "propertyNames"} {
		r = r.worse(w.judge(s, keyword, name))
	}
	return r
}

// renamed judges a member that is gone and probably there under another name.
func (w *walk) renamed(s side, old, name string) {
	r, rule := w.judgeGone(s, old)
	if came, newRule := w.judgeNew(s, name); came.weight() > r.weight() {
		r, rule = came, newRule
	}
	w.addRule(PropertyRenamed, s.after.Properties[name].Pointer, old, name, r, "it is the same under another name, probably, which to callers is another thing: "+rule)
}

// openness judges whether there may be members that are not named.
func (w *walk) openness(s side) {
	if s.before.Types&s.after.Types&schema.Object == 0 || isSchema(s.before.Additional) && isSchema(s.after.Additional) ||
		openTo(s.before) == openTo(s.after) && !isSchema(s.before.Additional) && !isSchema(s.after.Additional) {
		return
	}
	w.add(Openness, s.after.Place("additionalProperties"), valueOf(s.before.Additional), valueOf(s.after.Additional), w.judge(s, "additionalProperties", ""))
}

// isSchema reports whether members that are not named have a schema of their own, and are not simply allowed or refused.
func isSchema(n *schema.Node) bool {
	if n == nil {
		return false
	}
	_, simple := n.Raw().(bool)
	return !simple
}

// openTo reports whether there may be members that are not named.
func openTo(n *schema.Node) bool { return n.Rest() != nil }

func valueOf(n *schema.Node) any {
	if n == nil {
		return true
	}
	return n.Raw()
}

// variants judges the alternatives of a union, which a member tells apart.
func (w *walk) variants(s side) {
	if s.before.OneOf == nil && s.after.OneOf == nil || schema.Same(s.before, s.after) {
		return
	}
	member, before := schema.Discriminated(s.before)
	other, after := schema.Discriminated(s.after)
	if member == "" || member != other {
		w.add(Schema, s.after.Place("oneOf"), nil, nil, w.judge(s, "oneOf", ""))
		return
	}
	for _, name := range sorted(keysOf(before, after)) {
		old, current := before[name], after[name]
		switch {
		case current == nil:
			w.add(VariantRemoved, old.Pointer, name, nil, w.judge(s, "oneOf", name))
		case old == nil:
			w.add(VariantAdded, current.Pointer, nil, name, w.judge(s, "oneOf", name))
		default:
			w.pair(old, current, false)
		}
	}
}

func keysOf(maps ...map[string]*schema.Node) map[string]bool {
	keys := map[string]bool{}
	for _, m := range maps {
		for key := range m {
			keys[key] = true
		}
	}
	return keys
}
