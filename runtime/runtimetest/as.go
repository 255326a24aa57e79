package runtimetest

import (
	"context"
	"net/http"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

// ClientAs is [Client] for a test of what handlers and resource checks do: every request is the principal's, and everything whose scopes it
// holds is admitted, what destroys too. Without scopes it is given all that the registry's capabilities need. Whom a server really admits
// is shown by [Matrix]. The options must not say who calls, or who may do what.
func ClientAs(t testing.TB, p capabilities.Principal, registry *capabilities.Registry, options ...runtime.Option) *Session {
	t.Helper()
	if p.Issuer == "" {
		p.Issuer = "runtimetest"
	}
	var exposure runtime.Exposure
	givesAll := len(p.Scopes) == 0
	p = p.Clone()
	for _, def := range registry.Definitions() {
		if givesAll {
			p.Scopes = append(p.Scopes, def.Access.Scopes...)
		}
		if def.Risk == capabilities.Destructive && len(registry.Bindings(def.ID, capabilities.TargetServer)) == 1 {
			exposure.MCP.Destructive = append(exposure.MCP.Destructive, def.ID)
		}
	}
	resolve := func(*http.Request, *capabilities.Principal) (*capabilities.Principal, runtime.Authorizer, error) {
		return &p, func(context.Context, *capabilities.Definition) (bool, error) { return true, nil }, nil
	}
	return Client(t, registry, append(options, runtime.ResolveContext(resolve), runtime.WithExposure(exposure))...)
}
