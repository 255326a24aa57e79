package capabilities

import (
	"context"
	"errors"
	"fmt"
	"reflect"
)

// ErrUnauthorized is what a resource check returns, as it is or wrapped, when the caller may not do this to that resource. The call
// fails with the kind unauthorized.
var ErrUnauthorized = errors.New("the caller is not allowed to do this to that resource")

// resource is what was said of the resource that a binding works on.
type resource struct {
	check any // a func(context.Context, In, Principal) error, or nil
	none  bool
}

// AuthorizeResource has a function asked, after the input is decoded and before the handler runs, whether the caller may do this to the
// resource that the input names: whether the record is the caller's, or its tenant's. Scopes and grants say what a caller may do at
// all; this says to what. It runs under the call's deadline, on any goroutine. An anonymous caller is the zero [Principal].
//
// Nil lets the call go on. [ErrUnauthorized] refuses it; an error from [Errorf] refuses it in the application's own words, such as
// "no such playlist" for one that the caller must not know of. Any other error, and a panic, refuse it as authorization-error, since
// it could not be decided.
//
// A protected capability is bound with it or with [NoResource], else [NewRegistry] fails. Given to a generated Bind, it goes to the
// binding whose input it takes.
func AuthorizeResource[In any](f func(ctx context.Context, in In, p Principal) error) BindOption {
	return For[In](func(b *Binding) {
		switch {
		case f == nil:
			b.refuse("capabilities.AuthorizeResource: the function is nil")
			b.resource.check = f
		case b.resource.check != nil:
			b.refuse("capabilities.AuthorizeResource is given twice: give one function that asks both")
		default:
			b.resource.check = f
		}
	})
}

// NoResource says of a protected capability that its input names nothing that belongs to somebody, so that scopes and grants say it all.
// Given to a generated Bind it speaks of every binding; use [For] to speak of one.
func NoResource() BindOption {
	return func(b *Binding) { b.resource.none = true }
}

// checkResource holds what was said against the definition.
func (b *Binding) checkResource(def *Definition) error {
	switch {
	case b.resource.check != nil && b.resource.none:
		return fmt.Errorf("it has both capabilities.AuthorizeResource and capabilities.NoResource: "+
			"write capabilities.For[T](capabilities.NoResource()) for each capability T that has no resource (this one is %s)", b.input)
	case !PublicRead(def) && b.resource.check == nil && !b.resource.none:
		return fmt.Errorf("it is protected, so say how its resource is authorised: bind it with capabilities.AuthorizeResource"+
			"(func(context.Context, %s, capabilities.Principal) error), or with capabilities.NoResource() if its input names nothing that is somebody's", b.input)
	}
	return nil
}

// checkMeant names the capabilities that options are meant for and that nothing binds.
func checkMeant(bindings []Binding) error {
	bound := map[reflect.Type]bool{}
	for _, b := range bindings {
		bound[b.input] = true
	}
	var errs []error
	for _, b := range bindings {
		for _, meant := range b.meant {
			if !bound[meant] {
				errs = append(errs, fmt.Errorf("a bind option is meant for %s, which is not bound", meant))
				bound[meant] = true // told once
			}
		}
	}
	return errors.Join(errs...)
}
