package codec

import (
	"cmp"
	"slices"
)

// shortSpan is how short an object or array is not worth remembering: it is passed over again.
const shortSpan = 64

// ahead remembers where the objects and arrays end that were passed over when looking ahead, so that looking ahead further inside,
// where unions are nested and each has its discriminator last, need not go over the same text once for each level.
type ahead struct {
	// until is how far the text was looked at.
	until int
	// spans are in the order of their starts.
	spans     []span
	recording bool
}

type span struct{ start, end int }

// opens notes the start of an object or array, and returns what closes takes.
func (a *ahead) opens(start int) (mark int) {
	if a.recording {
		a.spans = append(a.spans, span{start: start})
	}
	return len(a.spans) - 1
}

// closes notes the end of the object or array that opens returned the mark of.
func (a *ahead) closes(mark, end int) {
	if !a.recording {
		return
	}
	if a.spans[mark].end = end; end-a.spans[mark].start < shortSpan {
		a.spans = a.spans[:mark] // whatever is in it is shorter
	}
}

// pass passes over the value that is next, as Skip does, when looking ahead.
func (d *Decoder) pass() {
	d.peek()
	if d.pos >= d.ahead.until {
		d.ahead.recording = true
		d.Skip()
		d.ahead.recording = false
		d.ahead.until = d.pos
		return
	}
	i, known := slices.BinarySearchFunc(d.ahead.spans, d.pos, func(s span, start int) int { return cmp.Compare(s.start, start) })
	if known {
		d.pos = d.ahead.spans[i].end
		return
	}
	d.Skip()
}
