// Package playlists lets agents find, read, edit and delete playlists, which are kept in SQLite.
//
// A playlist belongs to a user and to that user's tenant. Everybody of the tenant may read it, its owner alone may edit and delete it, and
// for the users of other tenants it does not exist.
//
//capgen:namespace example.music
//capgen:docs dir=../docs
package playlists

import "github.com/capgen/capgen/capabilities"

//go:generate go run github.com/capgen/capgen/cmd/capgen generate

// PlaylistFind lists the playlists of the user's organisation, in the order of their IDs. Use it first: the other tools take a
// playlist's ID.
//
//capgen:capability playlist.find@1 risk=read scopes=playlist:read tool=playlist_find
//capgen:title Find playlists
type PlaylistFind struct {
	capabilities.Returns[Found]

	// Query is a part of the playlist's name. The case of A to Z does not matter. Without it all playlists are listed.
	Query string `json:"query,omitempty" maxLength:"80" example:"road"`
	// Limit is how many playlists to return at most.
	Limit int `json:"limit,omitzero" minimum:"1" maximum:"100" default:"20"`
}

// Found is what playlist_find answers.
type Found struct {
	// Playlists are those that match. It is empty when none does.
	Playlists []Summary `json:"playlists"`
	// Total is how many match, including those past the limit.
	Total int `json:"total" minimum:"0"`
}

// Summary is a playlist without its tracks.
type Summary struct {
	ID PlaylistID `json:"id"`
	// Name is what people call the playlist.
	Name string `json:"name"`
	// Owner is the user who may edit and delete the playlist.
	Owner string `json:"owner"`
}

// PlaylistRead tells the name, the owner and the tracks of a playlist.
//
//capgen:capability playlist.read@1 risk=read scopes=playlist:read tool=playlist_read
//capgen:title Read a playlist
type PlaylistRead struct {
	capabilities.Returns[Playlist]

	ID PlaylistID `json:"id"`
}

// Playlist is a playlist with its tracks.
type Playlist struct {
	Summary
	// Tracks are the titles, in the order in which they are played.
	Tracks []Track `json:"tracks"`
}

// PlaylistEdit renames a playlist of the user's own, takes tracks out of it and adds others at its end, and returns it as it is then. All
// of that is done, or nothing.
//
//capgen:capability playlist.edit@1 risk=write scopes=playlist:edit tool=playlist_edit
//capgen:title Edit a playlist
type PlaylistEdit struct {
	capabilities.Returns[Playlist]

	ID PlaylistID `json:"id"`
	// Name is the new name. Without it the name stays.
	Name string `json:"name,omitempty" minLength:"1" maxLength:"80"`
	// Remove are titles to take out, each of them once. They must be in the playlist.
	Remove []Track `json:"remove,omitempty" maxItems:"50"`
	// Add are titles to add at the end.
	Add []Track `json:"add,omitempty" maxItems:"50"`
}

// PlaylistDelete deletes a playlist of the user's own. It cannot be had back: ask the user first.
//
//capgen:capability playlist.delete@1 risk=destructive scopes=playlist:delete tool=playlist_delete idempotent
//capgen:title Delete a playlist
type PlaylistDelete struct {
	capabilities.Returns[capabilities.Nothing]

	ID PlaylistID `json:"id"`
}

// PlaylistID is the ID of a playlist. playlist_find finds it.
//
//capgen:schema minLength=1 maxLength=64 pattern=`^[a-z0-9]+(-[a-z0-9]+)*$` example=road-trip
type PlaylistID string

// Track is the title of a track.
//
//capgen:schema minLength=1 maxLength=120 example=Tunnel
type Track string
