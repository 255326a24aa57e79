// Package fork declares contracts that contradict those of package albums, as a copy of it in another module would. It is written by
// hand: capgen, which sees both packages here, refuses to generate it.
package fork

import "github.com/capgen/capgen/capabilities"

// AlbumLookup is a copy of the capability of package albums that went its own way and kept the ID.
type AlbumLookup struct {
	capabilities.Returns[string]
}

var albumLookup = capabilities.Declare[AlbumLookup, string](`{
	"id": "example.catalog:album.lookup@1", "tool": "fork_album_lookup", "risk": "read", "access": "public",
	"input": {"type": "object", "additionalProperties": false}, "output": {"type": "string"}
}`)

// Capability returns the capability example.catalog:album.lookup@1.
func (AlbumLookup) Capability() *capabilities.Capability[AlbumLookup, string] { return albumLookup }

// Playing tells what a radio plays. Some clients cannot tell its tool name from that of package albums.
type Playing struct {
	capabilities.Returns[string]
}

var playing = capabilities.Declare[Playing, string](`{
	"id": "example.radio:playing@1", "tool": "Album-Lookup", "risk": "read", "access": "public",
	"input": {"type": "object", "additionalProperties": false}, "output": {"type": "string"}
}`)

// Capability returns the capability example.radio:playing@1.
func (Playing) Capability() *capabilities.Capability[Playing, string] { return playing }

// Next tells what a radio plays next. Nothing is wrong with it.
type Next struct {
	capabilities.Returns[string]
}

var next = capabilities.Declare[Next, string](`{
	"id": "example.radio:next@1", "tool": "radio_next", "risk": "read", "access": "public",
	"input": {"type": "object", "additionalProperties": false}, "output": {"type": "string"}
}`)

// Capability returns the capability example.radio:next@1.
func (Next) Capability() *capabilities.Capability[Next, string] { return next }

// Copy returns a pack that takes the namespace of package albums, and one of its IDs.
func Copy() capabilities.Pack { return capabilities.NewPack("example.catalog", albumLookup) }

// Radio returns a pack of its own namespace that takes a tool name of package albums.
func Radio() capabilities.Pack { return capabilities.NewPack("example.radio", playing, next) }

// Soon returns a pack that contradicts nobody, unless an alias does.
func Soon() capabilities.Pack { return capabilities.NewPack("example.radio", next) }
