package capabilities

import "strings"

// toldKinds are the kinds whose sentences callers read, in the order in which they are looked for: of two with one sentence the first is meant.
var toldKinds = []Kind{
	InvalidInput, Unauthorized, Declined, HandlerFailed, DeadlineExceeded, Cancelled, CapabilityMissing, BindingUnavailable, BindingAmbiguous,
	Overloaded, AuthorizationError, InvalidOutput, ResultNotSerializable, InvalidIdentity, ContextUnavailable, AdapterError,
}

// ParseFailure reads back what [Failure.Text] wrote, as far as that can be told: a handler that panicked is one that failed. Problems are those
// that came with the text. A text of another form is that of a handler's own answer, [Declined], whose code is the word before its first ": " or "".
func ParseFailure(text string, problems Problems) *Failure {
	for _, kind := range toldKinds {
		rest, ok := strings.CutPrefix(text, kind.Sentence())
		if !ok {
			continue
		}
		switch {
		case rest == "" || kind == InvalidInput && rest[0] == '\n':
			return &Failure{Kind: kind, Problems: problems}
		case rest == mayHaveCompleted:
			return &Failure{Kind: kind, MayHaveCompleted: true}
		}
	}
	code, own, found := strings.Cut(text, ": ")
	if !found || strings.ContainsAny(code, " \n") {
		code, own = "", text
	}
	return &Failure{Kind: Declined, Cause: &Error{Code: code, Text: own}}
}
