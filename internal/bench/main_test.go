//go:build unix

package main

import (
	"os"
	"strings"
	"testing"
)

// TestMain makes the test's binary the servers too, which the client starts from its own executable.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "server" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestClient measures a little, for what is printed.
func TestClient(t *testing.T) {
	var out strings.Builder
	if err := runClient([]string{"-rounds", "2", "-time", "10ms", "-callers", "2", "-only", "capgen"}, &out); err != nil {
		t.Fatal(err)
	}
	for _, wanted := range []string{"album_lookup: ", "order_quote: ", "| net/http + encoding/json |", "| Capgen, 2026-07-28 |", "(1.00)"} {
		if !strings.Contains(out.String(), wanted) {
			t.Errorf("the output lacks %q:\n%s", wanted, &out)
		}
	}
	if strings.Contains(out.String(), "NaN") {
		t.Errorf("a turn had no calls:\n%s", &out)
	}
}

func TestChoose(t *testing.T) {
	if kinds, err := choose("capgen,bare"); err != nil || len(kinds) != 2 || kinds[0].Name != "bare" {
		t.Errorf("%v, error %v", kinds, err)
	}
	if _, err := choose("capgen,other"); err == nil || err.Error() != `there is no server "other"` {
		t.Errorf("error %v", err)
	}
}
