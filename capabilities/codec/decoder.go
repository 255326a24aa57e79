// Package codec is what generated code reads and writes JSON with: a cursor that goes over a text once, checking while it decodes, and
// an encoder that appends. Generated code says what a type looks like; how that is read, checked and worded is here.
//
// Nothing here is for applications, and generated code alone follows its changes: regenerate after an upgrade.
package codec

import (
	"fmt"
	"sync"

	"github.com/capgen/capgen/capabilities"
)

// maxDepth bounds nesting, so that no text can exhaust the stack.
const maxDepth = 1000

// Decoder reads one JSON text. Every method that reads a value either returns it, or reports why it is not what was asked for and
// passes over it, so that reading goes on with what follows. After a mistake in the syntax every method returns at once.
// It is not safe for concurrent use.
type Decoder struct {
	Report
	pos  int
	dead bool
	// unescaped is the current member's name where it has escapes, until another object is entered; else it is nil.
	unescaped []byte
	// left is how many members or items the object or array had that was left last, or -1 where something else stood in its place.
	left int
	// discriminator is the name that the object entered next passes over.
	discriminator string
	ahead         ahead
	forms         forms
}

// pooledDecoder is a decoder that is used again, with the room for its frames.
type pooledDecoder struct {
	Decoder
	room [16]frame
}

var decoders = sync.Pool{New: func() any { return new(pooledDecoder) }}

// Decode reads a whole text by a generated function. The result is empty exactly when the text was good.
func Decode[T any](text []byte, into *T, read func(*Decoder, *T)) capabilities.Problems {
	d := decoders.Get().(*pooledDecoder)
	d.text, d.frames = text, d.room[:0]
	read(&d.Decoder, into)
	d.end()
	problems := d.problems
	*d = pooledDecoder{} // which holds nothing of the caller's
	decoders.Put(d)
	return problems
}

// end reports what follows the value.
func (d *Decoder) end() {
	if !d.dead && d.peek() != 0 {
		d.syntax("something follows the value")
	} else if !d.dead && d.pos < len(d.text) {
		d.syntax(d.mistake())
	}
}

// syntax ends the reading: the text is not JSON, and nothing else that was found in it counts.
func (d *Decoder) syntax(reason string) {
	d.fatal("is not JSON: " + reason)
}

func (d *Decoder) fatal(message string) {
	if !d.dead {
		d.dead, d.closed = true, true
		d.problems = append(d.problems[:0], capabilities.Problem{Keyword: "syntax", Message: message})
	}
}

// mistake says where the syntax is wrong, without quoting it.
func (d *Decoder) mistake() string {
	if d.pos >= len(d.text) {
		return "the text ends too early"
	}
	return fmt.Sprintf("there is a mistake at byte %d", d.pos)
}

// peek passes over white space and returns the byte that follows, or 0 at the end.
func (d *Decoder) peek() byte {
	for d.pos < len(d.text) {
		switch c := d.text[d.pos]; c {
		case ' ', '\t', '\n', '\r':
			d.pos++
		default:
			return c
		}
	}
	return 0
}

// enter begins an object or array whose opening byte is next.
func (d *Decoder) enter(kind frameKind) bool {
	d.pos++
	if len(d.frames) >= maxDepth {
		d.fatal(fmt.Sprintf("is nested more than %d levels deep", maxDepth))
		return false
	}
	d.push(kind)
	if d.discriminator != "" {
		d.top().extra = &extra{discriminator: d.discriminator}
		d.discriminator = ""
	}
	return true
}

// wrong reports that the value is not of a type, and passes over it.
func (d *Decoder) wrong(want string) {
	d.left = -1
	d.Skip()
	if !d.dead {
		d.Refuse("type", want)
	}
}

// ended reports whether reading on is of no use: the text is not JSON, or has as many problems as are reported.
func (d *Decoder) ended() bool {
	d.dead = d.dead || d.full()
	return d.dead
}

// Null reports whether the value is null, and passes over it then.
func (d *Decoder) Null() bool {
	return d.peek() == 'n' && !d.dead && d.literal("null")
}

// literal passes over a word.
func (d *Decoder) literal(word string) bool {
	if rest := d.text[d.pos:]; len(rest) >= len(word) && string(rest[:len(word)]) == word {
		d.pos += len(word)
		return true
	}
	d.syntax(d.mistake())
	return false
}

// Bool reads true or false.
func (d *Decoder) Bool() (value, ok bool) {
	if d.dead {
		return false, false
	}
	switch d.peek() {
	case 't':
		return true, d.literal("true")
	case 'f':
		return false, d.literal("false")
	}
	d.wrong("a boolean")
	return false, false
}
