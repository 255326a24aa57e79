package capabilities

// Returns marks a struct as a capability and names the type of its result. Embed it first:
//
//	type AlbumLookup struct {
//		capabilities.Returns[Album]
//
//		Slug string `json:"slug"`
//	}
//
// Out may be any type. A pointer is only how Go passes the value: Returns[*Album] has Album's schema, and a nil result is
// a failure of kind invalid-output.
type Returns[Out any] struct{}

//lint:ignore U1000 [Declared] asks for it; the checker does not see that through the type parameters.
func (Returns[Out]) returns(Out) {}

// Nothing is the result of a capability that has none to give; its JSON is {}. See [Do].
type Nothing struct{}

// Declared is satisfied by a capability struct once capgen has generated its Capability method.
// In determines Out, so callers of [Handle] and [Call] never write either.
type Declared[In, Out any] interface {
	// Capability returns the one description of In, the same pointer every time.
	Capability() *Capability[In, Out]

	returns(Out)
}
