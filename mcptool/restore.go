package mcptool

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// restore is the way back from a value of a rewritten schema to one of the original. A nil one leaves values alone.
type restore struct {
	// properties are those of an object that have another name, form or presence, by the names that clients know.
	properties map[string]property
	// absent are the properties that are null when they are not there.
	absent []string
	// items is for the elements of an array, and values for the members of an object that has names of the caller's.
	items, values *restore
	// pairs says that an object was made an array of names and values.
	pairs bool
	// json says that a value was made its JSON text.
	json bool
	// literals are the values that strings stand for.
	literals map[string]jsontext.Value
	// inner is for values that may be null too.
	inner *restore
	// variants are the alternatives that are sent in another form.
	variants []variant
	// shared says that others may refer to it, also from within.
	shared bool
}

type property struct {
	name     string
	dropNull bool
	below    *restore
}

// variant is an alternative that is told by the value of a property.
type variant struct {
	name  string
	value jsontext.Value
	below *restore
}

// needed returns the way back, or nil when there is nothing to undo. One that is shared may lead back to itself, and is taken to have
// something.
func (r *restore) needed() *restore {
	if r.shared || r.pairs || r.json || len(r.absent)+len(r.literals)+len(r.variants) > 0 || r.items != nil || r.values != nil || r.inner != nil {
		return r
	}
	for name, p := range r.properties {
		if p.name != name || p.dropNull || p.below != nil {
			return r
		}
	}
	return nil
}

// text restores a JSON text. One that cannot be read is returned as it is.
func (r *restore) text(value []byte) []byte {
	d := jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowDuplicateNames(true)) // who checks the result tells of those
	out, err := r.append(make([]byte, 0, len(value)+16), d)
	if err != nil {
		return value
	}
	return out
}

// append reads a value and writes what it was made from.
func (r *restore) append(out []byte, d *jsontext.Decoder) ([]byte, error) {
	kind := d.PeekKind()
	switch {
	case r == nil:
	case r.inner != nil:
		return r.inner.append(out, d)
	case kind == '"' && r.json, kind == '"' && r.literals != nil:
		value, err := d.ReadValue()
		return append(out, r.literal(value)...), err
	case kind == '[' && r.pairs:
		value, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		return append(out, r.members(value)...), nil
	case kind == '[' && r.items != nil:
		return r.elements(out, d)
	case kind == '{' && len(r.variants) > 0:
		value, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		return append(out, r.chosen(value)...), nil
	case kind == '{':
		return r.object(out, d)
	}
	value, err := d.ReadValue()
	return append(out, value...), err
}

// literal returns what a string stands for.
func (r *restore) literal(value jsontext.Value) jsontext.Value {
	content, _ := readString(value)
	if literal, ok := r.literals[content]; ok {
		return literal
	}
	if text := jsontext.Value(content); r.json && text.IsValid() {
		return text
	}
	return value
}

func (r *restore) elements(out []byte, d *jsontext.Decoder) ([]byte, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	out = append(out, '[')
	for i := 0; d.PeekKind() != ']'; i++ {
		if i > 0 {
			out = append(out, ',')
		}
		var err error
		if out, err = r.items.append(out, d); err != nil {
			return nil, err
		}
	}
	_, err := d.ReadToken()
	return append(out, ']'), err
}

func (r *restore) object(out []byte, d *jsontext.Decoder) ([]byte, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	out = append(out, '{')
	first := len(out)
	there := map[string]bool{}
	for d.PeekKind() != '}' {
		token, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		name, below := token.String(), r.values
		if p, known := r.properties[name]; known {
			if p.dropNull && d.PeekKind() == 'n' {
				if err := d.SkipValue(); err != nil {
					return nil, err
				}
				continue
			}
			name, below = p.name, p.below
		}
		there[name] = true
		out = appendName(out, first, name)
		if out, err = below.append(out, d); err != nil {
			return nil, err
		}
	}
	for _, name := range r.absent {
		if !there[name] {
			out = append(appendName(out, first, name), "null"...)
		}
	}
	_, err := d.ReadToken()
	return append(out, '}'), err
}

func appendName(out []byte, first int, name string) []byte {
	if len(out) > first {
		out = append(out, ',')
	}
	return append(append(out, quote(name)...), ':')
}

// members makes an array of names and values the object that it was. One with an element that is no such pair is left alone.
func (r *restore) members(value jsontext.Value) []byte {
	out := []byte{'{'}
	for _, element := range readArray(value) {
		pair, _ := readObject(element)
		name, ok := readString(pair.get("name"))
		if !ok || len(pair) != 2 || pair.get("value") == nil {
			return value
		}
		out = append(appendName(out, 1, name), r.values.text(pair.get("value"))...)
	}
	return append(out, '}')
}

// chosen restores an object of the alternative that it says that it is.
func (r *restore) chosen(value jsontext.Value) []byte {
	members, _ := readObject(value)
	for _, v := range r.variants {
		if bytes.Equal(members.get(v.name), v.value) {
			return v.below.text(value)
		}
	}
	return value
}
