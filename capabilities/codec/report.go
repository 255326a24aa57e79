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
	// source is the text that is read; nil when a value is written.
	source []byte
	// closed says that nothing more counts.
	closed bool
}

// frame is one object or array that the codec is in.
type frame struct {
	kind frameKind
	// reported says that the object's unknown names were reported, which is done once.
	reported bool
	// start and end delimit the current member's quoted name in the source; name is the quoted name when writing.
	start, end int
	name       string
	// index is the current item's.
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
	for _, f := range r.frames[:depth] {
		b.WriteByte('/')
		switch f.kind {
		case inArray:
			b.WriteString(strconv.Itoa(f.index))
		case inMap:
			b.WriteByte('*')
		case inObject:
			name := f.name
			if name == "" {
				name = string(r.source[f.start:f.end])
			}
			b.WriteString(escapePointer(unquoteName(name)))
		}
	}
	return b.String()
}

func unquoteName(quoted string) string {
	name, _ := appendUnescaped(nil, []byte(quoted[1:strings.LastIndexByte(quoted, '"')]))
	return string(name)
}

// escapePointer escapes a name for use in a JSON Pointer (RFC 6901, section 3).
func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func (r *Report) top() *frame { return &r.frames[len(r.frames)-1] }

func (r *Report) push(kind frameKind) { r.frames = append(r.frames, frame{kind: kind, index: -1}) }

func (r *Report) pop() { r.frames = r.frames[:len(r.frames)-1] }
