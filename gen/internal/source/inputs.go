package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
)

// Inputs are all that a program was made from, its configuration aside. What is read depends on nothing but what was read before it, so
// that whoever finds all of them as they were knows that the same program would be made again.
type Inputs struct {
	// Listing is the SHA-256 in hex of what the go command said of the packages, our own output left out.
	Listing string
	// Exports holds, by import path, a name for the export data's content.
	Exports map[string]string
	// Files holds the SHA-256 in hex of the files that were read, by their absolute paths; "" of one that could not be read. Our own
	// outputs are not among them.
	Files map[string]string
}

// Inputs returns what the program was made from so far; [Program.Syntax] and [Program.ReadFile] read more. It returns false when
// that cannot be told: something could not be had, or changed while it was read.
func (p *Program) Inputs() (Inputs, bool) {
	in := Inputs{Listing: p.listing.Digest(), Exports: contents(p.exports), Files: maps.Clone(p.schemas)}
	ok := true
	for _, content := range in.Exports {
		ok = ok && content != ""
	}
	for _, l := range p.listing.packages {
		for name, digest := range l.digests {
			// What our own output holds does not count, and whether it is there is in the listing's digest as far as that counts.
			if !l.own || name != OutputName {
				in.Files[filepath.Join(l.Dir, name)] = digest
			}
		}
	}
	for _, digest := range in.Files {
		ok = ok && digest != changing
	}
	return in, ok
}

// Digest returns what is [Inputs.Listing] for a program of this listing. It is the same before and after what we generate for a package
// is there, if that adds nothing to what is listed.
func (l *Listing) Digest() string {
	if l.digest == "" {
		text, err := json.Marshal(struct {
			Packages []*listed
			Orphans  []string
		}{l.packages, l.orphans()})
		if err != nil {
			panic(err) // it came from JSON
		}
		l.digest = digest(text)
	}
	return l.digest
}

// Exports returns what is [Inputs.Exports] now for those import paths, without what cannot be had.
func (l *Listing) Exports(ctx context.Context, paths []string) map[string]string {
	found, err := l.guessed.complete(ctx, l.config, paths)
	if err != nil {
		return nil
	}
	return contents(found)
}

// cached matches the go command's name for a file in its cache: the SHA-256 of what the file holds.
var cached = regexp.MustCompile(`^[0-9a-f]{64}-d$`)

// contents names the content of export data: as the go command's cache does, and by its digest where it lies elsewhere.
func contents(e exports) map[string]string {
	names := make(map[string]string, len(e))
	for path, file := range e {
		if names[path] = filepath.Base(file); !cached.MatchString(names[path]) {
			names[path] = ""
			if text, err := os.ReadFile(file); err == nil {
				names[path] = digest(text)
			}
		}
	}
	return names
}

// ReadFile reads a file that a directive names.
func (p *Program) ReadFile(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	note(p.schemas, path, text, err)
	return text, err
}

// text returns a file's text, read once. What can't be read is left to the parser to report.
func (l *listed) text(name string) []byte {
	text, ok := l.texts[name]
	if !ok {
		var err error
		text, err = os.ReadFile(filepath.Join(l.Dir, name))
		if l.texts == nil {
			l.texts, l.digests = make(map[string][]byte), make(map[string]string)
		}
		l.texts[name] = text
		note(l.digests, name, text, err)
	}
	return text
}

// changing is in the place of the digest of a file that was read twice and was not the same.
const changing = "changing"

// note notes the digest of a file that was read.
func note(digests map[string]string, name string, text []byte, err error) {
	found := ""
	if err == nil {
		found = digest(text)
	}
	if before, known := digests[name]; known && before != found {
		found = changing
	}
	digests[name] = found
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
