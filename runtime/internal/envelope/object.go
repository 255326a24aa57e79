package envelope

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
	var s scanner
	s.begin(text)
	top := members{list: make(Object, 0, 6)}
	if s.peek() != '{' || !s.value(&top) || !s.end() || s.fault != "" {
		return nil, false
	}
	return top.list, true
}

// MemberOf returns a member of an object that is part of a message, and so was read already; nil when there is none. It collects nothing, which is
// quicker than [ReadObject] for one or two members.
func MemberOf(object []byte, name string) []byte {
	s := scanner{text: object, pos: 1}
	for s.peek() == '"' {
		found, ok := s.string(toKeep)
		if !ok || s.peek() != ':' {
			return nil
		}
		s.pos++
		s.peek()
		start := s.pos
		if !s.value(nil) {
			return nil
		}
		if string(found) == name {
			return object[start:s.pos]
		}
		if s.peek() == ',' {
			s.pos++
		}
	}
	return nil
}

// members collects an object's members while it is scanned; a nil *members collects nothing.
type members struct {
	list Object
	// The member of that name, if it is an object, is collected too.
	child   string
	ofChild *members
}

func (m *members) add(name, value []byte) {
	if m != nil {
		m.list = append(m.list, Member{Name: name, Value: value})
	}
}

// below returns what collects the members of a member.
func (m *members) below(name []byte) *members {
	if m == nil || m.ofChild == nil || string(name) != m.child {
		return nil
	}
	return m.ofChild
}
