package e2e

import (
	"maps"
	"path"
	"slices"
	"testing"
)

// difference is a part of some answers in which we differ from go-sdk on purpose. exchange and part are patterns of
// path.Match, in which * stands for anything up to a slash; found is the difference itself, or empty where it varies.
type difference struct {
	exchange, part, found string
	reason                string
}

// TestReference sends the same requests to the fixture and to a server with the same tools on go-sdk's own. A difference that
// is not in the table fails, and so does a line of the table that nothing matches any more.
func TestReference(t *testing.T) {
	ours := replies(t, startFixture(t, `{"tool_deadline_s": 0.3}`))
	theirs := replies(t, startReference(t))

	used := make([]bool, len(differences))
	for i, x := range exchanges {
		found := differs(ours[i], theirs[i])
		for _, part := range slices.Sorted(maps.Keys(found)) {
			if !listed(x.name, part, found[part], used) {
				t.Errorf("not in the table: {%q, %q, %q, \"\"}", x.name, part, found[part])
			}
		}
	}
	for i, d := range differences {
		if !used[i] {
			t.Errorf("nothing differs any more in {%q, %q, %q}: remove the line", d.exchange, d.part, d.found)
		}
	}
}

func replies(t *testing.T, url string) []reply {
	t.Helper()
	all := make([]reply, len(exchanges))
	session := ""
	for i, x := range exchanges {
		all[i] = x.send(t, url, session)
		if all[i].session != "" {
			session = all[i].session
		}
	}
	return all
}

// listed reports whether the table has a difference, and marks the first line that has it.
func listed(exchange, part, found string, used []bool) bool {
	for i, d := range differences {
		if match(d.exchange, exchange) && match(d.part, part) && (d.found == "" || d.found == found) {
			used[i] = true
			return true
		}
	}
	return false
}

func match(pattern, name string) bool {
	matched, err := path.Match(pattern, name)
	return matched && err == nil
}
