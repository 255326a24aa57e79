package capabilities_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
)

func TestParseID(t *testing.T) {
	long := strings.Repeat("a", 64)
	for _, text := range []string{
		"a:b@1", "example.catalog:album.lookup@1", "a1:b2-c3.d4@12", "a.1:b-2@2147483647", long + ":" + long + "@1",
	} {
		id, err := capabilities.ParseID(text)
		if err != nil || id.String() != text {
			t.Errorf("%s is read as %v, %v", text, id, err)
		}
	}

	const form = ` is not of the form [a-z][a-z0-9]*([.-][a-z0-9]+)*: write lower-case words joined by . or -`
	const from1 = ` is not a whole number from 1, such as 1`
	for text, want := range map[string]string{
		"":                         `capability ID "" has no namespace: write namespace:name@major, such as example.catalog:album.lookup@1`,
		"lookup@1":                 `capability ID "lookup@1" has no namespace: write namespace:name@major, such as example.catalog:album.lookup@1`,
		"a:b":                      `capability ID "a:b" has no major version: write a:b@1`,
		":b@1":                     `namespace ""` + form,
		"a:@1":                     `name ""` + form,
		"A:b@1":                    `namespace "A"` + form,
		"a:look_up@1":              `name "look_up"` + form,
		"a:b..c@1":                 `name "b..c"` + form,
		"a:b.@1":                   `name "b."` + form,
		"a:.b@1":                   `name ".b"` + form,
		"a:1b@1":                   `name "1b"` + form,
		"a:b:c@1":                  `name "b:c"` + form,
		"é:b@1":                    `namespace "é"` + form,
		"a:b\n@1":                  `name "b\n"` + form,
		"a:" + long + "a@1":        `name "` + long + `a" has 65 characters, at most 64 are allowed`,
		"a:b@":                     `major version ""` + from1,
		"a:b@0":                    `major version "0"` + from1,
		"a:b@-1":                   `major version "-1"` + from1,
		"a:b@+1":                   `major version "+1"` + from1,
		"a:b@01":                   `major version "01"` + from1,
		"a:b@1.0":                  `major version "1.0"` + from1,
		"a:b@1@1":                  `major version "1@1"` + from1,
		"a:b@99999999999999999999": `major version "99999999999999999999"` + from1,
	} {
		id, err := capabilities.ParseID(text)
		if err == nil || err.Error() != want || id != (capabilities.ID{}) {
			t.Errorf("%q\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestIDAsJSON(t *testing.T) {
	byID := map[capabilities.ID]int{{Namespace: "a", Name: "b", Major: 1}: 2}
	text, err := json.Marshal(byID)
	if err != nil || string(text) != `{"a:b@1":2}` {
		t.Errorf("%s, %v", text, err)
	}
	kept := capabilities.ID{Namespace: "a", Name: "b", Major: 1}
	if err := json.Unmarshal([]byte(`"a:b@0"`), &kept); err == nil || kept.Major != 1 {
		t.Errorf("a wrong ID is read as %v, %v", kept, err)
	}
}

func TestAccessAsJSON(t *testing.T) {
	for text, want := range map[string]string{
		`"public"`: "public",
		`{"scopes":["album:read","album:write"]}`: "album:read,album:write",
	} {
		var access capabilities.Access
		if err := json.Unmarshal([]byte(text), &access); err != nil || access.String() != want || access.Public() != (want == "public") {
			t.Errorf("%s is read as %v, %v", text, access, err)
		}
		if back, err := json.Marshal(access); err != nil || string(back) != text {
			t.Errorf("%s is written as %s, %v", text, back, err)
		}
	}
	// What cannot be read must never turn out public.
	for _, text := range []string{`"Public"`, `""`, `{}`, `{"scopes":[]}`, `{"scopes":null}`, `null`, `[]`, `{"scopes":[1]}`} {
		access := capabilities.Access{Scopes: []string{"kept"}}
		err := json.Unmarshal([]byte(text), &access)
		if err == nil || err.Error() != `access is neither "public" nor {"scopes": [...]}` || access.Public() {
			t.Errorf("%s is read as %v, %v", text, access, err)
		}
	}
}

func TestCheckScope(t *testing.T) {
	for _, scope := range []string{"a", "album:read", "a.b_c-d:9", strings.Repeat("a", 64)} {
		if err := capabilities.CheckScope(scope); err != nil {
			t.Error(err)
		}
	}
	for _, scope := range []string{"", "Album", "9", "a b", "a\n", strings.Repeat("a", 65)} {
		if err := capabilities.CheckScope(scope); err == nil || !strings.HasSuffix(err.Error(), " is not of the form [a-z][a-z0-9:._-]{0,63}") {
			t.Errorf("%q: %v", scope, err)
		}
	}
}

func TestParseRisk(t *testing.T) {
	for text, mutates := range map[string]bool{"read": false, "write": true, "destructive": true} {
		if risk, err := capabilities.ParseRisk(text); err != nil || risk.Mutates() != mutates {
			t.Errorf("%s: %v, %v", text, risk, err)
		}
	}
	if _, err := capabilities.ParseRisk("Read"); err == nil || err.Error() != `risk "Read" is none of read, write, destructive` {
		t.Error(err)
	}
}
