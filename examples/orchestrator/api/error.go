package api

import "fmt"

// The codes of the task server's refusals.
const (
	UnknownTask = "unknown_task" // there is no task of that ID
	NotWaiting  = "not_waiting"  // the task waits for no approval
	KeyReused   = "key_reused"   // the key stands for another task
	Stopping    = "stopping"     // the task server takes no new tasks
	BadRequest  = "bad_request"  // the request is not what the task server understands
	Internal    = "internal"     // the task server failed; its log says why
)

// Error is the task server's refusal, with a text that is meant for whoever asked.
type Error struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// Errorf returns a refusal.
func Errorf(code, format string, args ...any) *Error {
	return &Error{Code: code, Text: fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string { return e.Code + ": " + e.Text }

// Unreachable says that no answer came from the task server.
type Unreachable struct {
	// Server is its URL.
	Server string
	// Sent says that the request may have arrived, so that what it asked for may have been done.
	Sent bool

	cause error
}

func (u *Unreachable) Error() string { return "the task server at " + u.Server + " does not answer" }

// Unwrap returns what went wrong.
func (u *Unreachable) Unwrap() error { return u.cause }
