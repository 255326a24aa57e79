package zones

import (
	"archive/zip"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite names.txt from the database that comes with Go")

func TestNames(t *testing.T) {
	if *update {
		updateNames(t)
	}
	if len(names) < 500 || !slices.IsSorted(names) || !slices.Contains(names, "Europe/Berlin") {
		t.Errorf("names.txt holds %d names and does not look right", len(names))
	}
	for _, name := range names {
		if len(name) > 64 {
			t.Errorf("%s is longer than a ZoneName may be", name)
		}
		if _, err := time.LoadLocation(name); err != nil {
			t.Error(err)
		}
	}
}

// updateNames is for a change of Go's version: other versions may know other zones, so that the tests do not compare.
func updateNames(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	database, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	names = nil
	for _, file := range database.File {
		// Factory is the zone of a machine that nobody has set up.
		if !strings.HasSuffix(file.Name, "/") && file.Name != "Factory" {
			names = append(names, file.Name)
		}
	}
	slices.Sort(names)
	if err := os.WriteFile("names.txt", []byte(strings.Join(names, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
