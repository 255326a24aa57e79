package mcptool

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// scalars are the types whose values have no parts.
var scalars = []string{"string", "number", "integer", "boolean"}

// values rewrites a schema whose values cannot be told as they are: the result has another way back than that of its parts. The way is
// nil where there was nothing to do but to name the type.
func (w *rewriter) values(s object, path []string) (object, *restore, error) {
	kinds := kindsOf(s)
	if len(kinds) == 0 {
		if kind := kindOfValues(s); kind != "" {
			s, kinds = append(object{{"type", quote(kind)}}, s...), []string{kind}
		}
	}
	switch {
	case w.isAnything(s, kinds):
		return w.jsonText(s, path)
	case len(kinds) > 1 && !slices.Contains(kinds, "null") && w.row("type-array") != nil:
		var all []jsontext.Value
		for _, kind := range kinds {
			all = append(all, object{{"type", quote(kind)}}.text())
		}
		return s.without("type").set("anyOf", arrayOf(all)), nil, nil
	case s.get("enum") != nil:
		return w.enum(s, path)
	}
	return s, nil, nil
}

// kindOfValues returns the one type of the values that a schema names, or "".
func kindOfValues(s object) string {
	values := readArray(s.get("enum"))
	if constant := s.get("const"); constant != nil {
		values = append(values, constant)
	}
	kind := ""
	for _, value := range values {
		of := map[jsontext.Kind]string{'"': "string", '0': "number", 't': "boolean", 'f': "boolean"}[value.Kind()]
		if of == "" || kind != "" && kind != of {
			return ""
		}
		kind = of
	}
	return kind
}

// isAnything reports whether a schema says so little of its values that clients do not take it.
func (w *rewriter) isAnything(s object, kinds []string) bool {
	if len(kinds) == 0 {
		return w.row("type-missing") != nil && s.get("anyOf") == nil && s.get("oneOf") == nil && s.get("allOf") == nil && s.get("const") == nil
	}
	vague := slices.ContainsFunc(kinds, func(kind string) bool { return kind != "null" && !slices.Contains(scalars, kind) })
	return len(kinds) > 1 && vague && (w.row("type-array") != nil && !slices.Contains(kinds, "null") || w.row("closed") != nil && len(kinds) > 2)
}

// jsonText is the schema of a value's JSON text.
func (w *rewriter) jsonText(s object, path []string) (object, *restore, error) {
	told := object{{"type", quote("string")}}
	for _, m := range s {
		switch m.name {
		case "title", "deprecated", "examples", "description":
			told = append(told, m)
		case "type", "default":
		default:
			return nil, nil, w.loss(path, "leave it out", "can be of any type and has the keyword %s", m.name)
		}
	}
	sentence := "It is written as JSON, in a string."
	if value := s.get("default"); value != nil {
		sentence += " It is " + string(value) + " if it is left out."
	}
	told, err := w.keywords(describe(told, sentence), path)
	return told, &restore{json: true}, err
}

// emptyValue stands for "" in an enum.
const emptyValue = "(empty)"

// enum makes values strings that clients do not take.
func (w *rewriter) enum(s object, path []string) (object, *restore, error) {
	values := readArray(s.get("enum"))
	back := &restore{literals: map[string]jsontext.Value{}}
	told := make([]jsontext.Value, len(values))
	taken := map[string]bool{}
	changed := false
	for i, value := range values {
		content, isString := readString(value)
		switch {
		case !isString && value.Kind() != 'n' && w.row("enum-type") != nil:
			content, changed = string(value), true
			back.literals[content] = value
		case isString && content == "" && w.row("enum-empty") != nil:
			content, changed = emptyValue, true
			back.literals[content] = value
		case !isString:
			told[i] = value
			continue
		}
		if taken[content] {
			return nil, nil, w.loss(path, "name them apart", "has two values in its enum that are written %s", content)
		}
		taken[content] = true
		told[i] = quote(content)
	}
	if !changed {
		return s, nil, nil
	}
	rewritten := s.without("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format").
		set("type", quote("string")).set("enum", arrayOf(told))
	if value := s.get("default"); value != nil && value.Kind() != '"' {
		rewritten = rewritten.set("default", quote(string(value)))
	}
	rewritten, err := w.keywords(rewritten, path)
	return rewritten, back, err
}

// isMap reports whether a schema is that of an object with names of the caller's, which clients have no word for.
func (w *rewriter) isMap(s object) bool {
	properties, _ := readObject(s.get("properties"))
	return (w.row("closed") != nil || w.drops("additionalProperties")) && slices.Equal(kindsOf(s), []string{"object"}) &&
		len(properties) == 0 && string(s.get("additionalProperties")) != "false"
}

// pairs makes an object with names of the caller's an array of them and their values.
func (w *rewriter) pairs(s object, path []string) (object, *restore, error) {
	value := s.get("additionalProperties")
	if value == nil {
		value = jsontext.Value("{}")
	}
	value, below, err := w.below(value, append(slices.Clone(path), "additionalProperties"))
	if err != nil {
		return nil, nil, err
	}
	name := object{{"type", quote("string")}}
	if of, ok := readObject(s.get("propertyNames")); ok {
		if name, err = w.keywords(merge(name, of), append(slices.Clone(path), "propertyNames")); err != nil {
			return nil, nil, err
		}
	}
	pair := object{
		{"type", quote("object")},
		{"properties", object{{"name", name.text()}, {"value", value}}.text()},
		{"required", jsontext.Value(`["name","value"]`)},
	}
	if !w.drops("additionalProperties") {
		pair = pair.set("additionalProperties", jsontext.Value("false"))
	}
	told := object{{"type", quote("array")}}
	sentence := "It is an object, written as an array of its members' names and values."
	for _, m := range s {
		switch m.name {
		case "type", "additionalProperties", "propertyNames", "properties":
		case "minProperties", "maxProperties":
			told = append(told, member{strings.TrimSuffix(m.name, "Properties") + "Items", m.value})
		case "default":
			sentence += " It is " + string(m.value) + " if it is left out."
		default:
			told = append(told, m)
		}
	}
	told, err = w.keywords(describe(told, sentence), path)
	return told.set("items", pair.text()), &restore{pairs: true, values: below}, err
}
