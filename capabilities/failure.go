package capabilities

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxDeclinedText bounds what a handler's own answer adds to a failure's text, in bytes.
const maxDeclinedText = 1024

// mayHaveCompleted is what is said after the sentence of a write that was stopped.
const mayHaveCompleted = " It may have completed: check before trying again."

// Failure is a call that did not succeed. Its text is bounded and safe to send to the caller; Cause is not.
type Failure struct {
	// Kind says why.
	Kind Kind
	// Problems are what is wrong with the input or the result; empty for other kinds.
	Problems Problems
	// Cause is the error behind the failure, for the log alone; may be nil.
	Cause error
	// MayHaveCompleted says that a write was under way when the call was stopped.
	MayHaveCompleted bool
}

// Error returns [Failure.Text], so that a failure printed by accident leaks nothing.
func (f *Failure) Error() string { return f.Text() }

// Unwrap returns the cause and the problems.
func (f *Failure) Unwrap() []error {
	var errs []error
	if f.Cause != nil {
		errs = append(errs, f.Cause)
	}
	if len(f.Problems) > 0 {
		errs = append(errs, f.Problems)
	}
	return errs
}

// Text returns what the caller is told: the kind's fixed sentence; for invalid-input the problems too, one a line; for
// declined the handler's code and text instead; after a stopped write, that it may have completed.
func (f *Failure) Text() string {
	if declined, ok := f.Cause.(*Error); ok && f.Kind == Declined {
		return cut(declined.Error(), maxDeclinedText)
	}
	var b strings.Builder
	b.WriteString(f.Kind.Sentence())
	if f.MayHaveCompleted {
		b.WriteString(mayHaveCompleted)
	}
	if f.Kind == InvalidInput {
		for _, p := range f.Problems {
			fmt.Fprintf(&b, "\n%s: %s (%s)", orRoot(p.Pointer), p.Message, p.Keyword)
		}
	}
	return b.String()
}

func orRoot(pointer string) string {
	if pointer == "" {
		return "the input"
	}
	return pointer
}

// cut shortens a text to at most limit bytes at a character's boundary, and makes it valid UTF-8.
func cut(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= limit {
		return text
	}
	end := limit - len("…")
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
