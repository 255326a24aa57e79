package conformance

import (
	"strings"
	"testing"

	"github.com/capgen/capgen/internal/fixture/fixturetest"
)

func TestMain(m *testing.M) { fixturetest.Main(m) }

// revisions are what the suite has requirements for, with how many scenarios are scored, and those beyond that are held to as well:
// they were written after the revision, or the suite's own server does not pass them yet.
var revisions = []struct {
	name   string
	scored int
	beyond []string
}{
	{"2025-11-25", 30, []string{"json-schema-2020-12", "server-session-lifecycle"}},
	{"2026-07-28", 37, []string{"http-custom-header-server-validation", "http-header-validation", "json-schema-2020-12"}},
}

// Every scenario that a revision requires passes, without a warning.
func TestConformance(t *testing.T) {
	installed := installSuite(t)
	for _, revision := range revisions {
		t.Run(revision.name, func(t *testing.T) {
			t.Parallel()
			scored := installed.scored(t, revision.name)
			if len(scored) != revision.scored {
				t.Errorf("%d scenarios are scored, want %d", len(scored), revision.scored)
			}
			fixture := fixturetest.Start(t, "{}")
			// The suite wants to call a local server by this name.
			found := installed.run(t, revision.name, strings.Replace(fixture.URL, "127.0.0.1", "localhost", 1))
			for _, scenario := range append(scored, revision.beyond...) {
				t.Run(scenario, func(t *testing.T) { judge(t, found[scenario]) })
			}
		})
	}
}

func judge(t *testing.T, checks []check) {
	if len(checks) == 0 {
		t.Error("the scenario was not played")
	}
	for _, c := range checks {
		if !c.passes() {
			t.Errorf("%s %s: %s\n%s\n%.1000s", c.Status, c.ID, c.Description, c.ErrorMessage, c.Details)
		}
	}
}
