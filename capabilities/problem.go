package capabilities

import "strings"

// MaxProblems is how many problems a check collects before it stops looking.
const MaxProblems = 16

// Problem is one thing wrong with an input or a result. It is built from the schema and never holds a value that the
// caller sent, so it is safe to log and to send back.
type Problem struct {
	// Pointer is the JSON Pointer (RFC 6901) of the value at fault; "" is the whole input. A name that is not the
	// schema's own, as a map's key, is written *.
	Pointer string `json:"pointer"`
	// Keyword is the JSON Schema keyword that failed, or "syntax" for a text that is not JSON.
	Keyword string `json:"keyword"`
	// Message says what the schema wants, for a person or a model.
	Message string `json:"message"`
}

// Problems is the error of a check that failed: at least one problem and at most [MaxProblems], in an order
// that depends on the text alone.
// Find it with errors.As.
type Problems []Problem

// Error lists the problems, each as its pointer and its message, separated by "; ".
func (p Problems) Error() string {
	var b strings.Builder
	for i, problem := range p {
		if i > 0 {
			b.WriteString("; ")
		}
		if problem.Pointer != "" {
			b.WriteString(problem.Pointer)
			b.WriteString(": ")
		}
		b.WriteString(problem.Message)
	}
	return b.String()
}
