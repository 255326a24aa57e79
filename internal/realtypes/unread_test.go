package realtypes

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/santhosh-tekuri/jsonschema/v5"
)

// unread has the documents that are refused as they are published. Each goes through without its members that are null, which a pointer
// with omitempty refuses, and without the members listed here, which its Go type does not have.
var unread = map[string][]string{
	"github-repository-null.json": nil,
	"github-repository.json": {
		"/forks", "/temp_clone_token", "/organization/gravatar_id", "/organization/followers_url", "/organization/following_url",
		"/organization/gists_url", "/organization/starred_url", "/organization/subscriptions_url", "/organization/organizations_url",
		"/organization/received_events_url", "/organization/site_admin",
	},
	"github-pull.json": {"/head/repo/forks", "/base/repo/forks"},
}

// TestUnread holds that a document of unread is refused as it is published, by the generated code and by the schema, for what unread
// leaves out of it and for nothing else.
func TestUnread(t *testing.T) {
	for _, d := range documents {
		unknown, ok := unread[d.file]
		if !ok {
			continue
		}
		t.Run(d.file, func(t *testing.T) {
			document := parse(t, read(t, filepath.Join("testdata", d.file)))
			var want []string
			for _, pointer := range nulls("/value", document) {
				want = append(want, pointer+" type")
			}
			for _, pointer := range unknown {
				// An object with names that are not known is one problem, however many they are.
				want = append(want, path.Dir("/value"+pointer)+" additionalProperties")
			}
			slices.Sort(want)
			want = slices.Compact(want)
			if len(want) == 0 || len(want) > capabilities.MaxProblems {
				t.Fatalf("%d problems, want at least one and no more than are reported", len(want))
			}
			input := asInput(t, document)
			got := d.trip(t, input)
			var problems capabilities.Problems
			errors.As(got.refused, &problems)
			var found []string
			for _, p := range problems {
				found = append(found, p.Pointer+" "+p.Keyword)
			}
			slices.Sort(found)
			if !slices.Equal(found, want) {
				t.Errorf("the generated code says\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
			}
			var invalid *jsonschema.ValidationError
			errors.As(compile(t, got.definition.Input).Validate(parse(t, input)), &invalid)
			found = leaves(invalid)
			slices.Sort(found)
			if !slices.Equal(found, want) {
				t.Errorf("the schema says\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// leaves lists where the schema refuses a text, each place with the keyword that failed there.
func leaves(invalid *jsonschema.ValidationError) []string {
	if invalid == nil {
		return nil
	}
	if len(invalid.Causes) == 0 {
		return []string{invalid.InstanceLocation + " " + path.Base(invalid.KeywordLocation)}
	}
	var found []string
	for _, cause := range invalid.Causes {
		found = append(found, leaves(cause)...)
	}
	return found
}

// nulls lists the members that are null.
func nulls(at string, value any) []string {
	var found []string
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if member == nil {
				found = append(found, at+"/"+name)
			}
			found = append(found, nulls(at+"/"+name, member)...)
		}
	case []any:
		for i, item := range value {
			found = append(found, nulls(fmt.Sprintf("%s/%d", at, i), item)...)
		}
	}
	return found
}

// dropNulls takes the members that are null out of a value.
func dropNulls(value any) {
	switch value := value.(type) {
	case map[string]any:
		maps.DeleteFunc(value, func(_ string, member any) bool { return member == nil })
		for _, member := range value {
			dropNulls(member)
		}
	case []any:
		for _, item := range value {
			dropNulls(item)
		}
	}
}

// drop takes a member out of a value.
func drop(t *testing.T, value any, pointer string) {
	t.Helper()
	names := strings.Split(pointer[1:], "/")
	for _, name := range names[:len(names)-1] {
		value = value.(map[string]any)[name]
	}
	object, last := value.(map[string]any), names[len(names)-1]
	if _, ok := object[last]; !ok {
		t.Fatalf("the document has no %s", pointer)
	}
	delete(object, last)
}
