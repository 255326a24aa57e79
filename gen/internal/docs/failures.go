package docs

import (
	"slices"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/gen/internal/model"
)

// Failure is one of the closed set of kinds of failure.
type Failure struct {
	Kind capabilities.Kind
	// Sentence is what the caller is told.
	Sentence string
	// Meaning says when it happens, and what the sentence is followed by.
	Meaning string
}

// Anchor is where the kind is described.
func (f Failure) Anchor() string { return "error-" + string(f.Kind) }

// failures are the kinds that a call of a capability that is served can end with, in the order of the pipeline.
var failures = []Failure{
	failure(capabilities.InvalidIdentity, "What the caller presented as its identity was refused."),
	failure(capabilities.ContextUnavailable, "The application could not say who is calling."),
	failure(capabilities.CapabilityMissing, "Nothing of that name is served."),
	failure(capabilities.NotExposed, "The capability is not for this caller, who reads what is told of one that is missing."),
	failure(capabilities.BindingUnavailable, "The server has no handler for it."),
	failure(capabilities.BindingAmbiguous, "The server has several handlers for it, and the call names none."),
	failure(capabilities.Overloaded, "As many calls as are allowed run already."),
	failure(capabilities.InvalidInput, "The input breaks its schema. Each problem follows on a line of its own: where it is, what is wrong, the keyword."),
	failure(capabilities.Unauthorized, "The caller may not do this to that resource."),
	failure(capabilities.AuthorizationError, "The check of the resource failed."),
	failure(capabilities.Declined, "The handler declined in words of its own, which stand in the place of this sentence: a code, a colon and a text. "+
		"The contract does not list the codes."),
	failure(capabilities.HandlerFailed, "The handler failed for a reason that is not told."),
	failure(capabilities.HandlerPanicked, "The handler panicked."),
	failure(capabilities.DeadlineExceeded, "The handler did not return in time. After a call that is not of risk read it is told that it may have completed."),
	failure(capabilities.Cancelled, "The caller gave up, or its session or the server ended."),
	failure(capabilities.InvalidOutput, "The result breaks its schema."),
	failure(capabilities.ResultNotSerializable, "The result has no JSON form."),
	failure(capabilities.AdapterError, "Something between the network and the capability went wrong."),
}

func failure(kind capabilities.Kind, meaning string) Failure {
	return Failure{Kind: kind, Sentence: kind.Sentence(), Meaning: meaning}
}

// failuresIn lists the kinds that a call of the capability can end with.
func failuresIn(c *model.Capability) []Failure {
	var in []Failure
	for _, f := range failures {
		if canFail(c, f.Kind) {
			in = append(in, f)
		}
	}
	return in
}

func canFail(c *model.Capability, kind capabilities.Kind) bool {
	if c.Removed != "" {
		return kind == capabilities.CapabilityMissing
	}
	switch kind {
	case capabilities.CapabilityMissing:
		return false
	case capabilities.NotExposed:
		return !c.Access.Public()
	case capabilities.InvalidOutput, capabilities.ResultNotSerializable:
		return !c.ReturnsNothing()
	}
	return true
}

// failuresOf lists those of all entries.
func failuresOf(entries []Entry) []Failure {
	var all []Failure
	for _, f := range failures {
		if slices.ContainsFunc(entries, func(e Entry) bool { return slices.Contains(e.Failures, f) }) {
			all = append(all, f)
		}
	}
	return all
}
