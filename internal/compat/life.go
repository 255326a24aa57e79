package compat

import "github.com/capgen/capgen/capabilities"

// The rules of a capability's life: it is supported, then deprecated, then removed, and its ID means one thing for ever.

// vanished judges a contract of which nothing is left.
func (c *comparison) vanished(old *Contract) {
	f := Finding{ID: old.ID, Change: CapabilityRemoved, Before: text(old.life())}
	switch old.life() {
	case "supported":
		f.Verdict, f.Rule = Breaking, "what is supported cannot vanish: keep it with //capgen:deprecated, and remove it once that has been released"
	case "deprecated":
		f.Verdict, f.Rule = Breaking, "what is removed leaves its ID behind: keep the declaration with //capgen:removed and reviewed-by="
	default:
		f.Verdict, f.Rule = NeedsReview, "nothing keeps the ID and the tool name from being used again for something else: keep the declaration with //capgen:removed"
	}
	c.add(f)
}

// added judges a contract that was not there.
func (c *comparison) added(current *Contract) {
	f := Finding{ID: current.ID, Change: CapabilityAdded, Verdict: Compatible, After: text(current.life()), Rule: "nobody can lean on it yet"}
	if current.Removed != "" {
		f.Verdict, f.Rule = NeedsReview, "what was never there is said to be removed: see that the ID is right"
	}
	c.add(f)
	first := c.firstOfFamily(current.ID)
	if current.Removed == "" && first.Major < current.ID.Major && (current.Migrates == "" || current.ReviewedBy == "") {
		c.add(Finding{ID: current.ID, Pointer: "/migrates", Change: Migrates, Verdict: Breaking, After: text(orNil(current.Migrates)),
			Rule: "it follows " + first.String() + ", and a further major says what changed in meaning and who agreed: write //capgen:migrates and reviewed-by="})
	}
}

// firstOfFamily returns the least major that either time has.
func (c *comparison) firstOfFamily(id capabilities.ID) capabilities.ID {
	first := id
	for _, contracts := range []map[capabilities.ID]*Contract{c.earlier, c.later} {
		for other := range contracts {
			if other.Namespace == id.Namespace && other.Name == id.Name && other.Major < first.Major {
				first = other
			}
		}
	}
	return first
}

// compareLife judges how a contract that both times have got on.
func (c *comparison) compareLife(old, current *Contract) {
	f := Finding{ID: current.ID, Change: Lifecycle, Before: text(old.life()), After: text(current.life()), Verdict: Compatible}
	switch from, to := old.life(), current.life(); {
	case from == to && (from != "deprecated" || old.Deprecated == current.Deprecated):
		return
	case from == to:
		f.Pointer, f.Before, f.After, f.Rule = "/deprecated", text(old.Deprecated), text(current.Deprecated), "the note is for people"
	case from == "removed":
		f.Change, f.Verdict, f.Rule = CapabilityRestored, NeedsReview, "what its contract was before it was removed cannot be seen from here: see that the ID means what it meant"
	case to == "removed" && from == "deprecated":
		f.Change, f.Pointer, f.Rule = CapabilityRemoved, "/removed", "it was deprecated, and "+current.ReviewedBy+" agreed that it goes"
	case to == "removed":
		f.Change, f.Pointer, f.Verdict = CapabilityRemoved, "/removed", Breaking
		f.Rule = "what is removed was deprecated before: keep it with //capgen:deprecated, and remove it once that has been released"
	case to == "deprecated":
		f.Pointer, f.Rule = "/deprecated", "it is served as before"
	default:
		f.Pointer, f.Rule = "/deprecated", "it is served as before, and stays"
	}
	c.add(f)
}

func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}
