package capabilities_test

import (
	"context"
	"time"

	"github.com/capgen/capgen/capabilities"
)

// What follows is what capgen generates, written by hand: this package's tests do not depend on the generator.

// AlbumLookup is the declaration that the tests use.
type AlbumLookup struct {
	capabilities.Returns[Album]

	Slug string `json:"slug"`
}

// Album is its result.
type Album struct {
	Title    string    `json:"title"`
	Tracks   []string  `json:"tracks"`
	Released time.Time `json:"released"`
}

const albumContract = `{
	"id": "example.catalog:album.lookup@1",
	"tool": "album_lookup",
	"description": "AlbumLookup looks up a public album by its slug.",
	"risk": "read",
	"access": "public",
	"input": {
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"type": "object",
		"properties": {"slug": {"type": "string", "minLength": 1, "pattern": "^[a-z-]+$"}},
		"required": ["slug"],
		"additionalProperties": false
	},
	"output": {
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"type": "object",
		"properties": {
			"title": {"type": "string", "minLength": 1},
			"tracks": {"type": "array", "items": {"type": "string"}},
			"released": {"type": "string", "format": "date-time"}
		},
		"required": ["title", "tracks", "released"]
	}
}`

var albumCapability = capabilities.Declare[AlbumLookup, Album](albumContract)

func (AlbumLookup) Capability() *capabilities.Capability[AlbumLookup, Album] { return albumCapability }

// AlbumRetire is a destructive capability without a result.
type AlbumRetire struct {
	capabilities.Returns[capabilities.Nothing]

	Slug string `json:"slug"`
}

const retireContract = `{
	"id": "example.catalog:album.retire@1",
	"tool": "album_retire",
	"risk": "destructive",
	"access": {"scopes": ["album:delete"]},
	"timeout": "50ms",
	"input": {"type": "object", "properties": {"slug": {"type": "string"}}, "required": ["slug"], "additionalProperties": false},
	"output": {"type": "object"}
}`

var retireCapability = capabilities.Declare[AlbumRetire, capabilities.Nothing](retireContract)

func (AlbumRetire) Capability() *capabilities.Capability[AlbumRetire, capabilities.Nothing] {
	return retireCapability
}

var nightDrive = Album{Title: "Night Drive", Released: time.Date(1999, 3, 4, 0, 0, 0, 0, time.UTC)}

func lookup(_ context.Context, in AlbumLookup) (Album, error) {
	if in.Slug != "night-drive" {
		return Album{}, capabilities.Errorf("unknown_album", "there is no album %s: try night-drive", in.Slug)
	}
	return nightDrive, nil
}
