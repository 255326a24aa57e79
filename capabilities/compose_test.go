package capabilities_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/capabilities/internal/rival"
)

// catalogPack is what the tests' own package would generate.
func catalogPack() capabilities.Pack {
	return capabilities.NewPack("example.catalog", albumCapability, retireCapability,
		rival.Removed("example.catalog:album.find@1", "album_find", "call example.catalog:album.lookup@1"))
}

func rivalPack(namespace string, contracts ...capabilities.Contract) capabilities.Import {
	return capabilities.NewPack(namespace, contracts...).WithoutAliases()
}

func alias(name, id string) capabilities.Alias { return capabilities.Alias{Name: name, ID: id} }

// Each contradiction is told with both of its sources and the remedy.
func TestComposeRefuses(t *testing.T) {
	const (
		catalog = "import 1 (github.com/capgen/capgen/capabilities_test, namespace example.catalog)"
		other   = "import 2 (github.com/capgen/capgen/capabilities/internal/rival, namespace "
	)
	plain := catalogPack().WithoutAliases()
	with := func(aliases ...capabilities.Alias) []capabilities.Import {
		return []capabilities.Import{catalogPack().WithAliases(aliases...)}
	}
	for name, test := range map[string]struct {
		imports []capabilities.Import
		want    []string
	}{
		"the same pack twice": {
			[]capabilities.Import{plain, plain},
			[]string{catalog + " and import 2 (github.com/capgen/capgen/capabilities_test, namespace example.catalog) are the same pack: keep one, with the aliases of both"},
		},
		"a namespace and an ID of two packs": {
			[]capabilities.Import{plain, rivalPack("example.catalog", rival.Contract("example.catalog:album.lookup@1", "other_lookup"))},
			[]string{
				catalog + " and " + other + "example.catalog) both own the namespace example.catalog: move one of the packs to a namespace of its own",
				"example.catalog:album.lookup@1 is declared twice, by " + catalog + " and by " + other + "example.catalog): give one of them another name or major",
			},
		},
		"an ID that was removed": {
			[]capabilities.Import{plain, rivalPack("example.catalog", rival.Contract("example.catalog:album.find@1", "other_find"))},
			[]string{
				catalog + " and " + other + "example.catalog) both own the namespace example.catalog: move one of the packs to a namespace of its own",
				"example.catalog:album.find@1 is declared twice, by " + catalog + " and by " + other + "example.catalog): give one of them another name or major",
			},
		},
		"an ID twice in a pack": {
			[]capabilities.Import{rivalPack("example.rival", rival.Contract("example.rival:a@1", "a"), rival.Contract("example.rival:a@1", "b"))},
			[]string{"example.rival:a@1 is declared twice, by import 1 (github.com/capgen/capgen/capabilities/internal/rival, namespace example.rival) and by " +
				"import 1 (github.com/capgen/capgen/capabilities/internal/rival, namespace example.rival): give one of them another name or major"},
		},
		"tool names that are the same for some client": {
			[]capabilities.Import{plain, rivalPack("example.rival", rival.Contract("example.rival:a@1", "Album-Lookup"), rival.Contract("example.rival:b@1", "album_find"))},
			[]string{
				`the tool name "album_lookup" of example.catalog:album.lookup@1, by ` + catalog + `, and the tool name "Album-Lookup" of example.rival:a@1, by ` +
					other + "example.rival), cannot be told apart by some clients: give one another name with tool=",
				`the tool name "album_find" of example.catalog:album.find@1, by ` + catalog + `, and the tool name "album_find" of example.rival:b@1, by ` +
					other + "example.rival), cannot be told apart by some clients: give one another name with tool=",
			},
		},
		"an alias of two packs": {
			[]capabilities.Import{
				catalogPack().WithAliases(alias("album", "example.catalog:album.lookup@1")),
				capabilities.NewPack("example.rival", rival.Contract("example.rival:a@1", "a")).WithAliases(alias("album", "example.rival:a@1")),
			},
			[]string{`the alias "album" of example.catalog:album.lookup@1, by ` + catalog + `, and the alias "album" of example.rival:a@1, by ` +
				other + "example.rival), cannot be told apart by some clients: rename the alias"},
		},
		"an alias that is a later pack's tool name": {
			[]capabilities.Import{
				catalogPack().WithAliases(alias("rival", "example.catalog:album.lookup@1")),
				rivalPack("example.rival", rival.Contract("example.rival:a@1", "rival")),
			},
			[]string{`the tool name "rival" of example.rival:a@1, by ` + other + `example.rival), and the alias "rival" of example.catalog:album.lookup@1, by ` +
				catalog + ", cannot be told apart by some clients: rename the alias"},
		},
		"aliases of nothing": {
			with(alias("newest", "example.catalog:album.lookup@latest"), alias("bare", "example.catalog:album.lookup"), alias("next", "example.catalog:album.lookup@2"),
				alias("track", "example.catalog:track.lookup@1"), alias("gone", "example.catalog:album.find@1")),
			[]string{
				catalog + `: the alias "newest" does not name one exact ID: major version "latest" is not a whole number from 1, such as 1`,
				catalog + `: the alias "bare" does not name one exact ID: capability ID "example.catalog:album.lookup" has no major version: write example.catalog:album.lookup@1`,
				catalog + `: the alias "next" names example.catalog:album.lookup@2, which the pack does not have: name example.catalog:album.lookup@1`,
				catalog + `: the alias "track" names example.catalog:track.lookup@1, which the pack does not have: name a capability that it declares`,
				catalog + `: the alias "gone" names example.catalog:album.find@1, which was removed: call example.catalog:album.lookup@1`,
			},
		},
		"an alias of another pack's": {
			[]capabilities.Import{
				catalogPack().WithAliases(alias("a", "example.rival:a@1")),
				rivalPack("example.rival", rival.Contract("example.rival:a@1", "rival")),
			},
			[]string{catalog + `: the alias "a" names example.rival:a@1, which is of ` + other + "example.rival): declare it there"},
		},
		"an alias of no form": {
			with(alias("1st", "example.catalog:album.lookup@1")),
			[]string{`the alias "1st" of example.catalog:album.lookup@1, by ` + catalog + `: tool name "1st" is not of the form [A-Za-z][A-Za-z0-9_-]{0,63}`},
		},
		"no aliases where there must be some": {
			with(),
			[]string{catalog + ": WithAliases names no alias: write WithoutAliases"},
		},
		"packs of nothing": {
			[]capabilities.Import{{}, capabilities.NewPack("example.none").WithoutAliases()},
			[]string{
				"import 1 has no contracts: import what a generated Pack or capabilities.NewPack returns",
				"import 2 has no contracts: import what a generated Pack or capabilities.NewPack returns",
			},
		},
		"contracts that cannot be in the pack": {
			[]capabilities.Import{rivalPack("Rival", nil, rival.Contract("example.rival:a@1", "a"), capabilities.Removed("{"), capabilities.Removed(albumContract))},
			[]string{
				`import 1 (github.com/capgen/capgen/capabilities/internal/rival, namespace Rival): namespace "Rival" is not of the form [a-z][a-z0-9]*([.-][a-z0-9]+)*: write lower-case words joined by . or -`,
				"import 1 (github.com/capgen/capgen/capabilities/internal/rival, namespace Rival): a contract is nil: give capabilities.NewPack what the Capability methods return",
				"import 1 (github.com/capgen/capgen/capabilities/internal/rival, namespace Rival): example.rival:a@1 is not in the namespace of the pack: move it to a pack of its own namespace",
				"import 1 (github.com/capgen/capgen/capabilities/internal/rival, namespace Rival): the embedded contract cannot be read: unexpected end of JSON input; run capgen generate",
				"import 1 (github.com/capgen/capgen/capabilities/internal/rival, namespace Rival): the embedded contract of example.catalog:album.lookup@1 does not say that it is removed; run capgen generate",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			catalog, err := capabilities.Compose(test.imports...)
			if err == nil || catalog != nil {
				t.Fatalf("%v, %v", catalog, err)
			}
			if got := strings.Split(err.Error(), "\n"); !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// What is wrong with bindings is told beside what the catalog lacks.
func TestCatalogRegistry(t *testing.T) {
	catalog, err := capabilities.Compose(catalogPack().WithoutAliases())
	if err != nil {
		t.Fatal(err)
	}
	look := capabilities.Handle(func(context.Context, rival.Lookup) (string, error) { return "", nil })
	registry, err := catalog.NewRegistry(capabilities.Handle(lookup), capabilities.Handle(lookup), look)
	want := `example.catalog:album.lookup@1: it is bound twice as "example.catalog:album.lookup@1": remove one of the bindings, or name one with capabilities.Named
example.rival:lookup@1, which rival.Lookup declares, is not in the catalog: compose the pack of github.com/capgen/capgen/capabilities/internal/rival too, or do not bind it`
	if err == nil || err.Error() != want || registry != nil {
		t.Errorf("%v\nwant\n%s", err, want)
	}

	twin, err := capabilities.Compose(rivalPack("example.rival", rival.Contract("example.rival:lookup@1", "other_lookup")))
	if err != nil {
		t.Fatal(err)
	}
	_, err = twin.NewRegistry(look)
	want = "example.rival:lookup@1 is bound as rival.Lookup of github.com/capgen/capgen/capabilities/internal/rival declares it, and the catalog has it " +
		"from another declaration: bind the handler of the pack's own struct"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
}

// The order of imports does not show, what is handed out is the caller's, and many may ask at once.
func TestCatalogLookups(t *testing.T) {
	first := catalogPack().WithAliases(alias("retire", "example.catalog:album.retire@1"), alias("album_lookup", "example.catalog:album.lookup@1"),
		alias("album", "example.catalog:album.lookup@1"))
	second := rivalPack("example.a", rival.Contract("example.a:b@1", "b"))
	for _, imports := range [][]capabilities.Import{{first, second}, {second, first}} {
		catalog, err := capabilities.Compose(imports...)
		if err != nil {
			t.Fatal(err)
		}
		clear(catalog.Definitions())
		clear(catalog.Aliases())
		var working sync.WaitGroup
		for range 4 {
			working.Go(func() {
				var seen []string
				for _, def := range catalog.Definitions() {
					seen = append(seen, def.ID.String()+" "+catalog.ToolName(def.ID))
				}
				for _, a := range catalog.Aliases() {
					seen = append(seen, a.Name)
				}
				want := []string{"example.a:b@1 b", "example.catalog:album.lookup@1 album_lookup", "example.catalog:album.retire@1 retire", "album", "album_lookup", "retire"}
				if !slices.Equal(seen, want) {
					t.Errorf("%q, want %q", seen, want)
				}
				for _, name := range []string{"album", "album_lookup", "example.catalog:album.lookup@1"} {
					if def, found := catalog.Resolve(name); !found || def != albumCapability.Definition() {
						t.Errorf("%s is %v", name, def)
					}
				}
				// Neither a tool name nor an ID of nothing exact, nor what is gone.
				for _, name := range []string{"album_retire", "Album", "example.catalog:album.lookup", "example.catalog:album.lookup@2", "example.catalog:album.find@1", ""} {
					if def, found := catalog.Resolve(name); found {
						t.Errorf("%q is %s", name, def.ID)
					}
				}
			})
		}
		working.Wait()
		if got := catalog.ToolName(capabilities.ID{Namespace: "x", Name: "y", Major: 2}); got != "x__y_v2" {
			t.Error(got)
		}
	}
}
