package zones

import (
	"cmp"
	"slices"
	"strings"

	"github.com/capgen/capgen/capabilities"
)

// How well a name answers a query; less is better.
const (
	rankName   = iota // it is the name
	rankCity          // it is the name's last part
	rankPrefix        // a part of the name begins with it
	rankInside        // it is somewhere in the name
	noMatch
)

// search returns the names that hold the query, the best matches first.
func search(query string) []string {
	query = fold(query)
	return ranked(func(name string) int { return rank(fold(name), query) }, noMatch)
}

func rank(name, query string) int {
	switch at := strings.Index(name, query); {
	case at < 0:
		return noMatch
	case name == query:
		return rankName
	case strings.HasSuffix(name, "/"+query):
		return rankCity
	case at == 0 || strings.Contains(name, "/"+query):
		return rankPrefix
	}
	return rankInside
}

// fold makes what people write alike: "New York" and america/new_york.
func fold(text string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text)), " ", "_")
}

// ranked returns the names whose rank is below the limit, by rank and then by name.
func ranked(rank func(name string) int, limit int) []string {
	ranks := make(map[string]int, len(names))
	var found []string
	for _, name := range names {
		if ranks[name] = rank(name); ranks[name] < limit {
			found = append(found, name)
		}
	}
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(ranks[a], ranks[b]) })
	return found
}

const (
	maxNear = 5 // how many near names an answer offers
	maxSlip = 2 // how many letters a slip may change, and no more than one in three
)

// unknownZone is the answer to a name that no zone has.
func unknownZone(name ZoneName) error {
	found := near(string(name))
	if len(found) == 0 {
		return capabilities.Errorf("unknown_zone", "there is no zone %q, and none has a name like it: find its name with zone_find", name)
	}
	return capabilities.Errorf("unknown_zone", "there is no zone %q: did you mean %s?", name, strings.Join(found, ", "))
}

// near returns the names that a wrong one may stand for: those that hold it, else those whose last part holds its last part,
// else those that differ from it by a slip.
func near(name string) []string {
	name = fold(name)
	city := lastPart(name)
	found := search(name)
	if len(found) == 0 && city != "" {
		found = search(city)
	}
	if len(found) == 0 {
		found = ranked(func(other string) int {
			other = fold(other)
			return min(distance(name, other), distance(city, lastPart(other)))
		}, min(maxSlip, len(city)/3)+1)
	}
	return found[:min(len(found), maxNear)]
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// distance is how many letters must be inserted, left out or replaced to make one text of the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
