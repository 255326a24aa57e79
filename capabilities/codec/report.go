package codec

import (
	"strconv"
	"strings"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/capabilities/internal/rule"
)

// Report collects what is wrong with a text or a value, and knows where in it the codec is. Checks that serve both directions take
// one.
type Report struct {
	frames   []frame
	problems capabilities.Problems
	// text is what is read, or what was written so far.
	text    []byte
	writing bool
	// closed says that nothing more counts.
	closed bool
}

// frame is one object or array that the codec is in.
type frame struct {
	kind frameKind
	// reported says that the object's unknown names were reported, which is done once.
	reported bool
	// start and end delimit the current member's quoted name when reading. When writing, start is where the object's text begins, in
	// which the name is looked for when there is something to report.
	start, end int
	// index is the current item's. When writing, it counts the members begun by Name or Key.
	index int
	// extra holds what only some frames need.
	extra *extra
}

type frameKind byte

const (
	inObject frameKind = iota
	// inMap is an object whose names are the caller's own.
	inMap
	inArray
)

// extra is what a frame needs for rules that few types have.
type extra struct {
	// names are those of the object's names that its schema does not have, which must be unique too.
	names nameSet
	// unique says that no two items of the array may be equal; they begin at starts.
	unique bool
	starts []int
	// discriminator is a name that the object's own reader does not see, and discriminated that it was met.
	discriminator string
	discriminated bool
}

// Refuse adds a problem with the current value: the keyword that it breaks and the keyword's value in the schema.
func (r *Report) Refuse(keyword, limit string) {
	if r.wants() {
		r.add(r.pointer(len(r.frames)), keyword, rule.Message(keyword, limit))
	}
}

// RefuseEnum adds a problem with a value that is none of an enum's, which are given as JSON.
func (r *Report) RefuseEnum(values ...string) {
	if r.wants() {
		r.Refuse("enum", rule.OneOf(values))
	}
}

// refuseUnknown adds a problem with the object that the codec is in: it has a name that is not known.
func (r *Report) refuseUnknown(name string, known []string) {
	if r.wants() {
		r.add(r.pointer(len(r.frames)-1), "additionalProperties", rule.Unknown(name, known))
	}
}

// refuseBelow adds a problem with a part of the current value.
func (r *Report) refuseBelow(pointer, keyword, message string) {
	if r.wants() {
		r.add(r.pointer(len(r.frames))+pointer, keyword, message)
	}
}

func (r *Report) add(pointer, keyword, message string) {
	r.problems = append(r.problems, capabilities.Problem{Pointer: pointer, Keyword: keyword, Message: message})
}

// wants reports whether another problem counts. Who words one asks first: a text may hold a hundred thousand.
func (r *Report) wants() bool { return !r.closed && !r.full() }

// full reports whether looking on is of no use.
func (r *Report) full() bool { return len(r.problems) >= capabilities.MaxProblems }

// pointer returns the JSON Pointer of the value at a depth. The names of a map are the caller's and are written *.
func (r *Report) pointer(depth int) string {
	var b strings.Builder
	for i, f := range r.frames[:depth] {
		b.WriteByte('/')
		switch f.kind {
		case inArray:
			b.WriteString(strconv.Itoa(f.index))
		case inMap:
			b.WriteByte('*')
		case inObject:
			b.WriteString(escapePointer(string(unquoted(r.memberName(i)))))
		}
	}
	return b.String()
}

// memberName returns the quoted name of the current member of the object at a depth.
func (r *Report) memberName(depth int) []byte {
	f := &r.frames[depth]
	if !r.writing {
		return r.text[f.start:f.end]
	}
	end := len(r.text)
	if depth+1 < len(r.frames) {
		end = r.frames[depth+1].start - 1 // the member's value is not complete
	}
	return lastName(r.text[f.start:end])
}

// lastName returns the quoted name of the last of some members, whose value may be missing.
func lastName(members []byte) (name []byte) {
	d := Decoder{Report: Report{text: members}}
	for d.peek() == '"' {
		start := d.pos
		d.skipString()
		name = members[start:d.pos]
		d.pos++ // the colon
		if d.pos == len(members) {
			break
		}
		d.Skip()
		d.pos++ // the comma
	}
	return name
}

// escapePointer escapes a name for use in a JSON Pointer (RFC 6901, section 3).
func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func (r *Report) top() *frame { return &r.frames[len(r.frames)-1] }

// push adds a frame; what is beyond the last one has no extra.
func (r *Report) push(kind frameKind) *frame {
	n := len(r.frames)
	if n < cap(r.frames) {
		r.frames = r.frames[:n+1]
	} else {
		r.frames = append(r.frames, frame{})
	}
	f := &r.frames[n]
	f.kind, f.reported, f.index = kind, false, -1
	return f
}

func (r *Report) pop() {
	last := len(r.frames) - 1
	if f := &r.frames[last]; f.extra != nil {
		f.extra = nil
	}
	r.frames = r.frames[:last]
}
