package docs

import (
	"fmt"
	"regexp"
	"strings"
)

// markdown writes the page as GitHub's Markdown.
func (p *Page) markdown() []byte {
	w := &markdown{}
	w.line("<!-- %s -->", Marker)
	w.block("# Capabilities")
	w.table("Capability", "Tool", "Risk", "Access", "Lifecycle")
	for _, e := range p.Entries {
		w.row(fmt.Sprintf("[%s](#%s)", escape(e.Name()), e.Anchor), tick(e.Tool), e.Risk, escape(e.Access), string(e.Status))
	}
	w.line("")
	w.line("The ways in which calls fail are [at the end](#errors).")
	for i := range p.Entries {
		w.entry(&p.Entries[i])
	}
	w.heading("errors", "## Errors")
	w.line("\nA call that does not succeed ends with one of these, and the caller reads the sentence.")
	w.table("Error", "The caller reads", "When")
	for _, f := range p.Failures {
		w.row(fmt.Sprintf(`<a id="%s"></a>%s`, f.Anchor(), tick(string(f.Kind))), escape(f.Sentence), escape(f.Meaning))
	}
	return []byte(w.String())
}

// markdown is a text in the making.
type markdown struct{ strings.Builder }

func (w *markdown) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// block writes a paragraph or a heading, apart from what is before it.
func (w *markdown) block(text string) { w.line("\n%s", text) }

// heading writes one with an anchor of its own before it, since those that are made from headings differ from one reader to the next.
func (w *markdown) heading(anchor, text string) {
	w.line("\n<a id=%q></a>\n", anchor)
	w.line("%s", text)
}

func (w *markdown) table(columns ...string) {
	w.line("")
	w.row(columns...)
	w.line("|%s", strings.Repeat("---|", len(columns)))
}

// row writes a row of a table, in which a bar would end a cell, also one within code.
func (w *markdown) row(cells ...string) {
	w.WriteString("|")
	for _, cell := range cells {
		w.WriteString(" " + strings.ReplaceAll(cell, "|", `\|`) + " |")
	}
	w.WriteString("\n")
}

func (w *markdown) fence(language, text string) {
	marks := "```"
	for strings.Contains(text, marks) {
		marks += "`"
	}
	w.line("\n%s%s\n%s\n%s", marks, language, text, marks)
}

func (w *markdown) entry(e *Entry) {
	w.heading(e.Anchor, "## "+escape(e.Name()))
	w.line("\n%s, tool %s", tick(e.ID), tick(e.Tool))
	w.text(e.Description)
	w.table("Property", "Value")
	for _, f := range e.Facts {
		w.row(escape(f.Name), w.inline(f.Value))
	}
	w.shape("Input", e.Input)
	w.shape("Output", e.Output)
	w.block("### Errors")
	var kinds []string
	for _, f := range e.Failures {
		kinds = append(kinds, fmt.Sprintf("[%s](#%s)", tick(string(f.Kind)), f.Anchor()))
	}
	w.block(strings.Join(kinds, ", "))
}

func (w *markdown) shape(name string, s *Shape) {
	if s == nil {
		return
	}
	w.heading(s.Anchor, "### "+name)
	if !s.Described() {
		w.block(w.inline(s.Type))
		w.rules(s.Rules)
	}
	for i := range s.Tables {
		w.object(&s.Tables[i])
	}
	if s.Example != "" {
		w.block("Example:")
		w.fence("json", s.Example)
	}
}

func (w *markdown) object(t *Table) {
	if t.Name != "" {
		w.heading(t.Anchor, "#### "+escape(t.Name))
	}
	w.text(t.Text)
	switch {
	case t.Schema != "":
		w.fence("json", t.Schema)
	case len(t.Rows) == 0:
		w.block("It has no members.")
	default:
		w.table("Name", "Type", "Required", "Description")
		for _, r := range t.Rows {
			w.row(tick(r.Name), w.inline(r.Type), yes(r.Required), w.cell(&r))
		}
	}
	w.rules(t.Rules)
}

// cell is a property's description with its rules, on one line.
func (w *markdown) cell(r *Row) string {
	var parts []string
	for _, p := range r.Text {
		parts = append(parts, escape(oneLine(p.Text)))
	}
	for _, rule := range r.Rules {
		parts = append(parts, w.inline(rule))
	}
	return strings.Join(parts, "<br>")
}

func (w *markdown) rules(rules []Line) {
	if len(rules) == 0 {
		return
	}
	w.line("")
	for _, rule := range rules {
		w.line("- %s", w.inline(rule))
	}
}

func (w *markdown) text(text Text) {
	for _, p := range text {
		if p.Kept {
			w.fence("text", p.Text)
		} else {
			w.block(leading.ReplaceAllString(escape(p.Text), `$1\$2`))
		}
	}
}

func (w *markdown) inline(line Line) string {
	var b strings.Builder
	for _, part := range line {
		text := escape(part.Text)
		if part.Code {
			text = tick(part.Text)
		}
		if part.Anchor != "" {
			text = "[" + text + "](#" + part.Anchor + ")"
		}
		b.WriteString(text)
	}
	return b.String()
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// special are the characters that mean something to Markdown within a line.
var special = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "~", `\~`, "&", `\&`)

// leading is what makes a line the item of a list, or a heading of the line above.
var leading = regexp.MustCompile(`^(\d*)([-+=.)])`)

func escape(text string) string { return special.Replace(text) }

// tick writes code, between more backticks than are in it.
func tick(text string) string {
	text = strings.NewReplacer("\r", " ", "\n", " ").Replace(text)
	marks := "`"
	for strings.Contains(text, marks) {
		marks += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return marks + text + marks
}
