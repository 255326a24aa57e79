package e2e

import (
	"testing"

	"github.com/capgen/capgen/internal/fixture/fixturetest"
)

func TestMain(m *testing.M) { fixturetest.Main(m) }

// startFixture starts the fixture with settings and without the tools on go-sdk's own, and returns its URL.
func startFixture(t *testing.T, settings string) string {
	t.Helper()
	return fixturetest.Start(t, settings, "-raw=false").URL
}
