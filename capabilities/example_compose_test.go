package capabilities_test

import (
	"fmt"

	"github.com/capgen/capgen/capabilities"
)

func ExampleCompose() {
	// Where //capgen:namespace example.catalog pack stands on the package clause, this is generated as Pack().
	pack := capabilities.NewPack("example.catalog", albumCapability, retireCapability)

	catalog, err := capabilities.Compose(pack.WithAliases(capabilities.Alias{Name: "album", ID: "example.catalog:album.lookup@1"}))
	if err != nil {
		fmt.Println(err)
		return
	}
	def, found := catalog.Resolve("album")
	fmt.Println(def.ID, found)

	// A pack has contracts and no handlers: who composes it binds them, or some.
	registry, err := catalog.NewRegistry(capabilities.Handle(lookup))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, def := range catalog.Unbound(registry) {
		fmt.Println("no handler:", def.ID)
	}
	// Output:
	// example.catalog:album.lookup@1 true
	// no handler: example.catalog:album.retire@1
}

func ExamplePack_WithoutAliases() {
	catalog, err := capabilities.Compose(capabilities.NewPack("example.catalog", albumCapability).WithoutAliases())
	_, byAlias := catalog.Resolve("album")
	_, byID := catalog.Resolve("example.catalog:album.lookup@1")
	fmt.Println(byAlias, byID, err)
	// Output:
	// false true <nil>
}

func ExamplePack_WithAliases() {
	pack := capabilities.NewPack("example.catalog", albumCapability)
	_, err := capabilities.Compose(pack.WithAliases(
		capabilities.Alias{Name: "album", ID: "example.catalog:album.lookup@latest"},
		capabilities.Alias{Name: "album2", ID: "example.catalog:album.lookup@2"},
	))
	fmt.Println(err)
	// Output:
	// import 1 (github.com/capgen/capgen/capabilities_test, namespace example.catalog): the alias "album" does not name one exact ID: major version "latest" is not a whole number from 1, such as 1
	// import 1 (github.com/capgen/capgen/capabilities_test, namespace example.catalog): the alias "album2" names example.catalog:album.lookup@2, which the pack does not have: name example.catalog:album.lookup@1
}
