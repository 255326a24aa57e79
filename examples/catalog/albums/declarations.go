// Package albums is a pack: what a shop for music promises about its albums. It has no handlers, since every shop has shelves of its own.
//
//capgen:namespace example.catalog pack
//capgen:docs dir=../docs
package albums

import "github.com/capgen/capgen/capabilities"

//go:generate go run github.com/capgen/capgen/cmd/capgen generate

// AlbumLookup looks an album up by the slug of its title.
//
//capgen:capability album.lookup@1 risk=read access=public tool=album_lookup
//capgen:title Look an album up
//capgen:deprecated call album_lookup_v2: two albums can have the same title, and then the slug means the older one
type AlbumLookup struct {
	capabilities.Returns[Album]

	// Slug is the title in lower case, its words joined by "-", such as "night-drive".
	Slug string `json:"slug" minLength:"1" maxLength:"80" pattern:"^[a-z0-9]+(-[a-z0-9]+)*$"`
}

// Album is what a shop knows of an album.
type Album struct {
	// Number is the catalog number, which no other album has.
	Number Number `json:"number"`
	// Title is the title as it is printed.
	Title string `json:"title"`
	// Year is when it came out.
	Year int `json:"year" minimum:"1900"`
}

// Number is a catalog number.
//
//capgen:schema pattern="^[A-Z]{2}-[0-9]{3}$" example=ND-001
type Number string

// AlbumLookupV2 looks albums up by their catalog numbers.
//
//capgen:capability album.lookup@2 risk=read access=public tool=album_lookup_v2 reviewed-by=jo
//capgen:title Look albums up
//capgen:migrates an album is known by its catalog number and no more by its title; several can be asked for at once, and what is not known is left out
type AlbumLookupV2 struct {
	capabilities.Returns[Albums]

	// Numbers are the catalog numbers.
	Numbers []Number `json:"numbers" minItems:"1" maxItems:"20" uniqueItems:"true"`
}

// Albums are those of the numbers that are known, in the order of the question.
type Albums struct {
	// Albums is empty when none is known.
	Albums []Album `json:"albums"`
}

// AlbumSearch found albums by words of their titles.
//
//capgen:capability album.search@1 risk=read access=public tool=album_search reviewed-by=jo
//capgen:removed call album_lookup_v2 with a catalog number
type AlbumSearch struct{}
