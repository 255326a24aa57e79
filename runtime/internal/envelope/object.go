package envelope

import (
	"bytes"
	"slices"
)

// Object is the members of a JSON object in the order in which they were written.
type Object []Member

// Member is one member of an object.
type Member struct {
	// Name is without quotes and escapes.
	Name []byte
	// Value is as it was spelt, without the space around it.
	Value []byte
}

// Get returns a member's value, or nil when there is none.
func (o Object) Get(name string) []byte {
	for _, m := range o {
		if string(m.Name) == name {
			return m.Value
		}
	}
	return nil
}

// ReadObject returns the members of a JSON object, such as a part of a message. It is not ok when the text is nil or
// anything else.
func ReadObject(text []byte) (object Object, ok bool) {
	s := newScanner(text)
	var top members
	if s.peek() != '{' || !s.value(&top, nil) || !s.end() || s.fault != "" {
		return nil, false
	}
	return top.list, true
}

// members collects an object's members while it is scanned; a nil *members collects nothing.
type members struct {
	list Object
}

func (m *members) add(name, value []byte) {
	if m == nil {
		return
	}
	if m.list == nil {
		m.list = make(Object, 0, 6)
	}
	m.list = append(m.list, Member{Name: name, Value: value})
}

// fewNames is up to how many names comparing each with each is quicker than sorting them.
const fewNames = 12

// hasDuplicate reports whether a name is there twice. It may reorder them. Sorting, and not a map, because it allocates
// nothing and its worst case is bounded whatever the names are.
func hasDuplicate(names [][]byte) bool {
	if len(names) > fewNames {
		slices.SortFunc(names, bytes.Compare)
		for i := 1; i < len(names); i++ {
			if bytes.Equal(names[i-1], names[i]) {
				return true
			}
		}
		return false
	}
	for i, name := range names {
		for _, earlier := range names[:i] {
			if bytes.Equal(earlier, name) {
				return true
			}
		}
	}
	return false
}
