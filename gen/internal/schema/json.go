package schema

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Object is a JSON object that keeps the order of its members.
type Object struct {
	members []member
	// opaque says that the object is a schema that somebody wrote, so that nothing is known of its keywords.
	opaque bool
}

type member struct {
	name  string
	value any
}

// Raw is a JSON text that is written as it stands.
type Raw string

// Set adds a member, or replaces the value of the one that has its name.
func (o *Object) Set(name string, value any) *Object {
	for i := range o.members {
		if o.members[i].name == name {
			o.members[i].value = value
			return o
		}
	}
	o.members = append(o.members, member{name, value})
	return o
}

// SetText adds a member whose value is a string, unless it is empty.
func (o *Object) SetText(name, text string) *Object {
	if text != "" {
		o.Set(name, text)
	}
	return o
}

// Indent returns the object as a JSON text of one member a line, indented by tabs, with a line break at its end.
func (o *Object) Indent() []byte {
	var b strings.Builder
	write(&b, o)
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(b.String()), "", "\t"); err != nil {
		panic(err) // every Raw was checked
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// Compact returns the object as a JSON text without white space.
func (o *Object) Compact() []byte {
	var b strings.Builder
	write(&b, o)
	return []byte(b.String())
}

func write(b *strings.Builder, value any) {
	switch v := value.(type) {
	case *Object:
		b.WriteByte('{')
		for i, m := range v.members {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, m.name)
			b.WriteByte(':')
			write(b, m.value)
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, item)
		}
		b.WriteByte(']')
	case Raw:
		b.WriteString(string(v))
	default:
		var text bytes.Buffer
		e := json.NewEncoder(&text)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			panic(err) // strings, booleans and numbers only
		}
		b.WriteString(strings.TrimSuffix(text.String(), "\n"))
	}
}
