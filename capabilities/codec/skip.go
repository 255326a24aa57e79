package codec

import "fmt"

// Skip passes over a value of any type, holding it to all of JSON's rules: syntax, unique names, UTF-8, depth.
func (d *Decoder) Skip() {
	if !d.dead {
		d.skip(len(d.frames))
	}
}

// whole reports whether the source is one value and nothing else, as it may stand at a depth.
func (d *Decoder) whole(depth int) bool {
	d.skip(depth)
	return !d.dead && d.pos == len(d.text)
}

// Raw passes over a value of any type and returns its text, which is good until the text is changed.
func (d *Decoder) Raw() (text []byte, ok bool) {
	d.peek()
	start := d.pos
	d.Skip()
	if d.dead {
		return nil, false
	}
	return d.text[start:d.pos], true
}

func (d *Decoder) skip(depth int) {
	switch c := d.peek(); {
	case c == '{' || c == '[':
		if depth >= maxDepth {
			d.fatal(fmt.Sprintf("is nested more than %d levels deep", maxDepth))
			return
		}
		mark := d.ahead.opens(d.pos)
		d.pos++
		if c == '{' {
			d.skipMembers(depth + 1)
		} else {
			d.skipItems(depth + 1)
		}
		d.ahead.closes(mark, d.pos)
	case c == '"':
		d.skipString()
	case c == 't':
		d.literal("true")
	case c == 'f':
		d.literal("false")
	case c == 'n':
		d.literal("null")
	case c == '-' || '0' <= c && c <= '9':
		d.skipNumber()
	default:
		d.syntax(d.mistake())
	}
}

func (d *Decoder) skipItems(depth int) {
	if d.peek() == ']' {
		d.pos++
		return
	}
	for !d.dead {
		d.skip(depth)
		if d.dead || d.closes(']') {
			return
		}
	}
}

// closes passes over the comma or the closing byte that follows a value, and reports whether it was the latter.
func (d *Decoder) closes(end byte) bool {
	switch d.peek() {
	case end:
		d.pos++
		return true
	case ',':
		d.pos++
	default:
		d.syntax(d.mistake())
	}
	return false
}

func (d *Decoder) skipMembers(depth int) {
	if d.peek() == '}' {
		d.pos++
		return
	}
	var names nameSet
	for !d.dead {
		if d.peek() != '"' {
			d.syntax(d.mistake())
			return
		}
		start := d.pos
		if !d.skipString() {
			return
		}
		if !names.add(unquoted(d.text[start:d.pos])) {
			d.twice()
			return
		}
		if d.peek() != ':' {
			d.syntax(d.mistake())
			return
		}
		d.pos++
		d.skip(depth)
		if d.dead || d.closes('}') {
			return
		}
	}
}

// nameSet finds names that occur twice: by comparing while they are few, as they are in most objects.
type nameSet struct {
	few  [8][]byte
	n    int
	many map[string]struct{}
}

// add reports whether the name is new.
func (s *nameSet) add(name []byte) bool {
	if s.many == nil {
		for _, other := range s.few[:s.n] {
			if string(other) == string(name) {
				return false
			}
		}
		if s.n < len(s.few) {
			s.few[s.n] = name
			s.n++
			return true
		}
		s.many = make(map[string]struct{}, 2*len(s.few))
		for _, other := range s.few {
			s.many[string(other)] = struct{}{}
		}
	}
	if _, twice := s.many[string(name)]; twice {
		return false
	}
	s.many[string(name)] = struct{}{}
	return true
}
