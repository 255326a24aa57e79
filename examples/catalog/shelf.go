package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/catalog/albums"
)

// stock is what can be bought.
var stock = shelf{
	{Number: "ND-002", Title: "Night Drive", Year: 2019},
	{Number: "ND-001", Title: "Night Drive", Year: 1999},
	{Number: "TU-001", Title: "Tunnel", Year: 2004},
}

// shelf answers from memory.
type shelf []albums.Album

var _ albums.Handlers = shelf(nil)

// AlbumLookup returns the oldest album whose title makes the slug.
func (s shelf) AlbumLookup(_ context.Context, in albums.AlbumLookup) (albums.Album, error) {
	var found []albums.Album
	for _, album := range s {
		if slug(album.Title) == in.Slug {
			found = append(found, album)
		}
	}
	if len(found) == 0 {
		return albums.Album{}, capabilities.Errorf("unknown_album", "there is no album %q: write its title in lower case, with - between the words", in.Slug)
	}
	return slices.MinFunc(found, func(a, b albums.Album) int { return cmp.Compare(a.Year, b.Year) }), nil
}

func slug(title string) string { return strings.ReplaceAll(strings.ToLower(title), " ", "-") }

// AlbumLookupV2 returns the albums of some numbers.
func (s shelf) AlbumLookupV2(_ context.Context, in albums.AlbumLookupV2) (albums.Albums, error) {
	var found albums.Albums
	for _, number := range in.Numbers {
		if i := slices.IndexFunc(s, func(a albums.Album) bool { return a.Number == number }); i >= 0 {
			found.Albums = append(found.Albums, s[i])
		}
	}
	return found, nil
}

//go:embed archive.json
var archived []byte

// archive answers from a file, which has what is no longer on the shelf too.
func archive(ctx context.Context, in albums.AlbumLookupV2) (albums.Albums, error) {
	var all shelf
	if err := json.Unmarshal(archived, &all); err != nil {
		return albums.Albums{}, fmt.Errorf("the archive: %w", err)
	}
	return all.AlbumLookupV2(ctx, in)
}
