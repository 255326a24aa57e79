// Package diag holds what the generator finds wrong, each finding at its position.
package diag

import (
	"cmp"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// Diagnostic is one finding.
type Diagnostic struct {
	// Position is the innermost place at fault: the argument, the tag, the field. Its file name is absolute.
	Position token.Position
	// Message says what is wrong and what to write instead, in one line.
	Message string
	// Warning says that the finding does not stop the generator.
	Warning bool

	// related are the positions that the message mentions.
	related []token.Position
}

// List collects findings. The zero List is empty and ready for use.
type List struct {
	found []Diagnostic
}

// Errorf adds a finding that stops the generator.
func (l *List) Errorf(at token.Position, format string, args ...any) {
	l.found = append(l.found, newDiagnostic(at, format, args))
}

// Warnf adds a finding that does not.
func (l *List) Warnf(at token.Position, format string, args ...any) {
	d := newDiagnostic(at, format, args)
	d.Warning = true
	l.found = append(l.found, d)
}

func newDiagnostic(at token.Position, format string, args []any) Diagnostic {
	d := Diagnostic{Position: at, Message: fmt.Sprintf(format, args...)}
	for _, arg := range args {
		if position, ok := arg.(token.Position); ok {
			d.related = append(d.related, position)
		}
	}
	return d
}

// Add adds findings of another stage.
func (l *List) Add(found ...Diagnostic) { l.found = append(l.found, found...) }

// All returns the findings by position, each once.
func (l *List) All() []Diagnostic {
	all := slices.Clone(l.found)
	slices.SortStableFunc(all, func(a, b Diagnostic) int {
		return cmp.Or(
			strings.Compare(a.Position.Filename, b.Position.Filename),
			cmp.Compare(a.Position.Line, b.Position.Line),
			cmp.Compare(a.Position.Column, b.Position.Column),
			strings.Compare(a.Message, b.Message),
		)
	})
	return slices.CompactFunc(all, func(a, b Diagnostic) bool {
		return a.Position == b.Position && a.Message == b.Message && a.Warning == b.Warning
	})
}

// HasErrors reports whether a finding stops the generator.
func (l *List) HasErrors() bool {
	return slices.ContainsFunc(l.found, func(d Diagnostic) bool { return !d.Warning })
}

// Format writes a finding as a compiler does, file:line:col: message. File names are relative to dir where they lie below it.
func (d Diagnostic) Format(dir string) string {
	message := d.Message
	for _, at := range d.related {
		message = strings.ReplaceAll(message, at.String(), Relative(at, dir).String())
	}
	if d.Warning {
		message = "warning: " + message
	}
	if d.Position.Filename == "" {
		return message
	}
	return Relative(d.Position, dir).String() + ": " + message
}

// Relative returns a position whose file name is relative to dir, with slashes, if it lies below it.
func Relative(at token.Position, dir string) token.Position {
	if relative, err := filepath.Rel(dir, at.Filename); err == nil && filepath.IsLocal(relative) {
		at.Filename = filepath.ToSlash(relative)
	}
	return at
}
