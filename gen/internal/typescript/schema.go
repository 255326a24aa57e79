package typescript

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// schema is a JSON Schema: an object whose members keep their order, or a boolean.
type schema struct {
	// always is the value of a boolean; members are nil then.
	always  bool
	members []member
	raw     string
}

type member struct {
	name  string
	value jsontext.Value
}

// parse reads a schema, which was written by this generator.
func parse(text []byte) (*schema, error) {
	s := &schema{raw: string(text)}
	d := jsontext.NewDecoder(bytes.NewReader(text))
	token, err := d.ReadToken()
	if err != nil || token.Kind() != '{' {
		s.always = err == nil && token.Kind() == 't'
		return s, err
	}
	s.members = []member{}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		m := member{name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		m.value = value.Clone()
		s.members = append(s.members, m)
	}
	_, err = d.ReadToken()
	return s, err
}

// must parses a part of a schema, which was parsed as a whole.
func must(text []byte) *schema {
	s, err := parse(text)
	if err != nil {
		panic(err)
	}
	return s
}

// get returns a keyword's value, nil where it is not there.
func (s *schema) get(name string) jsontext.Value {
	for _, m := range s.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// text returns a keyword's string, "" where there is none.
func (s *schema) text(name string) string { return stringOf(s.get(name)) }

func stringOf(value jsontext.Value) string {
	if value.Kind() != '"' {
		return ""
	}
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return ""
	}
	return string(text)
}

// list returns the items of a keyword's array, or the value itself if it is none; nothing where it is not there.
func (s *schema) list(name string) []jsontext.Value { return items(s.get(name)) }

func items(value jsontext.Value) []jsontext.Value {
	switch {
	case value == nil:
		return nil
	case value.Kind() != '[':
		return []jsontext.Value{value}
	}
	var all []jsontext.Value
	d := jsontext.NewDecoder(bytes.NewReader(value))
	_, _ = d.ReadToken()
	for d.PeekKind() != ']' {
		item, err := d.ReadValue()
		if err != nil {
			panic(err) // the whole was parsed
		}
		all = append(all, item.Clone())
	}
	return all
}
