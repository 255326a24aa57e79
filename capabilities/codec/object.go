package codec

import "strings"

// Object enters an object whose names are the schema's. The result is false, with a problem, when the value is something else.
//
//	if d.Object() {
//		for d.Next() {
//			switch string(d.Name()) { … }
//		}
//	}
func (d *Decoder) Object() bool { return d.object(inObject) }

// Map enters an object whose names are the caller's own.
func (d *Decoder) Map() bool { return d.object(inMap) }

func (d *Decoder) object(kind frameKind) bool {
	if d.dead {
		return false
	}
	if d.peek() != '{' {
		d.wrong("an object")
		return false
	}
	return d.enter(kind)
}

// Next moves to the next member, whose value is then read. It is false at the object's end, which it leaves.
func (d *Decoder) Next() bool {
	if d.ended() {
		return false
	}
	c := d.peek()
	f := d.top()
	if c == '}' {
		d.pos++
		d.left = f.index + 1
		d.pop()
		return false
	}
	if f.index >= 0 {
		if c != ',' {
			d.syntax(d.mistake())
			return false
		}
		d.pos++
		c = d.peek()
	}
	if c != '"' {
		d.syntax(d.mistake())
		return false
	}
	f.index++
	f.start = d.pos
	name, ok := d.contents()
	if !ok {
		return false
	}
	f.end = d.pos
	if escaped := len(name) < f.end-f.start-2; escaped || d.unescaped != nil {
		d.unescaped = nil
		if escaped {
			d.unescaped = name
		}
	}
	if d.peek() != ':' {
		d.syntax(d.mistake())
		return false
	}
	d.pos++
	if f.extra != nil && f.extra.discriminator != "" && string(name) == f.extra.discriminator {
		return d.passDiscriminator(f)
	}
	return true
}

// passDiscriminator passes over the member that told which variant this is.
func (d *Decoder) passDiscriminator(f *frame) bool {
	if f.extra.discriminated {
		d.refuseTwice()
		return false
	}
	f.extra.discriminated = true
	d.Skip()
	return d.Next()
}

// refuseTwice ends the reading at a discriminator that is there twice.
func (d *Decoder) refuseTwice() {
	pointer := d.pointer(len(d.frames))
	d.syntax("a discriminator is there twice")
	d.problems[0].Pointer = pointer
}

// Name returns the current member's name, before its value is read. It is good until the text is changed.
func (d *Decoder) Name() []byte {
	if d.unescaped != nil {
		return d.unescaped
	}
	f := d.top()
	return d.text[f.start+1 : f.end-1]
}

// Count returns how many members or items the object or array had whose end was reached last.
func (d *Decoder) Count() int { return d.left }

// Once notes that the member with a number was met, and reports the second time. A number is that of a bit in seen.
func (d *Decoder) Once(seen []uint64, number int) bool {
	word, bit := &seen[number/64], uint64(1)<<(number%64)
	if *word&bit != 0 {
		d.twice()
		return false
	}
	*word |= bit
	return true
}

func (d *Decoder) twice() { d.syntax("an object has the same name twice") }

// Unknown reports a name that the schema does not have, once an object, and passes over the value. Known are the schema's names.
func (d *Decoder) Unknown(known ...string) {
	name := d.Name()
	d.unique(name)
	d.Skip()
	if f := d.top(); !d.dead && !f.reported {
		f.reported = true
		d.refuseUnknown(string(name), known)
	}
}

// Extra passes over a member of an open object that the schema does not name. It refuses a name that differs from a known one only
// in case, since what reads it next may not tell them apart.
func (d *Decoder) Extra(known ...string) {
	name := string(d.Name())
	d.unique(d.Name())
	d.Skip()
	if d.dead {
		return
	}
	if kind := d.top().extra.discriminator; kind != "" && strings.EqualFold(name, kind) {
		d.refuseUnknown(name, append([]string{kind}, known...))
		return
	}
	for _, k := range known {
		if strings.EqualFold(name, k) {
			d.refuseUnknown(name, known)
			return
		}
	}
}

// unique ends the reading when the object has had an unknown name before.
func (d *Decoder) unique(name []byte) {
	f := d.top()
	if f.extra == nil {
		f.extra = &extra{}
	}
	if !f.extra.names.add(name) {
		d.twice()
	}
}

// Require reports each member that the object lacks, after its end was reached. Numbers of names are as in Once; a name "" is one
// that may be absent.
func (d *Decoder) Require(seen []uint64, names ...string) {
	if d.dead {
		return
	}
	for i, name := range names {
		if name != "" && !Seen(seen, i) && d.wants() {
			d.Refuse("required", string(appendQuoted(nil, name)))
		}
	}
}

// Properties checks how many members an object has; most -1 means that there is no such bound.
func (r *Report) Properties(count, least, most int) {
	r.count(count, least, most, "minProperties", "maxProperties")
}

// Items checks how many items an array has; most -1 means that there is no such bound.
func (r *Report) Items(count, least, most int) { r.count(count, least, most, "minItems", "maxItems") }
