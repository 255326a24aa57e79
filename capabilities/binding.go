package capabilities

import "context"

// Binding joins a handler to a capability. Make one with [Handle], [Do] or a generated Bind; the zero Binding is refused
// by [NewRegistry]. It is safe for concurrent use if its handler is.
type Binding struct {
	name       string
	definition func() (*Definition, error)
	decode     func(text []byte) (Invocation, error)
	err        error
}

// Bindings are the bindings of one package, as a generated Bind returns them.
type Bindings []Binding

// BindOption says more about a binding.
type BindOption func(*Binding)

// Named gives a binding a name, which observations show. The default is the capability's ID.
func Named(name string) BindOption {
	return func(b *Binding) { b.name = name }
}

// Handle binds a function to the capability that its input declares. The function must return when its context ends, and
// must be safe for concurrent use. An error from [Errorf] is the caller's to read; any other stays inside.
func Handle[In Declared[In, Out], Out any](f func(context.Context, In) (Out, error), opts ...BindOption) Binding {
	var in In
	capability := in.Capability()
	b := Binding{
		definition: capability.definition,
		decode: func(text []byte) (Invocation, error) {
			in, err := capability.Decode(text)
			if err != nil {
				return nil, err
			}
			return &invocation[In, Out]{capability: capability, handler: f, in: in}, nil
		},
	}
	if f == nil {
		b.err = errNilHandler
	}
	for _, opt := range opts {
		opt(&b)
	}
	return b
}

// Do binds a function that has no result to give to a capability that returns [Nothing]; the result is {}. Otherwise it is
// as [Handle].
func Do[In Declared[In, Nothing]](f func(context.Context, In) error, opts ...BindOption) Binding {
	if f == nil {
		return Handle[In, Nothing](nil, opts...)
	}
	return Handle(func(ctx context.Context, in In) (Nothing, error) { return Nothing{}, f(ctx, in) }, opts...)
}

// Definition returns the definition of the capability that is bound.
func (b Binding) Definition() *Definition {
	d, err := b.definition()
	if err != nil {
		panic(err)
	}
	return d
}

// Name returns the binding's name.
func (b Binding) Name() string {
	if b.name != "" {
		return b.name
	}
	return b.Definition().ID.String()
}

// Decode checks and decodes an input text; what it returns runs the handler on it. The error is a [Problems] when the text is at
// fault. Runtimes call it; applications use [Call].
func (b Binding) Decode(text []byte) (Invocation, error) { return b.decode(text) }

// Invocation is one decoded call of one binding. Runtimes drive it: Run once, then Result or Encode. It is not safe for
// concurrent use.
type Invocation interface {
	// Run calls the handler and keeps its result. A panic of the handler passes through.
	Run(ctx context.Context) error
	// Result returns what the handler returned, of the capability's Out type.
	Result() any
	// Encode returns the result's JSON after checking it; its errors are those of [Capability.Encode].
	Encode() ([]byte, error)
}

type invocation[In, Out any] struct {
	capability *Capability[In, Out]
	handler    func(context.Context, In) (Out, error)
	in         In
	out        Out
}

func (i *invocation[In, Out]) Run(ctx context.Context) (err error) {
	i.out, err = i.handler(ctx, i.in)
	return err
}

func (i *invocation[In, Out]) Result() any { return i.out }

func (i *invocation[In, Out]) Encode() ([]byte, error) { return i.capability.Encode(i.out) }
