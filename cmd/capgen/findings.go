package main

import (
	"errors"
	"strings"

	"github.com/capgen/capgen/gen"
)

// findingsError is what is wrong with declarations: printed as a compiler prints it, without the command's name.
type findingsError struct {
	lines []string
}

func (e *findingsError) Error() string { return strings.Join(e.lines, "\n") }

// findings tells what is wrong with declarations from what kept the generator from reading them.
func findings(err error) error {
	var errs *gen.Errors
	if errors.As(err, &errs) {
		return &findingsError{errs.Lines}
	}
	return failedf("%v", err)
}
