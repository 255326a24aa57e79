package codec

import (
	"github.com/capgen/capgen/capabilities/internal/rule"
)

// Discriminator looks ahead in the object that is next for the member that tells which variant it is, and returns the variant's number
// in variants. It is -1, with a problem, when the value is not an object, or when the member is missing or names none of them. The
// function that reads the variant next does not see the member.
func (d *Decoder) Discriminator(name string, variants ...string) int {
	if d.dead {
		return -1
	}
	if d.peek() != '{' {
		d.wrong("an object")
		return -1
	}
	value, outcome := d.lookAhead(name)
	if outcome == memberFound {
		for i, v := range variants {
			if v == value {
				d.discriminator = name
				return i
			}
		}
	}
	d.refuseDiscriminator(name, variants, outcome)
	return -1
}

// memberOutcome is what looking ahead for a member came to.
type memberOutcome int

const (
	memberFound memberOutcome = iota
	memberMissing
	memberNoString
)

// lookAhead finds a member of the object that is next without moving on.
func (d *Decoder) lookAhead(name string) (value string, outcome memberOutcome) {
	start, depth := d.pos, len(d.frames)
	defer func() {
		d.pos = start
		for len(d.frames) > depth {
			d.pop()
		}
	}()
	if !d.enter(inObject) {
		return "", memberMissing
	}
	for d.Next() {
		if string(d.Name()) != name {
			d.pass()
			continue
		}
		if d.peek() != '"' {
			return "", memberNoString
		}
		text, _ := d.stringBytes()
		return string(text), memberFound
	}
	return "", memberMissing
}

// refuseDiscriminator reports a discriminator that is missing or unknown, and passes over the object.
func (d *Decoder) refuseDiscriminator(name string, variants []string, outcome memberOutcome) {
	d.Skip()
	if d.dead || !d.wants() {
		return
	}
	quoted := make([]string, len(variants))
	for i, v := range variants {
		quoted[i] = string(appendQuoted(nil, v))
	}
	keyword, message := "const", rule.Message("const", rule.OneOf(quoted))
	if outcome == memberMissing {
		keyword, message = "required", message+", and is missing"
	}
	d.refuseBelow("/"+escapePointer(name), keyword, message)
}

// Discriminate says what the object that is begun next holds first: the discriminator and its value as JSON.
func (e *Encoder) Discriminate(member string) { e.discriminator = member }
