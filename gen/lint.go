package gen

import (
	"cmp"
	"context"

	"github.com/capgen/capgen/gen/internal/diag"
	"github.com/capgen/capgen/gen/internal/lint"
	"github.com/capgen/capgen/mcptool"
)

// LintConfig says which declarations to hold against which clients.
type LintConfig struct {
	Config
	// Profile is the clients'. Empty means [mcptool.All].
	Profile mcptool.Profile
	// Server is the name under which clients have the server; see [mcptool.Options].
	Server string
	// Dialect says to hold what runtime.WithDialect sends to the profile's clients against what they accept, in place of what is declared.
	Dialect bool
	// MaxTokens is how many tokens of a prompt all tools together may take, as [mcptool.Tokens] estimates them. 0 means any number.
	MaxTokens int
}

// Finding is something that clients refuse of a tool.
type Finding struct {
	// Position is the place in the declarations to change, file:line:col, the file relative to the folder of the configuration.
	Position string `json:"position"`
	// Rule is the ID of the rule in [mcptool.Rules], or "max-tokens" or "dialect".
	Rule string `json:"rule"`
	// Profiles are the clients that refuse it; none for the budget of tokens.
	Profiles []mcptool.Profile `json:"profiles,omitempty"`
	// Tool is the tool's name, or "" for what is about all of them.
	Tool string `json:"tool,omitempty"`
	// Message says what is wrong, who refuses it and what to write instead, in one line.
	Message string `json:"message"`
	// Source and Checked are the rule's; empty for what is no rule of clients.
	Source  string `json:"source,omitempty"`
	Checked string `json:"checked,omitempty"`
}

// String returns a finding as a compiler writes one.
func (f Finding) String() string {
	if f.Tool == "" {
		return f.Position + ": " + f.Message
	}
	return f.Position + ": " + f.Tool + ": " + f.Message
}

// Lint returns what clients refuse of the tools that packages declare, by position, and the patterns that match no package. The
// capabilities of all packages are taken for the tools of one server. It needs no generated file. Its errors are those of [Generate].
func Lint(ctx context.Context, config LintConfig) (findings []Finding, unmatched []string, err error) {
	all, err := declared(ctx, config.Config)
	if err != nil {
		return nil, nil, err
	}
	tools := make([]lint.Tool, len(all.capabilities))
	for i, c := range all.capabilities {
		if tools[i], err = toolOf(c); err != nil {
			return nil, nil, err
		}
	}
	findings = []Finding{}
	for _, f := range lint.Tools(tools, lint.Options{
		Profile:   cmp.Or(config.Profile, mcptool.All),
		Clients:   mcptool.Options{Server: config.Server},
		Dialect:   config.Dialect,
		MaxTokens: config.MaxTokens,
	}) {
		findings = append(findings, Finding{
			Position: diag.Relative(f.Position, all.dir).String(),
			Rule:     f.Rule.ID, Profiles: f.Profiles, Tool: f.Tool, Message: f.Message, Source: f.Rule.Source, Checked: f.Rule.Checked,
		})
	}
	return findings, all.unmatched, nil
}
