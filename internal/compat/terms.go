package compat

import (
	"slices"

	"github.com/capgen/capgen/capabilities"
)

// compareTerms judges what a contract says beside its schemas: by what name it is called, what it may do, and who may call.
func (c *comparison) compareTerms(old, current *Contract) {
	add := func(change Change, pointer string, before, after any, verdict Verdict, rule string) {
		c.add(Finding{ID: current.ID, Pointer: pointer, Change: change, Before: text(before), After: text(after), Verdict: verdict, Rule: rule})
	}
	if old.Tool != current.Tool {
		add(Tool, "/tool", old.Tool, current.Tool, Breaking, "agents call it by this name: write tool="+old.Tool)
	}
	if old.Risk != current.Risk {
		verdict, rule := Compatible, "it can do less than callers agreed to"
		if harm(current.Risk) > harm(old.Risk) {
			verdict, rule = Breaking, "it can do more than callers agreed to"
		}
		add(Risk, "/risk", old.Risk, current.Risk, verdict, rule)
	}
	c.compareAccess(old, current)
	if old.timeout() != current.timeout() {
		verdict, rule := NeedsReview, "calls that took longer end now: see how long they take"
		if old.Timeout > 0 && current.Timeout > old.Timeout {
			verdict, rule = Compatible, "calls may take longer"
		} else if current.Timeout == 0 {
			rule = "the server's own deadline holds now, which may be shorter"
		}
		add(Timeout, "/timeout", orNil(old.timeout()), orNil(current.timeout()), verdict, rule)
	}
	if old.Idempotent != current.Idempotent {
		verdict, rule := Compatible, "whoever repeats no call need not begin to"
		if old.Idempotent {
			verdict, rule = Breaking, "whoever repeats a call that got no answer does more than before"
		}
		add(Idempotent, "/idempotent", old.Idempotent, current.Idempotent, verdict, rule)
	}
	if old.OpenWorld != current.OpenWorld {
		verdict, rule := Compatible, "it reaches no further than callers agreed to"
		if current.OpenWorld {
			verdict, rule = NeedsReview, "it reaches systems that callers did not know of: see that they may know what is sent"
		}
		add(OpenWorld, "/openworld", old.OpenWorld, current.OpenWorld, verdict, rule)
	}
}

func harm(risk capabilities.Risk) int {
	return slices.Index([]capabilities.Risk{capabilities.Read, capabilities.Write, capabilities.Destructive}, risk)
}

// compareAccess judges who may call: a caller must be able to go on with what it holds.
func (c *comparison) compareAccess(old, current *Contract) {
	before, after := old.Access.Scopes, current.Access.Scopes
	more := slices.DeleteFunc(slices.Clone(after), func(scope string) bool { return slices.Contains(before, scope) })
	fewer := slices.DeleteFunc(slices.Clone(before), func(scope string) bool { return slices.Contains(after, scope) })
	f := Finding{ID: current.ID, Pointer: "/access", Change: Scopes, Verdict: Compatible, Before: text(old.Access), After: text(current.Access),
		Rule: "callers need less than they hold"}
	switch {
	case len(more)+len(fewer) == 0:
		return
	case old.Access.Public():
		f.Change, f.Verdict, f.Rule = Access, Breaking, "callers without a token are refused"
	case current.Access.Public():
		f.Change, f.Rule = Access, "callers need nothing any more, and so does everybody else"
	case len(more) > 0:
		f.Verdict, f.Rule = Breaking, "callers that hold what was enough are refused"
	}
	if f.Change == Scopes {
		f.Pointer = "/access/scopes"
		f.Before, f.After = text(before), text(after)
	}
	c.add(f)
}
