package browser

import (
	"slices"
	"strings"
	"testing"
)

// phoneWidth is that of the narrowest phones in use, in CSS pixels, and smallest the least size of a text that is readable on them.
const (
	phoneWidth = 360
	smallest   = 14
)

func TestExamples(t *testing.T) {
	seen := look(t, "../..", []string{"./examples/..."}, "zone_transitions  YEAR", "playlist_delete", "zyzzyva nowhere", " ")
	readable(t, seen)
	all := seen.Bare.Articles
	if len(all) < 10 || seen.Bare.Form {
		t.Errorf("without a script %d capabilities are visible, and a search: %v", len(all), seen.Bare.Form)
	}
	for query, want := range map[string]struct {
		entries []string
		said    string
	}{
		"zone_transitions  YEAR": {[]string{"example.time-zone.transitions-1"}, "1 of "},
		"playlist_delete":        {[]string{"example.music-playlist.delete-1"}, "1 of "},
		"zyzzyva nowhere":        {[]string{}, "No capability matches “zyzzyva nowhere”."},
		" ":                      {all, ""},
	} {
		got := seen.Found[query]
		if !slices.Equal(got.Articles, want.entries) || !slices.Equal(got.Links, want.entries) || !got.Form {
			t.Errorf("a search for %q leaves %v and the links %v, want %v", query, got.Articles, got.Links, want.entries)
		}
		if !strings.HasPrefix(got.Said, want.said) || want.said == "" && got.Said != "" {
			t.Errorf("a search for %q says %q, want %q", query, got.Said, want.said)
		}
	}
}

// Public types have the longest names, patterns and schemas that there are.
func TestPublicTypes(t *testing.T) {
	readable(t, look(t, "../realtypes", []string{"./..."}))
}

// readable checks what holds for every page.
func readable(t *testing.T, seen *report) {
	t.Helper()
	if seen.Phone.Width > phoneWidth {
		t.Errorf("on a phone the page is %d pixels wide", seen.Phone.Width)
	}
	for name, view := range map[string]view{"phone": seen.Phone, "wide": seen.Wide} {
		if view.Smallest < smallest {
			t.Errorf("%s: the smallest text has %v pixels", name, view.Smallest)
		}
		if len(view.Across) > 0 {
			t.Errorf("%s: past the edge there are %d texts, as %q", name, len(view.Across), view.Across[0])
		}
		// The empty icon is part of the page.
		requests := slices.DeleteFunc(view.Requests, func(url string) bool { return url == "data:," })
		if len(requests) != 1 || len(view.Complaints) > 0 {
			t.Errorf("%s: the browser asked for %q and complained of %q", name, requests, view.Complaints)
		}
	}
	if len(seen.Targets) > 0 {
		t.Errorf("links lead nowhere: %q", seen.Targets)
	}
	if !seen.Refused || seen.asked != 3 {
		t.Errorf("three tabs have made %d requests, and another was refused: %v", seen.asked, seen.Refused)
	}
}
