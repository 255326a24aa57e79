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
// concurrent use. It is itself a [Caller], for public reads.
type Registry struct {
	bindings map[ID]Binding
	sorted   []*Definition
}

// NewRegistry joins bindings into a registry. The error names every contradiction at once: a handler that is nil, a capability
// bound twice, a generated contract that was edited, two capabilities whose tool names are the same for some client.
func NewRegistry(parts ...Part) (*Registry, error) {
	r := &Registry{bindings: map[ID]Binding{}}
	var errs []error
	for _, part := range parts {
		if part == nil {
			errs = append(errs, errors.New("a part is nil"))
			continue
		}
		for _, b := range part.parts() {
			errs = append(errs, r.add(b))
		}
	}
	slices.SortFunc(r.sorted, func(a, b *Definition) int { return strings.Compare(a.ID.String(), b.ID.String()) })
	errs = append(errs, r.checkToolNames())
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *Registry) add(b Binding) error {
	if b.definition == nil {
		return errors.New("a binding is the zero Binding: make it with capabilities.Handle, capabilities.Do or a generated Bind")
	}
	def, err := b.definition()
	switch {
	case err != nil:
		return err
	case b.err != nil:
		return fmt.Errorf("%s: %w", def.ID, b.err)
	}
	if _, bound := r.bindings[def.ID]; bound {
		return fmt.Errorf("%s is bound twice: remove one of the bindings", def.ID)
	}
	r.bindings[def.ID] = b
	r.sorted = append(r.sorted, def)
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

// Binding returns the binding of a capability, and whether there is one.
func (r *Registry) Binding(id ID) (Binding, bool) {
	b, ok := r.bindings[id]
	return b, ok
}

// Invoke implements [Caller] with the default policy, which admits public reads, and [DefaultDeadline].
func (r *Registry) Invoke(ctx context.Context, id ID, input []byte) (Outcome, error) {
	b, found := r.Binding(id)
	if !found {
		return Outcome{}, &Failure{Kind: CapabilityMissing}
	}
	if !PublicRead(b.Definition()) {
		return Outcome{}, &Failure{Kind: NotExposed}
	}
	outcome, failure := b.Invoke(ctx, input, Limits{})
	if failure != nil {
		return Outcome{}, failure
	}
	return outcome, nil
}

// PublicRead reports whether a capability is open to everybody: read risk and public access. It is what is admitted where
// nothing else was configured.
func PublicRead(def *Definition) bool { return def.Risk == Read && def.Access.Public() }
