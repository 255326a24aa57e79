package codec

import "slices"

// Enum is the strings that a value may be. It is safe for concurrent use.
type Enum struct {
	// texts are the strings as JSON, for what is said of any other.
	texts  []string
	values []string
	// known finds a string among many; nil where there are few.
	known map[string]string
}

// fewValues are compared one by one.
const fewValues = 8

// NewEnum returns the enum of strings that are given as JSON.
func NewEnum(texts ...string) *Enum {
	e := &Enum{texts: texts, values: make([]string, len(texts))}
	for i, text := range texts {
		e.values[i] = string(unquoted([]byte(text)))
	}
	if len(texts) > fewValues {
		e.known = make(map[string]string, len(texts))
		for _, value := range e.values {
			e.known[value] = value
		}
	}
	return e
}

// find returns the enum's own copy of a string.
func (e *Enum) find(text []byte) (value string, ok bool) {
	if e.known != nil {
		value, ok = e.known[string(text)]
		return value, ok
	}
	for _, value := range e.values {
		if string(text) == value {
			return value, true
		}
	}
	return "", false
}

// Check reports a string that is none of the enum's.
func (e *Enum) Check(r *Report, value string) {
	_, known := e.known[value]
	if !known && e.known == nil {
		known = slices.Contains(e.values, value)
	}
	if !known {
		r.RefuseEnum(e.texts...)
	}
}

// Enum reads a string that is one of an enum's. What it returns is the enum's own, of which nothing is copied.
func (d *Decoder) Enum(e *Enum) (value string, ok bool) {
	text, ok := d.stringBytes()
	if !ok {
		return "", false
	}
	if value, ok = e.find(text); !ok {
		d.RefuseEnum(e.texts...)
	}
	return value, ok
}
