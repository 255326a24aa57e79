package schema

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/capgen/capgen/gen/internal/model"
)

// The forms of integers inside strings and in the names of members, as encoding/json writes them.
const (
	signedText   = "^(0|-?[1-9][0-9]*)$"
	unsignedText = "^(0|[1-9][0-9]*)$"
)

// setNames says what the names of a map's members can be, if not anything.
func (r *renderer) setNames(o *Object, key *model.Type) {
	switch {
	case key.Declared != "":
		o.Set("propertyNames", declared(key))
	case key.Kind == model.Integer:
		o.Set("propertyNames", (&Object{}).Set("pattern", integerText(key)))
	case key.Kind == model.String && (len(key.Enum) > 0 || len(key.Keywords) > 0):
		o.Set("propertyNames", r.value(key))
	}
}

func integerText(t *model.Type) string {
	if t.Unsigned {
		return unsignedText
	}
	return signedText
}

// quoted is the schema of a value under the json option string: its JSON inside a string.
func quoted(t *model.Type) *Object {
	o := (&Object{}).Set("type", "string")
	setKeywords(o, slices.DeleteFunc(slices.Clone(t.Keywords), func(k model.Keyword) bool { return k.Name != "unit" }))
	switch t.Kind {
	case model.Integer:
		o.Set("pattern", integerText(t))
	case model.Number:
		o.Set("pattern", `^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
	case model.Bool:
		o.Set("enum", []any{"true", "false"})
	default:
		o.Set("pattern", `^"(.|\n)*"$`)
	}
	return o
}

// declared is the schema that was declared for a type, without what only the root of a document says.
func declared(t *model.Type) *Object {
	o := &Object{opaque: true}
	d := json.NewDecoder(bytes.NewReader([]byte(t.Declared)))
	if _, err := d.Token(); err != nil {
		return o // the generator has checked the text
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return o
		}
		if name != "$schema" && name != "$id" {
			o.Set(name.(string), Raw(value))
		}
	}
	return o
}

// union is the schema of a sealed interface: one of its variants, told apart by the discriminator.
func (r *renderer) union(t *model.Type) *Object {
	var variants []any
	for _, v := range t.Variants {
		o := r.definition(v.Type)
		discriminated := (&Object{}).Set("type", "object").SetText("description", v.Type.Doc)
		properties := (&Object{}).Set(t.Discriminator, (&Object{}).Set("const", v.Name))
		required := []any{t.Discriminator}
		for _, m := range o.members {
			switch m.name {
			case "properties":
				properties.members = append(properties.members, m.value.(*Object).members...)
			case "required":
				required = append(required, m.value.([]any)...)
			}
		}
		discriminated.Set("properties", properties).Set("required", required)
		for _, m := range o.members {
			discriminated.setNew(m.name, m.value)
		}
		variants = append(variants, discriminated)
	}
	return (&Object{}).SetText("description", t.Doc).Set("oneOf", variants)
}

// setNew adds a member unless the object has one of its name.
func (o *Object) setNew(name string, value any) {
	for _, m := range o.members {
		if m.name == name {
			return
		}
	}
	o.Set(name, value)
}
