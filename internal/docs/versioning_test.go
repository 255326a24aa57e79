package docs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// findAlbum is the method of the new major.
const findAlbum = `package catalog

import "context"

// AlbumFind finds an album.
func (s Service) AlbumFind(ctx context.Context, _ AlbumFind) (Album, error) {
	return s.AlbumLookup(ctx, AlbumLookup{Slug: "night-drive"})
}
`

// What README.md adds as a new major stands beside the old one; a change of the old one itself fails the command that CI runs.
func TestChangeAContract(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	dir := newModule(t, "example.com/shop")
	var compat, major string
	for _, b := range blocksOf(t) {
		name := named.FindStringSubmatch(b.text)
		switch {
		case b.kind == "go" && name != nil:
			write(t, filepath.Join(dir, name[1]), b.text)
		case b.section == "Change a contract" && b.kind == "go":
			major = b.text
		case b.section == "Change a contract" && b.kind == "sh":
			compat = strings.ReplaceAll(strings.TrimSpace(b.text), "origin/main", "HEAD")
		}
	}
	shell(t, dir, "go get -tool github.com/capgen/capgen/cmd/capgen@"+version)
	shell(t, dir, "go get github.com/capgen/capgen/runtime@"+version)
	shell(t, dir, "go generate ./...")
	shell(t, dir, "git init -q && git add -A && git -c user.name=a -c user.email=a@example.com commit -qm first")
	if out := shell(t, dir, compat); out != "no change, compared with HEAD\n" {
		t.Errorf("%s prints\n%s", compat, out)
	}

	declarations := filepath.Join(dir, "catalog", "catalog.go")
	text, err := os.ReadFile(declarations)
	if err != nil {
		t.Fatal(err)
	}
	write(t, declarations, string(text)+"\n"+major)
	write(t, filepath.Join(dir, "catalog", "find.go"), findAlbum)
	shell(t, dir, "go generate ./...")
	if out := shell(t, dir, compat); !strings.HasPrefix(out, "compatible: example.catalog:album.lookup@2: capability-added") || !strings.HasSuffix(out, "\n0 breaking, 0 to review, 1 compatible, compared with HEAD\n") {
		t.Errorf("with a new major %s prints\n%s", compat, out)
	}
	if out := shell(t, dir, "gofmt -l catalog"); out != "" {
		t.Errorf("not gofmt-clean: %s", out)
	}

	write(t, declarations, strings.Replace(string(text)+"\n"+major, `maxLength:"80"`, `maxLength:"40"`, 1))
	shell(t, dir, "go generate ./...")
	out, err := run(t, dir, compat)
	if err == nil || !strings.Contains(out, "breaking: example.catalog:album.lookup@1 /input/properties/slug/maxLength: bounds 80 → 40") {
		t.Errorf("with a narrower input %s says %v\n%s", compat, err, out)
	}
}
