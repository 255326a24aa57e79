package envelope

import (
	"bytes"
	"slices"
)

// fewNames is up to how many names of an object are compared as they come.
const fewNames = 16

// namesOfObject finds out whether an object has a name twice. Its names are the last ones of the scanner's, from outer on. A few are compared
// as they come, and a filter of 64 bits says of most that there is nothing to compare with; more are sorted at the object's end. Sorting, and not a
// map, because it allocates nothing and its worst case is bounded whatever the names are.
type namesOfObject struct {
	outer     int
	filter    uint64
	duplicate bool
}

func (n *namesOfObject) add(s *scanner, name []byte) {
	if len(s.names)-n.outer < fewNames {
		bit := filterBit(name)
		if n.filter&bit != 0 && has(s.names[n.outer:], name) {
			n.duplicate = true
		}
		n.filter |= bit
	}
	s.names = append(s.names, name)
}

// filterBit returns one of 64 bits for a name. Names that differ share one now and then.
func filterBit(name []byte) uint64 {
	if len(name) == 0 {
		return 1
	}
	return 1 << ((uint(len(name)) + uint(name[0])*5 + uint(name[len(name)-1])*11 + uint(name[len(name)/2])*23) % 64)
}

func has(names [][]byte, name []byte) bool {
	for _, other := range names {
		if bytes.Equal(other, name) {
			return true
		}
	}
	return false
}

// hasDuplicate is asked at the end of the object. It may reorder the names.
func (n *namesOfObject) hasDuplicate(s *scanner) bool {
	names := s.names[n.outer:]
	if len(names) <= fewNames || n.duplicate {
		return n.duplicate
	}
	slices.SortFunc(names, bytes.Compare)
	for i := 1; i < len(names); i++ {
		if bytes.Equal(names[i-1], names[i]) {
			return true
		}
	}
	return false
}
