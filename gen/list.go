package gen

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/gen/internal/diag"
	"github.com/capgen/capgen/gen/internal/directive"
	"github.com/capgen/capgen/gen/internal/model"
	"github.com/capgen/capgen/gen/internal/source"
	"github.com/capgen/capgen/mcptool"
)

// Declaration is one capability that packages declare.
type Declaration struct {
	ID     capabilities.ID     `json:"id"`
	Tool   string              `json:"tool"`
	Risk   capabilities.Risk   `json:"risk"`
	Access capabilities.Access `json:"access"`
	// Position is where its struct is declared, file:line:col, the file relative to the folder of the configuration.
	Position string `json:"position"`
}

// List returns the capabilities that packages declare, by their IDs, and the patterns that match no package. Its errors are those of
// [Generate].
func List(ctx context.Context, config Config) (list []Declaration, unmatched []string, err error) {
	all, err := declared(ctx, config)
	if err != nil {
		return nil, nil, err
	}
	list = []Declaration{}
	for _, c := range all.capabilities {
		list = append(list, all.declaration(c))
	}
	return list, all.unmatched, nil
}

// Size is what a capability takes of what clients read.
type Size struct {
	Declaration
	// Bytes is the length of its element of a tools/list result, as a server sends it to clients of the latest revision.
	Bytes int `json:"bytes"`
	// Tokens is how many tokens of a prompt that is without its _meta, as [mcptool.Tokens] estimates them.
	Tokens int `json:"tokens"`
}

// Sizes returns what the capabilities that packages declare take of what clients read, and is otherwise as [List].
func Sizes(ctx context.Context, config Config) (list []Size, unmatched []string, err error) {
	all, err := declared(ctx, config)
	if err != nil {
		return nil, nil, err
	}
	list = []Size{}
	for _, c := range all.capabilities {
		tool, err := toolOf(c)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, Size{Declaration: all.declaration(c), Bytes: tool.Bytes, Tokens: mcptool.Tokens(tool.Prompt)})
	}
	return list, all.unmatched, nil
}

// declarations are what packages declare, and what they were asked with.
type declarations struct {
	// capabilities are sorted by their IDs.
	capabilities []*model.Capability
	unmatched    []string
	dir          string
}

// declared reads the capabilities that packages declare.
func declared(ctx context.Context, config Config) (*declarations, error) {
	program, err := source.Load(ctx, config.source(nil))
	if err != nil {
		return nil, err
	}
	packages, _, err := read(config, program)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(config.Dir)
	if err != nil {
		return nil, err
	}
	all := &declarations{unmatched: program.Unmatched, dir: dir}
	for _, pkg := range packages {
		all.capabilities = append(all.capabilities, pkg.Capabilities...)
	}
	slices.SortFunc(all.capabilities, func(a, b *model.Capability) int { return strings.Compare(a.ID.String(), b.ID.String()) })
	return all, nil
}

func (d *declarations) declaration(c *model.Capability) Declaration {
	return Declaration{ID: c.ID, Tool: c.Tool, Risk: c.Risk, Access: c.Access, Position: diag.Relative(c.Position, d.dir).String()}
}

// Annotations returns the reference of directives and constraints as text of at most 100 columns.
func Annotations() string { return directive.Help() }
