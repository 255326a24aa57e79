package capabilities

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Part is something a registry is built from: a [Binding] or [Bindings].
type Part interface {
	parts() []Binding
}

func (b Binding) parts() []Binding  { return []Binding{b} }
func (b Bindings) parts() []Binding { return b }

// Registry holds the capabilities a program offers and the bindings behind them. It does not change once built and is safe for
// concurrent use. It is itself a [Caller], of the bindings for [TargetLocal] and for public reads.
type Registry struct {
	bindings map[ID][]Binding
	sorted   []*Definition
}

// NewRegistry joins bindings into a registry. The error names every contradiction at once: a handler that is nil, a capability
// bound twice under one name, a protected one without a resource check, a generated contract that was edited, two capabilities whose
// tool names are the same for some client.
func NewRegistry(parts ...Part) (*Registry, error) {
	r, err := join(parts)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// join returns what can be joined, and what is wrong with the rest.
func join(parts []Part) (*Registry, error) {
	r := &Registry{bindings: map[ID][]Binding{}}
	var errs []error
	var all []Binding
	for _, part := range parts {
		if part == nil {
			errs = append(errs, errors.New("a part is nil"))
			continue
		}
		for _, b := range part.parts() {
			all = append(all, b)
			errs = append(errs, r.add(b))
		}
	}
	r.sort()
	return r, errors.Join(append(errs, checkMeant(all), r.checkToolNames())...)
}

func (r *Registry) add(b Binding) error {
	if b.definition == nil {
		return errors.New("a binding is the zero Binding: make it with capabilities.Handle, capabilities.Do or a generated Bind")
	}
	def, err := b.definition()
	if err != nil {
		return err
	}
	errs := append(b.errs, b.schemas(), b.checkResource(def), r.checkName(def, b))
	for i, err := range errs {
		if err != nil {
			errs[i] = fmt.Errorf("%s: %w", def.ID, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if len(r.bindings[def.ID]) == 0 {
		r.sorted = append(r.sorted, def)
	}
	b.name = b.Name() // so that a call need not put it together
	r.bindings[def.ID] = append(r.bindings[def.ID], b)
	return nil
}

// sort orders the definitions by ID.
func (r *Registry) sort() {
	ids := make(map[*Definition]string, len(r.sorted))
	for _, def := range r.sorted {
		ids[def] = def.ID.String()
	}
	slices.SortFunc(r.sorted, func(a, b *Definition) int { return strings.Compare(ids[a], ids[b]) })
}

// checkName refuses a second binding that no caller could tell from the first.
func (r *Registry) checkName(def *Definition, b Binding) error {
	for _, other := range r.bindings[def.ID] {
		// One definition decides who may call, so there must be one.
		if other.input != b.input {
			return fmt.Errorf("it is declared by %s and by %s: give one of them another ID", other.input, b.input)
		}
		if other.Name() == b.Name() && slices.ContainsFunc(b.targets, other.Serves) {
			return fmt.Errorf("it is bound twice as %q: remove one of the bindings, or name one with capabilities.Named", b.Name())
		}
	}
	return nil
}

func (r *Registry) checkToolNames() error {
	var errs []error
	taken := map[string]*Definition{}
	for _, def := range r.sorted {
		if err := CheckToolName(def.Tool); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", def.ID, err))
		}
		folded := FoldToolName(def.Tool)
		if other, clash := taken[folded]; clash {
			errs = append(errs, fmt.Errorf("%s and %s have tool names that some clients cannot tell apart, %q and %q: give one another name with tool=",
				other.ID, def.ID, other.Tool, def.Tool))
			continue
		}
		taken[folded] = def
	}
	return errors.Join(errs...)
}

// Definitions returns what is declared, sorted by ID. The slice is the caller's.
func (r *Registry) Definitions() []*Definition { return slices.Clone(r.sorted) }

// Definition returns the definition of a capability, and whether there is one.
func (r *Registry) Definition(id ID) (*Definition, bool) {
	if bound := r.bindings[id]; len(bound) > 0 {
		return bound[0].Definition(), true
	}
	return nil, false
}

// Bindings returns the bindings of a capability that serve a target, in the order in which they were given.
func (r *Registry) Bindings(id ID, target Target) []Binding {
	var serving []Binding
	for _, b := range r.bindings[id] {
		if b.Serves(target) {
			serving = append(serving, b)
		}
	}
	return serving
}

// Select returns the one binding that serves a capability for a target; name chooses between several and is otherwise empty. The
// failure is capability-missing, binding-unavailable or binding-ambiguous.
func (r *Registry) Select(id ID, target Target, name string) (Binding, *Failure) {
	bound := r.bindings[id]
	found, count := 0, 0
	for i := range bound {
		if bound[i].Serves(target) && (name == "" || name == bound[i].Name()) {
			found = i
			count++
		}
	}
	switch {
	case count == 1:
		return bound[found], nil
	case len(bound) == 0:
		return Binding{}, &Failure{Kind: CapabilityMissing}
	case count == 0:
		return Binding{}, &Failure{Kind: BindingUnavailable}
	}
	return Binding{}, &Failure{Kind: BindingAmbiguous}
}

// Invoke implements [Caller] with the default policy, which admits public reads, and [DefaultDeadline].
func (r *Registry) Invoke(ctx context.Context, request Request) (Outcome, error) {
	def, found := r.Definition(request.ID)
	if !found {
		return Outcome{}, &Failure{Kind: CapabilityMissing}
	}
	if !PublicRead(def) {
		return Outcome{}, &Failure{Kind: NotExposed}
	}
	b, failure := r.Select(request.ID, TargetLocal, request.Binding)
	if failure != nil {
		return Outcome{}, failure
	}
	outcome, failure := b.Invoke(ctx, request.Input, Limits{})
	if failure != nil {
		return Outcome{}, failure
	}
	return outcome, nil
}

// PublicRead reports whether a capability is open to everybody: read risk and public access. It is what is admitted where
// nothing else was configured.
func PublicRead(def *Definition) bool { return def.Risk == Read && def.Access.Public() }
