package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/catalog/albums"
	"github.com/capgen/capgen/examples/catalog/fork"
)

// refusal is a composition that contradicts itself.
type refusal struct {
	title   string
	imports []capabilities.Import
}

// refusals are those that the program shows.
func refusals() []refusal {
	const first, third = "example.catalog:album.lookup@1", "example.catalog:album.lookup@3"
	named := func(name, id string) capabilities.Alias { return capabilities.Alias{Name: name, ID: id} }
	return []refusal{
		{"two packs own one namespace, and declare one ID", []capabilities.Import{albums.Pack().WithoutAliases(), fork.Copy().WithoutAliases()}},
		{"two packs have one tool name", []capabilities.Import{albums.Pack().WithoutAliases(), fork.Radio().WithoutAliases()}},
		{"two imports declare one alias", []capabilities.Import{
			albums.Pack().WithAliases(named("play", first)), fork.Soon().WithAliases(named("play", "example.radio:next@1")),
		}},
		{"an alias is a tool name of another pack", []capabilities.Import{
			albums.Pack().WithAliases(named("radio_next", first)), fork.Soon().WithoutAliases(),
		}},
		{"aliases name nothing exact, nothing there, what is gone and what is another's", []capabilities.Import{
			albums.Pack().WithAliases(named("newest", "example.catalog:album.lookup@latest"), named("third", third),
				named("search", "example.catalog:album.search@1"), named("next", "example.radio:next@1")),
			fork.Soon().WithoutAliases(),
		}},
		{"a pack is imported twice", []capabilities.Import{albums.Pack().WithoutAliases(), albums.Pack().WithAliases(named("album", first))}},
		{"an import does not say which aliases", []capabilities.Import{albums.Pack().WithAliases()}},
	}
}

// failures prints what is refused, and why.
func failures(out io.Writer) error {
	for _, r := range refusals() {
		if _, err := capabilities.Compose(r.imports...); err != nil {
			tell(out, r.title, err)
		} else {
			return fmt.Errorf("%s: it was not refused", r.title)
		}
	}
	catalog, err := compose()
	if err != nil {
		return err
	}
	stray := capabilities.Handle(func(context.Context, fork.Next) (string, error) { return "Tunnel", nil })
	copied := capabilities.Handle(func(context.Context, fork.AlbumLookup) (string, error) { return "Night Drive", nil })
	if _, err = catalog.NewRegistry(stray, copied); err == nil {
		return fmt.Errorf("handlers of other packs were bound")
	}
	tell(out, "handlers are of capabilities that the catalog does not have, or has from another package", err)
	return nil
}

// tell prints a title, and an error with a line for each of its parts.
func tell(out io.Writer, title string, err error) {
	fmt.Fprintf(out, "%s\n  %s\n", title, strings.ReplaceAll(err.Error(), "\n", "\n  "))
}
