package mcptool

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// object is the members of a JSON object in the order in which they are written.
type object []member

type member struct {
	name  string
	value jsontext.Value
}

// readObject returns the members of an object, as parts of its text. It is not ok for anything else.
func readObject(text jsontext.Value) (object, bool) {
	if text.Kind() != '{' {
		return nil, false
	}
	d := jsontext.NewDecoder(bytes.NewReader(text))
	if _, err := d.ReadToken(); err != nil {
		return nil, false
	}
	members := object{}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, false
		}
		written := name.String() // the token is gone after the next read
		value, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		end := d.InputOffset()
		members = append(members, member{written, text[end-int64(len(value)) : end : end]})
	}
	return members, true
}

// readArray returns the elements of an array, as parts of its text; nil for anything else.
func readArray(text jsontext.Value) []jsontext.Value {
	if text.Kind() != '[' {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(text))
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	elements := []jsontext.Value{}
	for d.PeekKind() != ']' {
		value, err := d.ReadValue()
		if err != nil {
			return nil
		}
		end := d.InputOffset()
		elements = append(elements, text[end-int64(len(value)):end:end])
	}
	return elements
}

// readString returns the content of a JSON string. It is not ok for anything else.
func readString(text jsontext.Value) (string, bool) {
	if text.Kind() != '"' {
		return "", false
	}
	content, err := jsontext.AppendUnquote(nil, text)
	return string(content), err == nil
}

// readStrings returns the strings of an array.
func readStrings(text jsontext.Value) []string {
	var all []string
	for _, each := range readArray(text) {
		if content, ok := readString(each); ok {
			all = append(all, content)
		}
	}
	return all
}

// quote writes a text as a JSON string.
func quote(text string) jsontext.Value {
	quoted, _ := jsontext.AppendQuote(nil, text) // an error is of text that is not UTF-8, which is replaced
	return quoted
}

// get returns a member's value, or nil when there is none.
func (o object) get(name string) jsontext.Value {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// set adds a member, or replaces the value of the one that has its name.
func (o object) set(name string, value jsontext.Value) object {
	for i := range o {
		if o[i].name == name {
			o[i].value = value
			return o
		}
	}
	return append(o, member{name, value})
}

// without returns the members but those of the names.
func (o object) without(names ...string) object {
	var left object
next:
	for _, m := range o {
		for _, name := range names {
			if m.name == name {
				continue next
			}
		}
		left = append(left, m)
	}
	return left
}

// text writes the object without white space between its members.
func (o object) text() jsontext.Value {
	out := jsontext.Value{'{'}
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, quote(m.name)...), ':')
		out = append(out, m.value...)
	}
	return append(out, '}')
}

// arrayOf writes values as an array.
func arrayOf(values []jsontext.Value) jsontext.Value {
	return append(append(jsontext.Value{'['}, bytes.Join(asBytes(values), []byte{','})...), ']')
}

func asBytes(values []jsontext.Value) [][]byte {
	all := make([][]byte, len(values))
	for i, value := range values {
		all[i] = value
	}
	return all
}
