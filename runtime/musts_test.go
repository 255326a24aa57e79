package runtime_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestEveryMustIsNamed holds the tests against the list of what the specification demands of a server that has tools: each is named by its ID
// where it is tested.
func TestEveryMustIsNamed(t *testing.T) {
	list, err := os.ReadFile("testdata/musts.txt")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	single, several := regexp.MustCompile(`\b[A-Z]{2}[0-9]{2}\b`), regexp.MustCompile(`\b([A-Z]{2})([0-9]{2}) to [A-Z]{2}([0-9]{2})\b`)
	err = filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testdata"):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, id := range single.FindAllString(string(text), -1) {
			named[id] = true
		}
		for _, match := range several.FindAllStringSubmatch(string(text), -1) {
			first, _ := strconv.Atoi(match[2])
			last, _ := strconv.Atoi(match[3])
			for i := first; i <= last; i++ {
				named[fmt.Sprintf("%s%02d", match[1], i)] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	ids := strings.Fields(string(list))
	if len(ids) != 175 {
		t.Errorf("the list has %d, want 175", len(ids))
	}
	for _, id := range ids {
		if !named[id] {
			t.Errorf("no test names %s", id)
		}
	}
}
