package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities/internal/rule"
)

func TestMessageCounts(t *testing.T) {
	for _, test := range []struct{ keyword, limit, want string }{
		{"minLength", "1", "must have at least 1 character"},
		{"minLength", "2", "must have at least 2 characters"},
		{"maxLength", "0", "must have at most 0 characters"},
		{"maxItems", "1", "must have at most 1 item"},
		{"minItems", "10", "must have at least 10 items"},
		{"minProperties", "1", "must have at least 1 property"},
		{"maxProperties", "11", "must have at most 11 properties"},
		{"uniqueItems", "true", "must have no two equal items"},
		{"dependentRequired", "1", "does not match the schema's dependentRequired"},
	} {
		if got := rule.Message(test.keyword, test.limit); got != test.want {
			t.Errorf("%s %s: %q, want %q", test.keyword, test.limit, got, test.want)
		}
	}
}

func TestUnknown(t *testing.T) {
	known := []string{"title", "albumID", "id", "release-year"}
	const list = "has a property that is not known; the properties are albumID, id, release-year, title"
	for name, near := range map[string]string{
		"Title": "title", "TITLE": "title", "titel": "title", "tittle": "title", "titl": "title", "xitle": "title",
		"album_id": "albumID", "albumId": "albumID", "albumIDs": "albumID", "releaseYear": "release-year", "release_yer": "release-year",
		"ID":      "id",
		"ip":      "", // a short name is not a slip of another
		"titl1e2": "", "tilte2": "", "": "", "eltit": "", "slug": "",
	} {
		want := list
		if near != "" {
			want += fmt.Sprintf("; did you mean %q?", near)
		}
		if got := rule.Unknown(name, known); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
	if got := rule.Unknown("a", nil); got != "has a property that is not known; there are none" {
		t.Error(got)
	}
	if known[0] != "title" {
		t.Errorf("the caller's list was reordered: %v", known)
	}
}

// TestListsAreBounded: a message is short whatever the schema is.
func TestListsAreBounded(t *testing.T) {
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("n%02d", i))
	}
	if got := rule.Unknown("x", names); !strings.HasSuffix(got, ", n22, n23, 6 more") {
		t.Error(got)
	}
	if got := rule.OneOf(names); !strings.HasSuffix(got, ", n22, n23 or 6 more") {
		t.Error(got)
	}
	if len(names) != 30 || names[24] != "n24" {
		t.Errorf("the caller's list was changed: %v", names)
	}
	for want, list := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := rule.OneOf(list); got != want {
			t.Errorf("%v: %q", list, got)
		}
	}
}
