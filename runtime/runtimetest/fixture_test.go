package runtimetest_test

import (
	"context"
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"github.com/capgen/capgen/capabilities"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// What follows is what capgen generates, written by hand.

// AlbumLookup is the declaration that the tests use.
type AlbumLookup struct {
	capabilities.Returns[Album]

	Slug string `json:"slug"`
}

// Album is its result.
type Album struct {
	Title string `json:"title"`
	Plays uint64 `json:"plays"`
}

var albumCapability = capabilities.Declare[AlbumLookup, Album](`{
	"id": "example.catalog:album.lookup@1", "tool": "album_lookup", "description": "AlbumLookup looks up a public album by its slug.",
	"risk": "read", "access": "public",
	"input": {
		"type": "object",
		"properties": {"slug": {"type": "string", "minLength": 1}},
		"required": ["slug"],
		"additionalProperties": false
	},
	"output": {"type": "object", "properties": {"title": {"type": "string"}, "plays": {"type": "integer"}}, "required": ["title", "plays"]}
}`)

func (AlbumLookup) Capability() *capabilities.Capability[AlbumLookup, Album] { return albumCapability }

func lookup(ctx context.Context, in AlbumLookup) (Album, error) {
	switch in.Slug {
	case "night-drive":
		return Album{Title: "Night Drive", Plays: 1<<53 + 1}, nil
	case "panic":
		panic("boom")
	case "wait":
		<-ctx.Done()
		return Album{}, ctx.Err()
	}
	return Album{}, capabilities.Errorf("unknown_album", "there is no album %s: try night-drive", in.Slug)
}

func newRegistry() *capabilities.Registry {
	registry, err := capabilities.NewRegistry(capabilities.Handle(lookup))
	if err != nil {
		panic(err)
	}
	return registry
}

// recorder is a testing.TB that keeps what a test would end with.
type recorder struct {
	testing.TB

	cleanups []func()
	fatal    string
}

func (*recorder) Helper()                  {}
func (*recorder) Context() context.Context { return context.Background() }
func (r *recorder) Cleanup(f func())       { r.cleanups = append(r.cleanups, f) }

func (r *recorder) Fatalf(format string, args ...any) {
	r.fatal = fmt.Sprintf(format, args...)
	panic(r)
}

// run returns what f ends with, "" when it just returns.
func (r *recorder) run(f func()) string {
	defer func() {
		if value := recover(); value != nil && value != any(r) {
			panic(value)
		}
		for _, cleanup := range r.cleanups {
			cleanup()
		}
	}()
	f()
	return r.fatal
}
