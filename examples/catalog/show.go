package main

import (
	"context"
	"fmt"
	"io"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/catalog/albums"
)

// show prints what was composed, and calls each major.
func show(ctx context.Context, out io.Writer) error {
	catalog, registry, err := bind()
	if err != nil {
		return err
	}

	fmt.Fprintln(out, "Capabilities:")
	for _, def := range catalog.Definitions() {
		fmt.Fprintf(out, "  %s, tool %s\n", def.ID, catalog.ToolName(def.ID))
		if def.Deprecated != "" {
			fmt.Fprintf(out, "    deprecated: %s\n", def.Deprecated)
		}
		for _, b := range registry.Bindings(def.ID, capabilities.TargetLocal) {
			fmt.Fprintf(out, "    bound to the %s, for agents: %t\n", b.Name(), b.Serves(capabilities.TargetServer))
		}
	}

	fmt.Fprintln(out, "Names:")
	for _, name := range []string{"album", "example.catalog:album.lookup@2", "album.lookup", "example.catalog:album.search@1"} {
		if def, found := catalog.Resolve(name); found {
			fmt.Fprintf(out, "  %s is %s\n", name, def.ID)
		} else {
			fmt.Fprintf(out, "  %s is nothing\n", name)
		}
	}

	fmt.Fprintln(out, "Calls:")
	if err := callByName(ctx, out, catalog, registry, "album", `{"slug": "night-drive"}`); err != nil {
		return err
	}
	for _, binding := range []string{"shelf", "archive"} {
		found, err := capabilities.Call(ctx, registry, albums.AlbumLookupV2{Numbers: []albums.Number{"ND-002", "OR-001"}}, capabilities.Via(binding))
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "  example.catalog:album.lookup@2 from the %s: %v\n", binding, found.Albums)
	}
	return nil
}

// callByName calls what a name stands for with a JSON text.
func callByName(ctx context.Context, out io.Writer, catalog *capabilities.Catalog, registry *capabilities.Registry, name, input string) error {
	def, found := catalog.Resolve(name)
	if !found {
		return fmt.Errorf("%q is no alias and no ID of the catalog", name)
	}
	outcome, err := registry.Invoke(ctx, capabilities.Request{ID: def.ID, Input: []byte(input)})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "  %s %s: %s\n", name, input, outcome.JSON)
	return nil
}
