package architecture

import (
	"slices"
	"strings"
	"testing"
)

// What the libraries behind one part are called, which must not reach another.
const (
	sdk      = "github.com/modelcontextprotocol/go-sdk/..."
	loading  = "golang.org/x/tools/..."
	printing = "github.com/dave/jennifer/..."
	engine   = "github.com/go-json-experiment/json/..."
	tracing  = "go.opentelemetry.io/otel/..."
	checker  = "github.com/santhosh-tekuri/jsonschema/v5/..."
	sqlite   = "modernc.org/..."
	postgres = "github.com/jackc/..."
)

// below is what both halves may stand on: no proof of anything, and itself on the standard library alone. Applications cannot import it.
const below = module + "internal/lazyctx"

func TestArrows(t *testing.T) {
	g := loadGraph(t)
	// Each rule forbids ways of any length from a package to another.
	for _, rule := range []struct {
		from, why string
		to        []string
	}{
		{"capabilities/...", "the vocabulary is below everything else of the module", mine("runtime", "gen", "cmd", "internal", "examples")},
		{"capabilities/...", "an application that only declares links no protocol and no generator", []string{sdk, loading, printing}},
		{"runtime/executor/...", "the executor knows nothing of MCP", []string{module + "runtime", module + "runtime/internal/...", sdk, tracing, loading, printing}},
		{"runtime/auth/...", "who calls is decided before anything of MCP is read", append(mine("runtime/executor", "runtime/internal"), module+"runtime", sdk, loading, printing)},
		{"runtime/...", "a server links no generator", append(mine("gen", "cmd", "internal", "examples"), loading, printing)},
		{"runtime", "a server links a database only when the application does", []string{module + "runtime/grants/sqlstore", sqlite, postgres}},
		{"runtime/grants/...", "a store of grants knows nothing of calls", []string{module + "runtime", module + "runtime/internal/...", module + "runtime/executor/...", sdk}},
		{"runtime/...", "a server forces no exporter on anyone, and does not pick up a global one", []string{"go.opentelemetry.io/otel", "go.opentelemetry.io/otel/sdk/..."}},
		{"mcptool", "what clients receive is told from a definition alone", append(mine("runtime", "gen", "cmd", "internal", "examples"), sdk, tracing, loading, printing)},
		{"mcpclient", "a program that calls capabilities links neither a server nor a generator", append(mine("gen", "runtime", "cmd", "examples"), loading, printing)},
		{"gen/...", "the generator needs no server", append(mine("runtime", "cmd", "internal", "examples"), sdk, tracing)},
		{"internal/compat/...", "contracts are compared by what they say, without what wrote or serves them", append(mine("gen", "runtime", "cmd", "examples"), sdk, loading)},
		{"cmd/...", "the command calls servers and is none", mine("runtime", "examples")},
		{"examples/...", "an example uses what an application can use", mine("gen", "cmd", "internal")},
	} {
		packages := g.own(rule.from)
		if len(packages) == 0 {
			t.Errorf("there is no package %s", rule.from)
		}
		for _, from := range packages {
			for _, pattern := range rule.to {
				way := g.chain(from, func(path string) bool { return path != below && matches(path, pattern) })
				if way != nil {
					t.Errorf("%s: %s", rule.why, draw(way))
				}
			}
		}
	}
}

// mine writes folders of the module as patterns.
func mine(folders ...string) []string {
	patterns := make([]string, len(folders))
	for i, folder := range folders {
		patterns[i] = module + folder + "/..."
	}
	return patterns
}

// What applications link for the sake of their declarations must not pull in a protocol or a generator.
func TestGeneratedPackages(t *testing.T) {
	g := loadGraph(t)
	found := 0
	for _, path := range g.own("...") {
		if !slices.Contains(g[path].GoFiles, "capgen_gen.go") {
			continue
		}
		found++
		for _, pattern := range []string{sdk, tracing, loading, printing} {
			if way := g.chain(path, func(path string) bool { return matches(path, pattern) }); way != nil {
				t.Errorf("a package with generated code links neither a protocol, nor tracing, nor a generator: %s", draw(way))
			}
		}
	}
	if found == 0 {
		t.Error("no package holds generated code")
	}
}

// The vocabulary is in every application, so what it needs is a list.
func TestNeedsOfCapabilities(t *testing.T) {
	g := loadGraph(t)
	for _, from := range g.own("capabilities/...") {
		way := g.chain(from, func(path string) bool {
			return !g[path].Standard && path != below && !matches(path, module+"capabilities/...") && !matches(path, engine) && !matches(path, checker)
		})
		if way != nil {
			t.Errorf("capabilities needs the standard library, the JSON engine and the schema validator alone: %s", draw(way))
		}
	}
}

func TestNeedsOfWhatIsBelow(t *testing.T) {
	g := loadGraph(t)
	if way := g.chain(below, func(path string) bool { return !g[path].Standard }); way != nil || g[below] == nil {
		t.Errorf("what both halves stand on needs the standard library alone: %s", draw(way))
	}
}

// Whoever writes a store of grants needs the vocabulary and no database.
func TestNeedsOfGrants(t *testing.T) {
	g := loadGraph(t)
	for _, from := range []string{"runtime/grants", "runtime/grants/grantstest"} {
		if len(g.own(from)) == 0 {
			t.Errorf("there is no package %s", from)
			continue
		}
		for _, imported := range g[module+from].Imports {
			if !g[imported].Standard && imported != module+"capabilities" && imported != module+"runtime/grants" {
				t.Errorf("grants need the standard library and the vocabulary alone: %s", draw([]string{module + from, imported}))
			}
		}
	}
}

// A stage of the generator takes data and returns data: what it shares with other stages is the model and the diagnostics.
// Only gen joins stages.
func TestStages(t *testing.T) {
	const stages = "gen/internal/"
	shared := []string{"model", "diag", "naming"}
	more := map[string][]string{
		"resolve": {"source", "directive"}, // the one stage that sees go/types
		"check":   {"directive"},           // the table says which keyword goes with which kind
	}
	g := loadGraph(t)
	for _, path := range g.own(stages + "...") {
		stage, _, _ := strings.Cut(strings.TrimPrefix(path, module+stages), "/")
		for _, imported := range g[path].Imports {
			name, inside := strings.CutPrefix(imported, module+stages)
			name, _, _ = strings.Cut(name, "/")
			if inside && name != stage && !slices.Contains(shared, name) && !slices.Contains(more[stage], name) {
				t.Errorf("a stage imports model and diag, and gen joins the stages: %s", draw([]string{path, imported}))
			}
		}
		if slices.Contains(shared, stage) {
			way := g.chain(path, func(path string) bool {
				return matches(path, module+stages+"...") && !slices.ContainsFunc(shared, func(s string) bool { return matches(path, module+stages+s+"/...") })
			})
			if way != nil {
				t.Errorf("what all stages share imports none of them: %s", draw(way))
			}
		}
	}
}

// Plain data between stages: only what reads source sees types, and only what prints sees the printer. And what a run reads must be
// noted, or the record takes a stale output for a current one: files are read by source, which notes them, and by what compares.
func TestStagesKeepTheirLibraries(t *testing.T) {
	g := loadGraph(t)
	for pattern, stages := range map[string][]string{
		"go/types": {"source", "resolve"},
		"go/ast":   {"source", "directive", "resolve"},
		loading:    {"source", "resolve"},
		printing:   {"emit"},
		"os":       {"source", "output", "record", module + "gen"},
	} {
		for _, path := range g.own("gen/...") {
			stage := strings.TrimPrefix(path, module+"gen/internal/")
			for _, imported := range g[path].Imports {
				if matches(imported, pattern) && !slices.Contains(stages, stage) {
					t.Errorf("%s is for %s alone: %s", strings.TrimSuffix(pattern, "/..."), strings.Join(stages, " and "), draw([]string{path, imported}))
				}
			}
		}
	}
}
