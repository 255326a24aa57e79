package runtime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/capgen/capgen/capabilities"
)

// Authorizer decides, for one request, whether its caller may see and call a protected capability, beyond holding its scopes. It is called
// by several goroutines at once. An error or a panic is a no, with its text in the log.
type Authorizer func(ctx context.Context, def *capabilities.Definition) (bool, error)

// ResolveContext is for applications that own the boundary: the function says who sends a request, and what that caller may do. It is given
// what [WithBearer] found, or nil, and returns the principal, nil for an anonymous caller, and the authorizer, nil to admit public reads
// alone. It is called for each request before its body is read, by several goroutines at once. An error ends the request with 503 as
// context-unavailable; its text goes to the log alone.
//
// It takes the place of [WithGrants] and [DiscoverProtected] and cannot be combined with them. The declared scopes are still needed, and a
// destructive capability still needs [WithExposure].
func ResolveContext(f func(r *http.Request, p *capabilities.Principal) (*capabilities.Principal, Authorizer, error)) Option {
	return func(c *config) {
		if f == nil {
			c.refuse("runtime.ResolveContext: the function is nil")
		}
		c.access.resolve = f
	}
}

type resolver = func(*http.Request, *capabilities.Principal) (*capabilities.Principal, Authorizer, error)

func (x *exchange) resolve(f resolver, p *capabilities.Principal) (resolved *capabilities.Principal, authorizer Authorizer, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("panic: %v\n%s", value, debug.Stack())
		}
	}()
	// A copy, so that what the application changes does not reach a verifier's cache.
	if p != nil {
		copied := p.Clone()
		p = &copied
	}
	resolved, authorizer, err = f(x.r, p)
	if err == nil && resolved != nil && !resolved.Identified() {
		err = errors.New("the principal has no issuer, or neither a subject nor a client")
	}
	return resolved, authorizer, err
}

type authorizerKey struct{}

func withAuthorizer(ctx context.Context, a Authorizer) context.Context {
	return context.WithValue(ctx, authorizerKey{}, a)
}

func authorizerFrom(ctx context.Context) Authorizer {
	a, _ := ctx.Value(authorizerKey{}).(Authorizer)
	return a
}
