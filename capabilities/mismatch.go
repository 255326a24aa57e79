package capabilities

import (
	"encoding/json"
	"fmt"
	"strings"
)

// MaxDifferences is how many differences a [ContractMismatch] has at most.
const MaxDifferences = 20

// ContractMismatch is the error of a client whose server has moved on: it has another contract than the one that the client was generated
// from, and callers of the old one cannot lean on it. What is compatible is none.
type ContractMismatch struct {
	// ID is the capability as the client knows it.
	ID ID
	// Differences are what broke, at least one and at most [MaxDifferences], in the order of the contract.
	Differences []Difference
	// Cause is the failure that made the client look again; nil where no call was made.
	Cause error
}

// Difference is one place in which a server's contract differs from a client's.
type Difference struct {
	// Pointer is where it is in the contract, a JSON Pointer such as /input/properties/limit/maximum; "" is the capability as a whole.
	Pointer string
	// Before is what the client's contract has there, and After what the server's has; nil for nothing.
	Before, After json.RawMessage
	// Why says in words why a caller cannot lean on it.
	Why string
}

// With returns the same mismatch with a cause.
func (m *ContractMismatch) With(cause error) *ContractMismatch {
	with := *m
	with.Cause = cause
	return &with
}

// Error is one line that names the capability and all that differs.
func (m *ContractMismatch) Error() string {
	parts := make([]string, len(m.Differences))
	for i, d := range m.Differences {
		parts[i] = d.String()
	}
	return fmt.Sprintf("the server has another contract of %s than this client: %s: generate the client from the server's contract", m.ID, strings.Join(parts, "; "))
}

// Unwrap returns the cause, or nil.
func (m *ContractMismatch) Unwrap() error { return m.Cause }

// String returns the difference in one line, values of more than 60 characters cut.
func (d Difference) String() string {
	text := d.Why
	if d.Before != nil || d.After != nil {
		text = fmt.Sprintf("%s before, %s now: %s", brief(d.Before), brief(d.After), text)
	}
	if d.Pointer != "" {
		text = d.Pointer + ": " + text
	}
	return text
}

func brief(value json.RawMessage) string {
	if value == nil {
		return "none"
	}
	return cut(string(value), 60)
}
