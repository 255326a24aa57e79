package main

import (
	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/catalog/albums"
)

// compose returns what the program offers: the contracts of the pack, and one name that stays with the first major whatever comes after.
func compose() (*capabilities.Catalog, error) {
	return capabilities.Compose(
		albums.Pack().WithAliases(capabilities.Alias{Name: "album", ID: "example.catalog:album.lookup@1"}),
	)
}

// bind joins the program's own handlers to the catalog: both majors from the shelf, which serves agents too, and the second also
// from the archive, for callers in this process that ask for it by name.
func bind() (*capabilities.Catalog, *capabilities.Registry, error) {
	catalog, err := compose()
	if err != nil {
		return nil, nil, err
	}
	registry, err := catalog.NewRegistry(
		albums.Bind(shelf(stock), capabilities.Named("shelf")),
		capabilities.Handle(archive, capabilities.Named("archive"), capabilities.On(capabilities.TargetLocal)),
	)
	return catalog, registry, err
}
