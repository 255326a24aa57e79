package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/grants"
)

// access is who may see and call what, as the options say it.
type access struct {
	bearer            *Bearer
	resolve           resolver
	grants            *Grants
	canDiscover       func(context.Context, *capabilities.Definition) bool
	discoverProtected func(context.Context, *capabilities.Definition, capabilities.Principal) bool
	exposure          *Exposure
	stdio             *capabilities.Principal // who the client of ServeStdio is
}

// asks reports whether anything but the capability itself decides.
func (a *access) asks() bool { return a.grants != nil || a.resolve != nil || a.canDiscover != nil }

// Grants are the lasting permissions of callers: a token says who calls and what it was issued for, a grant what that caller may do here.
type Grants struct {
	// Store holds the grants; see package grants. It is asked once a call of a capability that is not a public read, and once a list, so that a
	// revocation acts on the next call. It must not be nil.
	Store grants.Store
	// Application is this application's name in its grants. Several may share a store. It must not be empty.
	Application string
	// PolicyRevision is the revision of the application's policy that grants must have been issued under, such as "2"; a new one makes
	// the old grants void. Empty is a revision like any other.
	PolicyRevision string
}

// WithGrants admits callers to protected capabilities: those whose token holds the capability's scopes and who have an active grant of the
// same scopes, bound to their issuer, subject, client, tenant and audience. One grant must hold all of them. It needs [WithBearer], or
// [StdioPrincipal] for [ServeStdio], and [DiscoverProtected].
func WithGrants(g Grants) Option {
	return func(c *config) {
		if g.Store == nil {
			c.refuse("runtime.WithGrants: the Store is nil: make one with package grants or sqlstore")
		}
		if g.Application == "" {
			c.refuse("runtime.WithGrants: the Application is empty: write the name that grants are issued for")
		}
		c.access.grants = &g
	}
}

// DiscoverProtected says that protected capabilities may be seen at all, and may narrow which: it is asked of those that the caller's scopes and
// grant admit, and what it hides can't be called either. It is called by several goroutines at once; a panic is a no. It needs [WithGrants].
func DiscoverProtected(f func(ctx context.Context, def *capabilities.Definition, p capabilities.Principal) bool) Option {
	return func(c *config) {
		if f == nil {
			c.refuse("runtime.DiscoverProtected: the function is nil: return true to show all that is granted")
		}
		c.access.discoverProtected = f
	}
}

// CanDiscover narrows which public reads are seen; what it hides can't be called either. [capabilities.PrincipalFrom] tells who asks, if
// anybody is known. It is called by several goroutines at once; a panic is a no. The default is that everybody sees them.
func CanDiscover(f func(ctx context.Context, def *capabilities.Definition) bool) Option {
	return func(c *config) {
		if f == nil {
			c.refuse("runtime.CanDiscover: the function is nil")
		}
		c.access.canDiscover = f
	}
}

// Exposure says which capabilities the application lets out that no scope and no grant alone lets out.
type Exposure struct {
	// MCP is what agents may reach.
	MCP Surface
}

// Surface is one way in.
type Surface struct {
	// Destructive are the destructive capabilities that may be listed and called here, by their exact IDs. Each must be bound.
	Destructive []capabilities.ID
}

// WithExposure lets destructive capabilities out, one by one. Callers still need what every protected capability needs. The default
// is that none is.
func WithExposure(e Exposure) Option {
	return func(c *config) {
		e.MCP.Destructive = slices.Clone(e.MCP.Destructive)
		c.access.exposure = &e
	}
}

// check names every combination that cannot work.
func (a *access) check(tools *toolbox) error {
	var errs []error
	refuse := func(wrong bool, text string) {
		if wrong {
			errs = append(errs, errors.New(text))
		}
	}
	refuse(a.resolve != nil && a.grants != nil,
		"runtime.ResolveContext and runtime.WithGrants both say what a caller may do: leave one out")
	refuse(a.resolve != nil && a.discoverProtected != nil,
		"runtime.ResolveContext and runtime.DiscoverProtected both say what a caller may see: have the Authorizer decide")
	refuse(a.grants != nil && a.bearer == nil && a.stdio == nil,
		"runtime.WithGrants needs callers that are known: add runtime.WithBearer")
	refuse(a.grants != nil && a.resolve == nil && a.discoverProtected == nil,
		"runtime.WithGrants admits nobody while protected capabilities are not discovered: add runtime.DiscoverProtected")
	refuse(a.discoverProtected != nil && a.resolve == nil && a.grants == nil,
		"runtime.DiscoverProtected shows what is granted: add runtime.WithGrants")
	refuse(a.bearer != nil && a.bearer.ChallengeScopes && a.grants == nil && a.resolve == nil,
		"Bearer.ChallengeScopes asks for scopes that admit nobody: add runtime.WithGrants or runtime.ResolveContext")
	refuse(a.exposure != nil && a.grants == nil && a.resolve == nil,
		"runtime.WithExposure lets nothing out while nobody is admitted: add runtime.WithGrants or runtime.ResolveContext")
	if a.exposure != nil {
		for i, id := range a.exposure.MCP.Destructive {
			switch t := tools.byID[id]; {
			case t == nil:
				errs = append(errs, fmt.Errorf("runtime.WithExposure: %s is not served here: bind it, or take it from the list", id))
			case t.definition.Risk != capabilities.Destructive:
				errs = append(errs, fmt.Errorf("runtime.WithExposure: %s is not destructive, so it needs no exposure: take it from the list", id))
			case slices.Contains(a.exposure.MCP.Destructive[:i], id):
				errs = append(errs, fmt.Errorf("runtime.WithExposure: %s is there twice", id))
			}
		}
	}
	return errors.Join(errs...)
}

// cacheScope says whether two callers may share what is listed: not as soon as anything may depend on who asks.
func (a *access) cacheScope() string {
	if a.bearer != nil || a.resolve != nil || a.canDiscover != nil || a.stdio != nil {
		return "private"
	}
	return "public"
}

// isExposed reports whether a destructive capability may be reached.
func (a *access) isExposed(id capabilities.ID) bool {
	return a.exposure != nil && slices.Contains(a.exposure.MCP.Destructive, id)
}
