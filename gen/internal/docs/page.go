package docs

import (
	"strings"

	"github.com/capgen/capgen/gen/internal/model"
)

// Page is what a reference says, whatever the form it is written in.
type Page struct {
	// Entries are the capabilities, by their IDs.
	Entries []Entry
	// Failures are the ways in which calls of any of them can fail.
	Failures []Failure
}

// Status is where a capability is in its life.
type Status string

// The statuses.
const (
	Supported  Status = "supported"
	Deprecated Status = "deprecated"
	Removed    Status = "removed"
)

// Entry is one capability.
type Entry struct {
	// Anchor is unique on the page.
	Anchor          string
	ID, Tool, Title string
	Description     Text
	Status          Status
	// Instead says what to use in the place of one that is not supported.
	Instead string
	Risk    string
	Access  string
	// Facts are what else there is to know, in a table of two columns.
	Facts []Fact
	// Input and Output are nil for a capability that is removed.
	Input, Output *Shape
	// Failures are the kinds of failure that a call can end with.
	Failures []Failure
}

// Fact is one property of a capability.
type Fact struct {
	Name  string
	Value Line
}

// Line is a text within a line, in parts.
type Line []Part

// Part is a part of a line: plain text, code, or a link to a place on the page.
type Part struct {
	Text string
	Code bool
	// Anchor is the place that it leads to, or "".
	Anchor string
}

func plain(text string) Part { return Part{Text: text} }
func code(text string) Part  { return Part{Text: text, Code: true} }

// Shape is what an input or an output looks like.
type Shape struct {
	Anchor string
	// Type is the whole of it, in a few words.
	Type Line
	// Rules are what must hold for a value that has no table.
	Rules []Line
	// Tables describe the objects, the outermost first, each once.
	Tables []Table
	// Example is an indented JSON text, or "".
	Example string
}

// Table is one object, or another type that takes more than a cell to describe.
type Table struct {
	Anchor string
	// Name is "" for the outermost.
	Name string
	Text Text
	Rows []Row
	// Rules hold for the object as a whole.
	Rules []Line
	// Schema is the JSON Schema of a type that encodes itself, indented, or "".
	Schema string
}

// Row is one property.
type Row struct {
	Name string
	Type Line
	// Required says that an input must have it, and that an output always has it.
	Required   bool
	Deprecated bool
	Text       Text
	Rules      []Line
}

// Text is a description, in paragraphs.
type Text []Paragraph

// Paragraph is text that is filled, or lines that are kept as they are.
type Paragraph struct {
	Text string
	Kept bool
}

// textOf takes a doc comment apart. Lines that are indented are kept as they are, as go doc does.
func textOf(doc string) Text {
	var text Text
	for block := range strings.SplitSeq(strings.TrimSpace(doc), "\n\n") {
		block = strings.Trim(block, "\n")
		switch {
		case strings.TrimSpace(block) == "":
		case strings.HasPrefix(block, "\t") || strings.Contains(block, "\n\t") || strings.HasPrefix(block, "  ") || strings.Contains(block, "\n  "):
			text = append(text, Paragraph{Text: block, Kept: true})
		default:
			text = append(text, Paragraph{Text: strings.Join(strings.Fields(block), " ")})
		}
	}
	return text
}

// Name returns what a capability is called on the page.
func (e *Entry) Name() string {
	if e.Title != "" {
		return e.Title
	}
	return e.Tool
}

// newEntry describes a capability.
func newEntry(c *model.Capability, valid Validator) Entry {
	e := Entry{
		Anchor: anchorOf(c.ID.String()), ID: c.ID.String(), Tool: c.Tool, Title: c.Title, Description: textOf(c.Description),
		Status: Supported, Risk: string(c.Risk), Access: c.Access.String(), Facts: factsOf(c), Failures: failuresIn(c),
	}
	switch {
	case c.Removed != "":
		e.Status, e.Instead = Removed, oneLine(c.Removed)
		return e
	case c.Deprecated != "":
		e.Status, e.Instead = Deprecated, oneLine(c.Deprecated)
	}
	e.Input = newShape(c.Input, e.Anchor+"-input", true, valid)
	if c.ReturnsNothing() {
		e.Output = &Shape{Anchor: e.Anchor + "-output", Type: Line{plain("Nothing.")}}
	} else {
		e.Output = newShape(c.Output, e.Anchor+"-output", false, valid)
	}
	return e
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// anchorOf makes an ID of a name. What IDs of capabilities and names of types hold is kept as it is, but for what an ID of HTML is better without.
func anchorOf(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '.', r == '_', r == '-':
			return r
		}
		return '-'
	}, name)
}
