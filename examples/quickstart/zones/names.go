package zones

import (
	_ "embed"
	"strings"
	"time"
	_ "time/tzdata" // the database itself, so that a machine without one answers as every other does
)

// Package time opens a zone by its name and cannot list them, so names.txt does. It holds the names of the database that comes
// with Go (lib/time/zoneinfo.zip), which its README says is in the public domain. A test opens each of them and rewrites the file
// with -update.
//
//go:embed names.txt
var namesFile string

var names = strings.Fields(namesFile)

// known holds the names by their lower-case form.
var known = func() map[string]string {
	m := make(map[string]string, len(names))
	for _, name := range names {
		m[strings.ToLower(name)] = name
	}
	return m
}()

// load opens a zone by its exact name. The error says which names are near.
func load(name ZoneName) (*time.Location, error) {
	if known[strings.ToLower(string(name))] != string(name) {
		return nil, unknownZone(name)
	}
	return time.LoadLocation(string(name))
}
