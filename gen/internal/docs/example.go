package docs

import (
	"strconv"
	"strings"

	"github.com/capgen/capgen/gen/internal/model"
)

// example returns a value of a type as indented JSON, made of the examples, the defaults and the enums that are declared. Where there is none it
// has a stand-in, such as "…" for text. It is "" where that makes no value that the type's schema allows.
func example(t *model.Type, input bool, valid Validator) string {
	s := &sampler{input: input, within: map[*model.Type]bool{}}
	text, ok := s.value(t, nil)
	if !ok || !valid(t, input, text) {
		return ""
	}
	return indented(text)
}

type sampler struct {
	input bool
	// within holds the objects around the value at hand, in which they must not be again.
	within map[*model.Type]bool
}

// value returns a value of a type where a field with these keywords uses it, and whether there is one.
func (s *sampler) value(t *model.Type, field []model.Keyword) (string, bool) {
	constraints := map[string]model.Keyword{}
	for _, k := range t.Constraints(field) {
		constraints[k.Name] = k
	}
	for _, name := range []string{"example", "default"} {
		if k, has := constraints[name]; has {
			return k.JSON, true
		}
	}
	if k, has := constraints["enum"]; has && len(k.List) > 0 {
		return k.List[0], true
	}
	switch t.Kind {
	case model.Struct:
		return s.object(t, "")
	case model.Union:
		return s.object(t.Variants[0].Type, strconv.Quote(t.Discriminator)+":"+strconv.Quote(t.Variants[0].Name))
	case model.List:
		if value, ok := s.value(t.Elem, nil); ok {
			return "[" + value + "]", true
		}
		return "[]", true
	case model.Integer, model.Number, model.JSONNumber:
		if k, has := constraints["minimum"]; has && !strings.HasPrefix(k.JSON, "-") {
			return k.JSON, true
		}
		return "0", true
	case model.Foreign:
		return "", false
	}
	value, has := standIns[t.Kind]
	return value, has
}

// standIns are values of the kinds that have nothing declared.
var standIns = map[model.Kind]string{
	model.String: `"…"`, model.Text: `"…"`, model.Bool: "true", model.Time: `"2026-01-02T15:04:05Z"`, model.Bytes: `"aGk="`,
	model.Any: "null", model.RawMessage: "null", model.Interface: "null", model.Map: "{}",
}

// object returns an object of a struct, behind a first member that may be "". It has what it must have, and what there is an example of.
func (s *sampler) object(t *model.Type, first string) (string, bool) {
	if s.within[t] {
		return "", false
	}
	s.within[t] = true
	defer delete(s.within, t)
	var members []string
	if first != "" {
		members = append(members, first)
	}
	for _, f := range t.Fields {
		required := !f.Omittable()
		if s.input {
			required = !f.Optional()
		}
		if !required && !f.Has("example") {
			continue
		}
		value, ok := s.field(f)
		if !ok && required {
			return "", false
		}
		if ok {
			members = append(members, strconv.Quote(f.Name)+":"+value)
		}
	}
	return "{" + strings.Join(members, ",") + "}", true
}

func (s *sampler) field(f *model.Field) (string, bool) {
	value, ok := s.value(f.Type, f.Keywords)
	switch {
	case !ok && f.Nullable:
		return "null", true
	case ok && f.Quoted:
		return strconv.Quote(value), true
	}
	return value, ok
}
