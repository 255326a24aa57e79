package codec

import (
	"crypto/sha256"
	"slices"
	"strconv"
)

// shortForm is how long a canonical form may be, and how short a text is not worth remembering.
const shortForm = 64

// forms remembers the canonical forms of arrays whose items were compared, inside arrays whose items will be, so that however
// they are nested each part of a text is compared once.
type forms struct {
	// nested counts the arrays of unique items that the decoder is in.
	nested int
	known  map[int]form
}

// form is the canonical form of a value that ends at a place in the text.
type form struct {
	text string
	end  int
}

// checkUnique reports when two items of the array that was left are equal. They begin at starts.
func (d *Decoder) checkUnique(starts []int) {
	d.forms.nested--
	unique, whole := distinct(d.text, starts, d.forms)
	if !unique {
		d.Refuse("uniqueItems", "true")
	}
	if d.forms.nested > 0 && len(starts) > 0 && len(whole) > shortForm {
		if d.forms.known == nil {
			d.forms.known = map[int]form{}
		}
		// The array itself is found by where its first item is.
		d.forms.known[starts[0]] = form{string(shortened(whole, 0)), d.pos}
	}
}

// distinct reports whether no two of the values that begin at some places of a text are equal: numbers by their exact value, objects
// whatever the order of their members (JSON Schema core, section 4.2.2). It also returns the form of the array that they make.
func distinct(text []byte, starts []int, known forms) (unique bool, whole []byte) {
	d := Decoder{Report: Report{text: text}, forms: known}
	seen := make(map[string]struct{}, len(starts))
	unique, whole = true, []byte{'['}
	for _, start := range starts {
		d.pos = start
		from := len(whole)
		whole = d.canonical(whole)
		if _, twice := seen[string(whole[from:])]; twice {
			unique = false
		}
		seen[string(whole[from:])] = struct{}{}
		whole = append(whole, ',')
	}
	return unique, append(whole, ']')
}

// canonical passes over a checked value and appends a form that equal values have in common, and no others.
func (d *Decoder) canonical(dst []byte) []byte {
	switch c := d.peek(); {
	case c == '{':
		return shortened(d.canonicalMembers(dst), len(dst))
	case c == '[':
		return d.canonicalItems(dst)
	case c == '"':
		start := d.pos
		d.skipString()
		return strconv.AppendQuote(dst, string(unquoted(d.text[start:d.pos])))
	case isNumeral(c):
		start := d.pos
		d.skipNumber()
		n := parseDecimal(d.text[start:d.pos])
		if n.negative {
			dst = append(dst, '-')
		}
		return strconv.AppendInt(append(append(dst, n.digits...), 'e'), int64(n.point), 10)
	}
	start := d.pos
	d.Skip()
	return append(dst, d.text[start:d.pos]...)
}

func (d *Decoder) canonicalItems(dst []byte) []byte {
	d.pos++
	from := len(dst)
	dst = append(dst, '[')
	if d.peek() == ']' {
		d.pos++
		return append(dst, ']')
	}
	if known, ok := d.forms.known[d.pos]; ok {
		d.pos = known.end
		return append(dst[:from], known.text...)
	}
	for {
		dst = append(d.canonical(dst), ',')
		if d.closes(']') {
			return shortened(append(dst, ']'), from)
		}
	}
}

func (d *Decoder) canonicalMembers(dst []byte) []byte {
	d.pos++
	var members []string
	for d.peek() == '"' {
		member := d.canonical(nil) // the name
		d.peek()
		d.pos++ // the colon
		members = append(members, string(d.canonical(append(member, ':'))))
		if d.closes('}') {
			break
		}
	}
	if len(members) == 0 {
		d.pos++
	}
	slices.Sort(members)
	dst = append(dst, '{')
	for _, member := range members {
		dst = append(append(dst, member...), ',')
	}
	return append(dst, '}')
}

// shortened puts a digest in the place of the form that begins at from, if it is long: else what is nested deeply would be copied
// once for each level.
func shortened(dst []byte, from int) []byte {
	if len(dst)-from <= shortForm {
		return dst
	}
	sum := sha256.Sum256(dst[from:])
	return append(append(dst[:from], '#'), sum[:]...)
}
