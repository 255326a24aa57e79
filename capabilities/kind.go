package capabilities

// Kind says why a call did not succeed. The set is closed; a program may switch over it.
type Kind string

// The kinds, in the order in which the pipeline can end a call.
const (
	// InvalidIdentity: what the caller presented as its identity was refused.
	InvalidIdentity Kind = "invalid-identity"
	// ContextUnavailable: the application could not say who is calling.
	ContextUnavailable Kind = "context-unavailable"
	// CapabilityMissing: nothing of that ID or name is declared.
	CapabilityMissing Kind = "capability-missing"
	// NotExposed: the capability exists, but not for this caller. What the caller sees is what it sees for CapabilityMissing.
	NotExposed Kind = "not-exposed"
	// BindingUnavailable: the capability has no handler here.
	BindingUnavailable Kind = "binding-unavailable"
	// BindingAmbiguous: the capability has several handlers and the call names none.
	BindingAmbiguous Kind = "binding-ambiguous"
	// Overloaded: as many calls as are allowed run already.
	Overloaded Kind = "overloaded"
	// InvalidInput: the input breaks the input schema; the failure holds the problems.
	InvalidInput Kind = "invalid-input"
	// Unauthorized: the caller may not do this to that resource.
	Unauthorized Kind = "unauthorized"
	// AuthorizationError: the resource check itself failed.
	AuthorizationError Kind = "authorization-error"
	// Declined: the handler answered with an [Error].
	Declined Kind = "declined"
	// HandlerFailed: the handler returned another error.
	HandlerFailed Kind = "handler-failed"
	// HandlerPanicked: the handler panicked.
	HandlerPanicked Kind = "handler-panicked"
	// DeadlineExceeded: the handler did not return in time.
	DeadlineExceeded Kind = "deadline-exceeded"
	// Cancelled: the caller gave up, or its session or the server ended.
	Cancelled Kind = "cancelled"
	// InvalidOutput: the result breaks the output schema.
	InvalidOutput Kind = "invalid-output"
	// ResultNotSerializable: the result has no JSON form.
	ResultNotSerializable Kind = "result-not-serializable"
	// AdapterError: something between the network and the pipeline went wrong.
	AdapterError Kind = "adapter-error"
)

// sentences are what a caller is told of each kind: fixed, so that nothing inside can leak.
var sentences = map[Kind]string{
	InvalidIdentity:       "The caller's identity was refused.",
	ContextUnavailable:    "The call's context is not available.",
	CapabilityMissing:     "There is no such capability.",
	NotExposed:            "There is no such capability.",
	BindingUnavailable:    "The capability is not available here.",
	BindingAmbiguous:      "The capability has several bindings and the call names none.",
	Overloaded:            "The server is at its limit of running calls. Try again later.",
	InvalidInput:          "The input does not match the schema.",
	Unauthorized:          "The caller is not allowed to do this.",
	AuthorizationError:    "Whether the caller is allowed to do this could not be decided.",
	Declined:              "The call was declined.",
	HandlerFailed:         "The capability failed.",
	HandlerPanicked:       "The capability failed.",
	DeadlineExceeded:      "The call took too long and was stopped.",
	Cancelled:             "The call was cancelled.",
	InvalidOutput:         "The capability's result does not match its schema.",
	ResultNotSerializable: "The capability's result cannot be sent.",
	AdapterError:          "The call could not be carried out.",
}

// Sentence returns the fixed text that a caller is told.
func (k Kind) Sentence() string { return sentences[k] }
