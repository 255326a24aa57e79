package compat

import (
	"bytes"
	"encoding/json"

	"github.com/capgen/capgen/capabilities"
)

// Verdict is what a change means to whoever leans on the earlier contract.
type Verdict string

// The verdicts, the lightest first.
const (
	// Compatible changes break nobody: where schemas are concerned, it is proved.
	Compatible Verdict = "compatible"
	// NeedsReview is a change of which it cannot be decided whether it breaks anybody.
	NeedsReview Verdict = "needs-review"
	// Breaking changes break somebody.
	Breaking Verdict = "breaking"
)

// weight orders the verdicts.
func (v Verdict) weight() int {
	switch v {
	case Breaking:
		return 2
	case NeedsReview:
		return 1
	}
	return 0
}

// Change says what kind of thing changed.
type Change string

// The changes.
const (
	CapabilityAdded    Change = "capability-added"
	CapabilityRemoved  Change = "capability-removed"
	CapabilityRestored Change = "capability-restored"
	Lifecycle          Change = "lifecycle"
	Migrates           Change = "migrates"
	Tool               Change = "tool"
	Risk               Change = "risk"
	Access             Change = "access"
	Scopes             Change = "scopes"
	Timeout            Change = "timeout"
	Idempotent         Change = "idempotent"
	OpenWorld          Change = "openworld"

	PropertyAdded   Change = "property-added"
	PropertyRemoved Change = "property-removed"
	PropertyRenamed Change = "property-renamed"
	VariantAdded    Change = "variant-added"
	VariantRemoved  Change = "variant-removed"
	Required        Change = "required"
	Type            Change = "type"
	Nullability     Change = "nullability"
	Bounds          Change = "bounds"
	Pattern         Change = "pattern"
	Enum            Change = "enum"
	Default         Change = "default"
	Format          Change = "format"
	Encoding        Change = "encoding"
	Unit            Change = "unit"
	Header          Change = "header"
	Hint            Change = "hint"
	Openness        Change = "additional-properties"
	// Schema is a change that is none of these.
	Schema Change = "schema"
)

// Finding is one change and what it means.
type Finding struct {
	ID capabilities.ID `json:"id"`
	// Pointer is where it is in the contract file, a JSON pointer: of the later one, or of the earlier one for what is gone. It is "" for the
	// capability as a whole.
	Pointer string  `json:"pointer"`
	Change  Change  `json:"change"`
	Verdict Verdict `json:"verdict"`
	// Before and After are what stood and stands there, absent for nothing.
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
	// Rule says in words why the verdict is what it is.
	Rule string `json:"rule"`
	// Value is what was accepted in this place and is refused, or what can come there and was not promised, where one is known; Example is a whole
	// input or result that has it.
	Value   json.RawMessage `json:"value,omitempty"`
	Example json.RawMessage `json:"example,omitempty"`
}

// text writes a value as JSON; nil, which is nothing, as nothing.
func text(value any) json.RawMessage {
	if value == nil {
		return nil
	}
	return mustText(value)
}

// mustText is text for a value that may be null.
func mustText(value any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err) // it was decoded from JSON
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
