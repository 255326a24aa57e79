// Package lint is the stage that tells, at the field or directive at fault, what clients would refuse of the tools that capabilities
// become.
package lint

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/capgen/capgen/gen/internal/model"
	"github.com/capgen/capgen/mcptool"
)

// Tool is a capability and what clients receive of it.
type Tool struct {
	Capability *model.Capability
	mcptool.Tool
	// Bytes is the length of its element of a tools/list result, and Prompt of what clients can put into a prompt of that.
	Bytes, Prompt int
}

// Options say what to hold tools against.
type Options struct {
	Profile mcptool.Profile
	Clients mcptool.Options
	// Dialect says to hold what a server sends on a path of the profile's own: tools that are rewritten for it.
	Dialect bool
	// MaxTokens is how many tokens all tools may take together; 0 means any number.
	MaxTokens int
}

// Finding is something that clients refuse, at its place in the declarations.
type Finding struct {
	// Position is the innermost place at fault: the keyword, the field, the directive's argument, the struct.
	Position token.Position
	// Tool is the tool's name, or "" for what is about all of them.
	Tool string
	// Rule is the row of the table that says so, and Profiles who refuses it.
	Rule     *mcptool.Rule
	Profiles []mcptool.Profile
	Message  string
}

// Rules that are no client's, so they have no source: a budget of the user's own, and that nothing is lost in rewriting.
var (
	budget  = &mcptool.Rule{ID: "max-tokens"}
	dialect = &mcptool.Rule{ID: "dialect"}
)

// Tools returns what clients refuse of tools that one server offers together, by position.
func Tools(tools []Tool, options Options) []Finding {
	var found []Finding
	for _, t := range tools {
		received, lost := rewritten(t, options)
		if lost != nil {
			found = append(found, *lost)
			continue
		}
		for _, f := range mcptool.Check(received, options.Profile, options.Clients) {
			found = append(found, newFinding(position(t.Capability, f), t.Name, f))
		}
	}
	if f, past := mcptool.CheckCount(len(tools), options.Profile); f != nil {
		found = append(found, newFinding(tools[past].Capability.Position, "", *f))
	}
	found = append(found, overBudget(tools, options.MaxTokens)...)
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(
			strings.Compare(a.Position.Filename, b.Position.Filename),
			cmp.Compare(a.Position.Line, b.Position.Line),
			cmp.Compare(a.Position.Column, b.Position.Column),
		)
	})
	return found
}

// rewritten returns a tool as clients receive it, or why it cannot be told to them.
func rewritten(t Tool, options Options) (mcptool.Tool, *Finding) {
	if !options.Dialect {
		return t.Tool, nil
	}
	d, err := mcptool.Rewrite(t.Tool, options.Profile)
	var loss *mcptool.Loss
	if errors.As(err, &loss) {
		at := position(t.Capability, mcptool.Finding{Part: mcptool.TheInput, Path: loss.Path})
		message := fmt.Sprintf("%v (%s)", loss, dialect.ID)
		return mcptool.Tool{}, &Finding{Position: at, Tool: t.Name, Rule: dialect, Profiles: []mcptool.Profile{options.Profile}, Message: message}
	}
	return d.Tool, nil
}

func newFinding(at token.Position, tool string, f mcptool.Finding) Finding {
	return Finding{Position: at, Tool: tool, Rule: f.Rule, Profiles: f.Profiles, Message: f.Message()}
}

// overBudget tells of tools that take more tokens than they may, at the largest of them.
func overBudget(tools []Tool, most int) []Finding {
	total, largest := 0, 0
	for i, t := range tools {
		total += mcptool.Tokens(t.Prompt)
		if t.Prompt > tools[largest].Prompt {
			largest = i
		}
	}
	if most <= 0 || total <= most {
		return nil
	}
	t := tools[largest]
	return []Finding{{Position: t.Capability.Position, Rule: budget, Message: fmt.Sprintf(
		"all tools together take about %d tokens of a prompt, more than %d; the largest is %s with %d: shorten its comments, or declare fewer tools (%s)",
		total, most, t.Name, mcptool.Tokens(t.Prompt), budget.ID,
	)}}
}
