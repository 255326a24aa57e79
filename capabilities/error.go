package capabilities

import "fmt"

// Error is a handler's own answer that a call cannot be done, meant for the caller: a record that does not exist, a
// date that is taken. Its code and text reach the caller as they are (up to 1 KiB), so they must hold nothing secret.
// Any other error of a handler is a failure of kind handler-failed, whose text stays inside.
type Error struct {
	// Code is a stable word for programs, such as "unknown_zone".
	Code string
	// Text is for the person or model that called, and should say what to do instead.
	Text string

	cause error
}

// Errorf returns an *Error with a code and a text formatted as by fmt.Errorf. An error wrapped with %w is found by
// errors.Is and errors.As, and its text is part of what the caller sees.
func Errorf(code, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Text: err.Error(), cause: err}
}

// Error returns the code and the text, joined by ": ".
func (e *Error) Error() string { return e.Code + ": " + e.Text }

// Unwrap returns what was wrapped with %w, or nil.
func (e *Error) Unwrap() error { return e.cause }
