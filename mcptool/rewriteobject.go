package mcptool

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// object rewrites the properties of an object, and which of them there must be.
func (w *rewriter) object(s object, path []string, back *restore) (object, error) {
	properties, _ := readObject(s.get("properties"))
	s, err := w.additional(s, path, back)
	if err != nil {
		return nil, err
	}
	if properties == nil {
		return s, nil
	}
	back.properties = map[string]property{}
	written, required := object{}, []jsontext.Value{}
	for _, p := range properties {
		here := append(slices.Clone(path), "properties", p.name)
		original, ok := readObject(p.value)
		if !ok && string(p.value) != "true" {
			return nil, w.loss(here, "say what it is", "is the schema %s", p.value)
		}
		needed := slices.Contains(readStrings(s.get("required")), p.name)
		told, way, needed, err := w.property(p.name, original, needed, here, back)
		if err != nil {
			return nil, err
		}
		name := p.name
		if len(path) == 0 {
			name = w.parameterName(p.name, properties, written)
		}
		back.properties[name] = way
		written = append(written, member{name, told.text()})
		if needed {
			required = append(required, quote(name))
		}
	}
	s = slices.Clone(s).set("properties", written.text()).without("required")
	if len(required) > 0 {
		s = s.set("required", arrayOf(required))
	}
	return s, nil
}

// property rewrites one property. What may be null is left out instead, or the other way round, where clients have no word for it.
func (w *rewriter) property(name string, s object, needed bool, path []string, back *restore) (object, property, bool, error) {
	way := property{name: name}
	inner, nullable := w.withoutNull(s)
	noNull, all := w.row("type-array") != nil || w.row("nullable-union") != nil, w.row("required") != nil
	switch {
	case nullable && !needed && (noNull || all) && string(s.get("default")) != "null":
		return nil, way, false, w.loss(path, "let it be one of them, by omitempty or without it", "may be null and may be left out, which are not the same")
	case nullable && noNull && needed:
		s, needed = describe(inner, "Leave it out for null."), false
		back.absent = append(back.absent, name)
	case nullable && noNull:
		s = inner.without("default")
	case nullable && all:
		s, needed = s.without("default"), true
	case all && !needed:
		sentence := "Null leaves it out."
		if value := s.get("default"); value != nil {
			sentence = "Null stands for " + string(value) + "."
		}
		told, below, err := w.schema(describe(s.without("default"), sentence), path)
		if err != nil {
			return nil, way, false, err
		}
		way.dropNull, way.below = true, below
		return withNull(told), way, true, nil
	}
	told, below, err := w.schema(s, path)
	way.below = below
	return told, way, needed, err
}

// additional rewrites what is said of the members that an object does not name.
func (w *rewriter) additional(s object, path []string, back *restore) (object, error) {
	value := s.get("additionalProperties")
	if !slices.Contains(kindsOf(s), "object") || string(value) == "false" {
		return s, nil
	}
	_, isSchema := readObject(value)
	switch {
	case w.row("closed") != nil, isSchema && w.drops("additionalProperties"):
		return nil, w.loss(path, "drop additionalProperties", "takes members of any name beside its own")
	case !isSchema:
		return s, nil
	}
	told, below, err := w.below(value, append(slices.Clone(path), "additionalProperties"))
	if err != nil {
		return nil, err
	}
	back.values = below
	return slices.Clone(s).set("additionalProperties", told), nil
}

// parameterName returns a name that clients accept for one that they may not, and that no other parameter has.
func (w *rewriter) parameterName(name string, others ...object) string {
	refused := slices.ContainsFunc(w.rows, func(r *Rule) bool { return r.ID == "property-name" && !matches(r.Pattern, name) })
	if !refused {
		return name
	}
	plain := []byte(name[:min(len(name), 50)]) // 64 characters are accepted, and a number may follow
	for i, c := range plain {
		if !matches(`^[A-Za-z0-9_]$`, string(rune(c))) {
			plain[i] = '_'
		}
	}
	if len(plain) == 0 || '0' <= plain[0] && plain[0] <= '9' {
		plain = append([]byte{'_'}, plain...)
	}
	unique := string(plain)
	for n := 2; slices.ContainsFunc(others, func(o object) bool { return o.get(unique) != nil }); n++ {
		unique = string(plain) + "_" + strconv.Itoa(n)
	}
	return unique
}

// withoutNull returns a schema without null, and whether it had it beside other values.
func (w *rewriter) withoutNull(s object) (object, bool) {
	if kinds := kindsOf(s); len(kinds) > 1 && slices.Contains(kinds, "null") {
		var left []jsontext.Value
		for _, kind := range kinds {
			if kind != "null" {
				left = append(left, quote(kind))
			}
		}
		s = slices.Clone(s).set("type", arrayOf(left))
		if len(left) == 1 {
			s = s.set("type", left[0])
		}
		if values := readArray(s.get("enum")); values != nil {
			s = s.set("enum", arrayOf(slices.DeleteFunc(values, func(v jsontext.Value) bool { return v.Kind() == 'n' })))
		}
		return s, true
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		all := readArray(s.get(keyword))
		if !slices.ContainsFunc(all, isNull) {
			continue
		}
		all = slices.DeleteFunc(all, isNull)
		if len(all) != 1 {
			return slices.Clone(s).set(keyword, arrayOf(all)), true
		}
		only, _ := readObject(all[0])
		return merge(only, s.without(keyword)), true
	}
	return s, false
}

// withNull returns a schema that takes null too.
func withNull(s object) object {
	kinds := kindsOf(s)
	if slices.Contains(kinds, "null") {
		return s
	}
	null := object{{"type", quote("null")}}.text()
	switch alternatives := readArray(s.get("anyOf")); {
	case len(kinds) > 0 && s.get("const") == nil:
		var all []jsontext.Value
		for _, kind := range append(kinds, "null") {
			all = append(all, quote(kind))
		}
		s = slices.Clone(s).set("type", arrayOf(all))
		if values := readArray(s.get("enum")); values != nil {
			s = s.set("enum", arrayOf(append(values, jsontext.Value("null"))))
		}
		return s
	case alternatives != nil:
		return slices.Clone(s).set("anyOf", arrayOf(append(alternatives, null)))
	}
	told := object{{"anyOf", arrayOf([]jsontext.Value{s.without("description").text(), null})}}
	if text := s.get("description"); text != nil {
		told = told.set("description", text)
	}
	return told
}

// describe adds a sentence to a schema's description.
func describe(s object, sentence string) object {
	text, _ := readString(s.get("description"))
	if text != "" {
		text += " "
	}
	return slices.Clone(s).set("description", quote(text+sentence))
}
