package runtime

import (
	"context"
	"fmt"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/executor"
	"github.com/capgen/capgen/runtime/grants"
)

// policy is the executor's policy: the one decision that lists and calls share.
func (h *Handler) policy(ctx context.Context) executor.Admission {
	if !h.config.access.asks() {
		return executor.PublicReads(ctx)
	}
	principal, known := capabilities.PrincipalFrom(ctx)
	return &admission{access: &h.config.access, ctx: ctx, wait: h.config.policyWait, principal: principal, known: known}
}

// admission decides for one caller and one call or list.
type admission struct {
	access    *access
	ctx       context.Context
	wait      time.Duration
	principal capabilities.Principal
	known     bool

	asked  bool
	active []grants.Grant
	err    error
}

// Decide implements executor.Admission.
func (a *admission) Decide(def *capabilities.Definition) executor.Decision {
	if def != nil && capabilities.PublicRead(def) {
		seen, cause := a.isDiscovered(def)
		if seen {
			return executor.Admit
		}
		// What is hidden costs what an unknown name costs, and an outage of the store is told of both.
		if a.known {
			if failure := a.findGrants(); failure != nil {
				return executor.Decision{Failure: failure}
			}
		}
		return executor.Hide(cause)
	}
	// 1. Somebody must be known, and there must be something that admits.
	if !a.known || a.access.grants == nil && a.access.resolve == nil {
		return executor.Hide(nil)
	}
	// 2. The store, for names that nothing has as well: an outage looks the same for both.
	if failure := a.findGrants(); failure != nil {
		return executor.Decision{Failure: failure}
	}
	if def == nil {
		return executor.Hide(nil)
	}
	// 3. The application's explicit yes to what destroys.
	if def.Risk == capabilities.Destructive && !a.access.isExposed(def.ID) {
		return executor.Hide(nil)
	}
	// 4. What admits, and what narrows.
	if decision := a.permitted(def); !decision.Visible {
		return decision
	}
	// 5. The scopes that the token holds now.
	if a.access.bearer.covers(a.principal.Scopes, def.Access.Scopes) {
		return executor.Admit
	}
	if a.access.bearer == nil || !a.access.bearer.ChallengeScopes || def.Risk == capabilities.Destructive {
		return executor.Hide(nil)
	}
	needed := newScopes(a.access.bearer.RequiredScopes, def.Access.Scopes).list
	return executor.Decision{Visible: true, Failure: &capabilities.Failure{
		Kind: capabilities.Unauthorized, Cause: &executor.MissingScopes{Scopes: needed},
	}}
}

// isDiscovered asks the application about a public read; a panic is a no.
func (a *admission) isDiscovered(def *capabilities.Definition) (seen bool, cause error) {
	if a.access.canDiscover == nil {
		return true, nil
	}
	defer func() {
		if value := recover(); value != nil {
			seen, cause = false, fmt.Errorf("the function of runtime.CanDiscover panicked: %v", value)
		}
	}()
	return a.access.canDiscover(a.ctx, def), nil
}

// permitted asks what stands for a lasting permission: a grant, or the application's own authorizer.
func (a *admission) permitted(def *capabilities.Definition) executor.Decision {
	if a.access.resolve != nil {
		authorizer := authorizerFrom(a.ctx)
		if authorizer == nil {
			return executor.Hide(nil)
		}
		ok, err := authorizer(a.ctx, def)
		if !ok || err != nil {
			// Not authorization-error, which would tell that there is something to authorise.
			return executor.Hide(err)
		}
		return executor.Admit
	}
	for _, grant := range a.active {
		if a.access.bearer.covers(grant.Scopes, def.Access.Scopes) {
			if !a.access.discoverProtected(a.ctx, def, a.principal) {
				return executor.Hide(nil)
			}
			return executor.Admit
		}
	}
	return executor.Hide(nil)
}

// findGrants asks the store once.
func (a *admission) findGrants() *capabilities.Failure {
	if a.access.grants == nil || a.asked {
		return a.storeFailure()
	}
	a.asked = true
	ctx, cancel := context.WithTimeout(a.ctx, a.wait)
	defer cancel()
	key := grants.Key{
		Issuer:         a.principal.Issuer,
		Subject:        a.principal.Subject,
		ClientID:       a.principal.ClientID,
		TenantID:       a.principal.TenantID,
		Application:    a.access.grants.Application,
		Audience:       a.principal.Audience,
		PolicyRevision: a.access.grants.PolicyRevision,
	}
	var found []grants.Grant
	found, a.err = a.access.grants.Store.Find(ctx, key)
	now := time.Now()
	for _, grant := range found {
		if grant.Key == key && grant.ActiveAt(now) {
			a.active = append(a.active, grant)
		}
	}
	return a.storeFailure()
}

func (a *admission) storeFailure() *capabilities.Failure {
	switch {
	case a.err == nil:
		return nil
	case a.ctx.Err() != nil:
		return &capabilities.Failure{Kind: capabilities.Cancelled, Cause: a.err}
	}
	return &capabilities.Failure{Kind: capabilities.AuthorizationError, Cause: a.err}
}
