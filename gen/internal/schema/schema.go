// Package schema is the stage that renders the model's types as JSON Schemas, draft 2020-12, and a capability as its contract.
package schema

import (
	"slices"

	"github.com/capgen/capgen/gen/internal/model"
)

// dialect is the schemas' own.
const dialect = "https://json-schema.org/draft/2020-12/schema"

// Direction says which way a text goes: what is required and whether unknown names are refused depend on it.
type Direction int

// The directions.
const (
	Input Direction = iota
	Output
)

// Of returns the schema of a type.
func Of(t *model.Type, direction Direction) *Object {
	r := newRenderer(t, direction)
	root := (&Object{}).Set("$schema", dialect)
	for _, m := range r.definition(t).members {
		root.Set(m.name, m.value)
	}
	return r.addDefinitions(root)
}

// OfField returns the schema of the values of one field, without what only describes it.
func OfField(f *model.Field, direction Direction) *Object {
	r := newRenderer(f.Type, direction)
	root := (&Object{}).Set("$schema", dialect)
	for _, m := range r.field(f, false).members {
		root.Set(m.name, m.value)
	}
	return r.addDefinitions(root)
}

type renderer struct {
	direction Direction
	// shared holds the name, under $defs, of each type that is written once and referred to.
	shared map[*model.Type]string
	// order lists the types under $defs in the order in which they were first referred to.
	order   []*model.Type
	written map[*model.Type]bool
}

func newRenderer(root *model.Type, direction Direction) *renderer {
	return &renderer{direction: direction, shared: sharedTypes(root), written: map[*model.Type]bool{}}
}

func (r *renderer) addDefinitions(root *Object) *Object {
	if len(r.order) == 0 {
		return root
	}
	definitions := &Object{}
	// Rendering one definition may refer to more.
	for i := 0; i < len(r.order); i++ {
		definitions.Set(r.shared[r.order[i]], r.definition(r.order[i]))
	}
	return root.Set("$defs", definitions)
}

// value returns the schema of a type where it is used: itself, or a reference to it.
func (r *renderer) value(t *model.Type) *Object {
	name, shared := r.shared[t]
	if !shared {
		return r.definition(t)
	}
	if !r.written[t] {
		r.written[t] = true
		r.order = append(r.order, t)
	}
	return (&Object{}).Set("$ref", "#/$defs/"+name)
}

// definition returns the schema of a type itself.
func (r *renderer) definition(t *model.Type) *Object {
	o := (&Object{}).SetText("type", t.Kind.JSONType()).SetText("description", t.Doc)
	switch t.Kind {
	case model.Bytes:
		o.Set("contentEncoding", "base64")
	case model.Text:
		o.SetText("format", t.TextFormat)
	case model.Foreign:
		o = declared(t)
	case model.Union:
		o = r.union(t)
	case model.Time:
		o.Set("format", "date-time")
	case model.List:
		o.Set("items", r.nullable(r.value(t.Elem), t.ElemNullable))
	case model.Map:
		r.setNames(o, t.Key)
		o.Set("additionalProperties", r.nullable(r.value(t.Elem), t.ElemNullable))
	case model.Struct:
		r.setProperties(o, t)
	}
	setKeywords(o, t.Constraints(nil))
	return o
}

func (r *renderer) setProperties(o *Object, t *model.Type) {
	properties, required := &Object{}, []any{}
	for _, f := range t.Fields {
		properties.Set(f.Name, r.field(f, true))
		if r.requires(f) {
			required = append(required, f.Name)
		}
	}
	o.Set("properties", properties)
	if len(required) > 0 {
		o.Set("required", required)
	}
	if r.direction == Input {
		o.Set("additionalProperties", false)
	}
}

// requires reports whether a text must have the field: on the way in what has no other meaning when absent, on the way out what
// the encoder always writes.
func (r *renderer) requires(f *model.Field) bool {
	if r.direction == Output {
		return !f.Omittable()
	}
	return !f.Optional()
}

// field returns the schema of a field. Its own keywords and description stand beside those of its type, or before them.
func (r *renderer) field(f *model.Field, described bool) *Object {
	o := r.value(f.Type)
	switch {
	case f.Quoted:
		o = quoted(f.Type)
	case f.RefusesNull():
		o.Set("type", []any{"string", "number", "boolean", "object", "array"})
	}
	r.setFieldKeywords(o, f)
	o = r.nullable(o, f.Nullable)
	if described {
		o.SetText("description", f.Doc)
		if f.Deprecated {
			o.Set("deprecated", true)
		}
	}
	return o
}

// nullable returns a schema that takes null too.
func (r *renderer) nullable(o *Object, nullable bool) *Object {
	if !nullable {
		return o
	}
	if o.opaque {
		return (&Object{}).Set("anyOf", []any{o, (&Object{}).Set("type", "null")})
	}
	for i := range o.members {
		switch m := &o.members[i]; m.name {
		case "$ref", "oneOf":
			return (&Object{}).Set("anyOf", []any{o, (&Object{}).Set("type", "null")})
		case "type":
			m.value = []any{m.value, "null"}
		case "enum":
			m.value = append(append([]any{}, m.value.([]any)...), Raw("null"))
		}
	}
	return o
}

// setFieldKeywords writes a field's constraints. A header mirrors what is sent to a capability, not what it answers.
func (r *renderer) setFieldKeywords(o *Object, f *model.Field) {
	keywords := f.Keywords
	if r.direction == Output {
		keywords = slices.DeleteFunc(slices.Clone(keywords), func(k model.Keyword) bool { return k.Name == "x-mcp-header" })
	}
	setKeywords(o, keywords)
}

// setKeywords writes constraints in the order in which they were written.
func setKeywords(o *Object, keywords []model.Keyword) {
	for _, k := range keywords {
		switch k.Name {
		case "enum":
			o.Set("enum", raws(k.List))
		case "example":
			o.Set("examples", []any{Raw(k.JSON)})
		case "unit":
			o.Set("x-unit", Raw(k.JSON))
		default:
			o.Set(k.Name, Raw(k.JSON))
		}
	}
}

func raws(texts []string) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = Raw(text)
	}
	return list
}
