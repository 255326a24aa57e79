package executor

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/capgen/capgen/capabilities"
)

// Policy decides what the caller that ctx stands for may see and call. It is asked once a call and once a list, so that one answer
// of a store serves a whole list. It is called by several goroutines at once.
type Policy func(ctx context.Context) Admission

// Admission is the policy's decision for one caller and one call or list. It is used by one goroutine.
type Admission interface {
	// Decide decides about a capability; a nil definition stands for a name that nothing has. Whoever may not know of a capability must
	// be answered as if it did not exist, so a decision that needs a store asks it for nil as well: an outage would otherwise tell
	// hidden names from unknown ones.
	Decide(def *capabilities.Definition) Decision
}

// Decision says whether a capability is listed and whether it may be called.
type Decision struct {
	// Visible says that the capability is listed.
	Visible bool
	// Failure says why a call is refused; nil admits it. A capability that is not visible is never admitted.
	Failure *capabilities.Failure
}

// Admit is the decision that a capability is listed and may be called.
var Admit = Decision{Visible: true}

// Hide is the decision that a capability does not exist for the caller. The cause is for the log and may be nil.
func Hide(cause error) Decision {
	return Decision{Failure: &capabilities.Failure{Kind: capabilities.NotExposed, Cause: cause}}
}

// MissingScopes is the cause of a failure of kind unauthorized when scopes alone are missing: with them the call would be admitted.
type MissingScopes struct {
	// Scopes are all that the call needs, those that the caller has too.
	Scopes []string
}

// Error names the scopes.
func (m *MissingScopes) Error() string {
	return "the call needs the scopes " + strings.Join(m.Scopes, " ")
}

// PublicReads is the default policy: it admits public reads and hides all else. There is no implicit allow-all.
func PublicReads(context.Context) Admission { return publicReads{} }

type publicReads struct{}

func (publicReads) Decide(def *capabilities.Definition) Decision {
	if def != nil && capabilities.PublicRead(def) {
		return Admit
	}
	return Hide(nil)
}

// admission is an Admission whose panics are a no, and a no like any other: were one answered as authorization-error, a caller could
// tell a capability that it may not see from one that does not exist. The panic is the failure's cause, for the log.
type admission struct{ application Admission }

func (e *Executor) begin(ctx context.Context) (a admission) {
	defer func() {
		if value := recover(); value != nil {
			a = admission{hidden{policyPanic(value)}}
		}
	}()
	return admission{e.options.Policy(ctx)}
}

func (a admission) decide(def *capabilities.Definition) (decision Decision) {
	defer func() {
		if value := recover(); value != nil {
			decision = Hide(policyPanic(value))
		}
	}()
	decision = a.application.Decide(def)
	if !decision.Visible && decision.Failure == nil {
		decision = Hide(nil)
	}
	return decision
}

// hidden hides everything for one reason.
type hidden struct{ cause error }

func (h hidden) Decide(*capabilities.Definition) Decision { return Hide(h.cause) }

func policyPanic(value any) error {
	return fmt.Errorf("the policy panicked: %v\n%s", value, debug.Stack())
}
