package codec

import "sync"

// Names are those of a struct with so many fields that generated code does not list them where it needs them. It is safe for
// concurrent use.
type Names struct {
	names []string
	// required holds, like names, the names of the members that must be there, and "" for the others.
	required []string
	numbers  func() map[string]int
}

// NewNames returns the names of a struct's members by their numbers; required has the bits of those that must be there.
func NewNames(required []uint64, names ...string) *Names {
	n := &Names{names: names, required: make([]string, len(names))}
	for i, name := range names {
		if Seen(required, i) {
			n.required[i] = name
		}
	}
	n.numbers = sync.OnceValue(func() map[string]int {
		numbers := make(map[string]int, len(n.names))
		for i, name := range n.names {
			numbers[name] = i
		}
		return numbers
	})
	return n
}

// Find returns a member's number, or -1 for a name that is none of these.
func (n *Names) Find(name []byte) int {
	if i, known := n.numbers()[string(name)]; known {
		return i
	}
	return -1
}

// UnknownOf is Unknown for a struct of many fields.
func (d *Decoder) UnknownOf(n *Names) { d.Unknown(n.names...) }

// ExtraOf is Extra for a struct of many fields.
func (d *Decoder) ExtraOf(n *Names) { d.Extra(n.names...) }

// RequireOf is Require for a struct of many fields.
func (d *Decoder) RequireOf(seen []uint64, n *Names) { d.Require(seen, n.required...) }
