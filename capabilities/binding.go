package capabilities

import (
	"context"
	"errors"
	"reflect"
	"slices"
)

// Binding joins a handler to a capability. Make one with [Handle], [Do] or a generated Bind; the zero Binding is refused
// by [NewRegistry]. It is safe for concurrent use if its handler is.
type Binding struct {
	name       string
	targets    []Target
	definition func() (*Definition, error)
	schemas    func() error
	decode     func(text []byte) (Invocation, error)
	resource   resource
	// input is the capability struct, and meant are those that options were given for.
	input reflect.Type
	meant []reflect.Type
	errs  []error
}

// Bindings are the bindings of one package, as a generated Bind returns them.
type Bindings []Binding

// BindOption says more about a binding. A generated Bind gives its options to every binding that it makes; [For] gives them to one.
type BindOption func(*Binding)

// Named gives a binding a name, which observations show and by which a caller chooses between several. The default is the
// capability's ID.
func Named(name string) BindOption {
	return func(b *Binding) { b.name = name }
}

// Target is where a binding serves.
type Target string

// The targets.
const (
	// TargetServer is the network: what a runtime serves to agents.
	TargetServer Target = "server"
	// TargetLocal is this process: [Call] with a [Registry].
	TargetLocal Target = "local"
)

// On says where a binding serves. The default is everywhere.
func On(targets ...Target) BindOption {
	return func(b *Binding) {
		if len(targets) == 0 {
			b.refuse("capabilities.On names no target: write TargetServer or TargetLocal")
		}
		for _, target := range targets {
			if target != TargetServer && target != TargetLocal {
				b.refuse("capabilities.On: there is no target " + string(target) + ": write TargetServer or TargetLocal")
			}
		}
		b.targets = slices.Clone(targets)
	}
}

// For gives options to the binding of one capability, named by its input, among those that a generated Bind makes.
func For[In any](opts ...BindOption) BindOption {
	return func(b *Binding) {
		input := reflect.TypeFor[In]()
		b.meant = append(b.meant, input)
		if b.input == input {
			b.apply(opts)
		}
	}
}

// Handle binds a function to the capability that its input declares. The function must return when its context ends, and
// must be safe for concurrent use. An error from [Errorf] is the caller's to read; any other stays inside.
func Handle[In Declared[In, Out], Out any](f func(context.Context, In) (Out, error), opts ...BindOption) Binding {
	var in In
	capability := in.Capability()
	b := Binding{definition: capability.definition, schemas: capability.check, targets: []Target{TargetServer, TargetLocal}, input: reflect.TypeFor[In]()}
	if f == nil {
		b.refuse("the handler is nil")
	}
	b.apply(opts)
	authorize, _ := b.resource.check.(func(context.Context, In, Principal) error)
	b.decode = func(text []byte) (Invocation, error) {
		in, err := capability.Decode(text)
		if err != nil {
			return nil, err
		}
		return &invocation[In, Out]{capability: capability, authorize: authorize, handler: f, in: in}, nil
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

func (b *Binding) apply(opts []BindOption) {
	for _, opt := range opts {
		if opt == nil {
			b.refuse("a bind option is nil")
			continue
		}
		opt(b)
	}
}

func (b *Binding) refuse(text string) { b.errs = append(b.errs, errors.New(text)) }

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

// Serves reports whether the binding serves a target.
func (b Binding) Serves(target Target) bool { return slices.Contains(b.targets, target) }

// Decode checks and decodes an input text; what it returns runs the handler on it. The error is a [Problems] when the text is at
// fault. Runtimes call it; applications use [Call].
func (b Binding) Decode(text []byte) (Invocation, error) { return b.decode(text) }

// Invocation is one decoded call of one binding. Runtimes drive it: Authorize, Run once, then Result or AppendResult. It is not safe
// for concurrent use.
type Invocation interface {
	// Authorize asks whether the principal may do this to the resource that the input names; see [AuthorizeResource].
	Authorize(ctx context.Context, p Principal) error
	// Run calls the handler and keeps its result. A panic of the handler passes through.
	Run(ctx context.Context) error
	// Result returns what the handler returned, of the capability's Out type.
	Result() any
	// AppendResult appends the result's JSON to dst after checking it; its errors are those of [Capability.Encode].
	AppendResult(dst []byte) ([]byte, error)
}

type invocation[In, Out any] struct {
	capability *Capability[In, Out]
	authorize  func(context.Context, In, Principal) error // nil when there is nothing to ask
	handler    func(context.Context, In) (Out, error)
	in         In
	out        Out
}

func (i *invocation[In, Out]) Authorize(ctx context.Context, p Principal) error {
	if i.authorize == nil {
		return nil
	}
	return i.authorize(ctx, i.in, p)
}

func (i *invocation[In, Out]) Run(ctx context.Context) (err error) {
	i.out, err = i.handler(ctx, i.in)
	return err
}

func (i *invocation[In, Out]) Result() any { return i.out }

func (i *invocation[In, Out]) AppendResult(dst []byte) ([]byte, error) {
	return i.capability.append(dst, &i.out)
}
