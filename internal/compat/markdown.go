package compat

import (
	"fmt"
	"io"
	"strings"

	"github.com/capgen/capgen/capabilities"
)

// Markdown writes the report as GitHub shows it: a table for each capability.
func (r *Report) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### Contracts, compared with %s\n\n", code(r.Against))
	if r.Summary.Breaking > 0 {
		fmt.Fprintf(&b, "**%s**\n", r.Summary)
	} else {
		fmt.Fprintf(&b, "%s\n", r.Summary)
	}
	for _, folder := range r.New {
		fmt.Fprintf(&b, "\n%s is new: there is nothing to compare with.\n", code(folder))
	}
	var last capabilities.ID
	for _, f := range r.Findings {
		if f.ID != last {
			last = f.ID
			fmt.Fprintf(&b, "\n#### %s\n\n| verdict | where | change | before | after | why |\n|---|---|---|---|---|---|\n", code(f.ID.String()))
		}
		b.WriteString(row(f))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func row(f Finding) string {
	verdict := string(f.Verdict)
	if f.Verdict == Breaking {
		verdict = "**" + verdict + "**"
	}
	where := ""
	if f.Pointer != "" {
		where = code(f.Pointer)
	}
	why := escape(f.Rule)
	if f.Value != nil {
		why += ": " + code(brief(f.Value))
	}
	cells := []string{verdict, where, string(f.Change), cell(f.Before), cell(f.After), why}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

func cell(value []byte) string {
	if value == nil {
		return ""
	}
	return code(brief(value))
}

// code writes a text as a code span, which ends at as many backticks as it began with. In a table a bar ends a cell even there.
func code(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	space := ""
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		space = " "
	}
	return fence + space + strings.ReplaceAll(text, "|", `\|`) + space + fence
}

// escape writes a text so that nothing in it is markup.
func escape(text string) string {
	return strings.NewReplacer("|", `\|`, "<", `\<`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`).Replace(text)
}
