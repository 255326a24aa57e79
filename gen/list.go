package gen

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/gen/internal/diag"
	"github.com/capgen/capgen/gen/internal/directive"
	"github.com/capgen/capgen/gen/internal/source"
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
	program, err := source.Load(ctx, config.source(nil))
	if err != nil {
		return nil, nil, err
	}
	packages, _, err := read(config, program)
	if err != nil {
		return nil, nil, err
	}
	dir, err := filepath.Abs(config.Dir)
	if err != nil {
		return nil, nil, err
	}
	list = []Declaration{}
	for _, pkg := range packages {
		for _, c := range pkg.Capabilities {
			list = append(list, Declaration{ID: c.ID, Tool: c.Tool, Risk: c.Risk, Access: c.Access, Position: diag.Relative(c.Position, dir).String()})
		}
	}
	slices.SortFunc(list, func(a, b Declaration) int { return strings.Compare(a.ID.String(), b.ID.String()) })
	return list, program.Unmatched, nil
}

// Annotations returns the reference of directives and constraints as text of at most 100 columns.
func Annotations() string { return directive.Help() }
