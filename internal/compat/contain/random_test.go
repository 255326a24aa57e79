package contain_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
)

// random makes schemas of the vocabulary that capgen emits, and texts near them.
type random struct {
	*rand.Rand
	// definitions is how many $defs references may lead to.
	definitions int
}

type object = map[string]any

var (
	patterns = []string{"^[a-z]+$", "^[a-z0-9]+$", "^a", "b", "^(0|-?[1-9][0-9]*)$", "^(a|ab)(c|bcd)$", `^\d{2,4}$`, `\bx`, "^[^a]*$", "^$", "[A-Z]", "(?i)ab"}
	words    = []string{"", "a", "b", "ab", "abc", "abcd", "x", "0", "12", "-7", "A", "é", "a b", "a\nb", "aaaaaa"}
	names    = []string{"a", "b", "c", "kind", "x1", "long_name"}
	numbers  = []string{"-2", "-1", "0", "1", "2", "3", "10", "0.5", "1.5", "1.0", "1e1", "9007199254740993"}
)

func pick[T any](r *random, from []T) T { return from[r.IntN(len(from))] }

func (r *random) often() bool  { return r.IntN(3) > 0 }
func (r *random) rarely() bool { return r.IntN(6) == 0 }

// document returns a schema with its definitions.
func (r *random) document() object {
	r.definitions = r.IntN(3)
	root := r.schema(3)
	if r.definitions > 0 {
		defs := object{}
		for i := range r.definitions {
			// Objects and lists, since a definition that is only a reference may lead to itself.
			definition := object{"type": "object"}
			r.object(definition, 2)
			if r.rarely() {
				definition = object{"type": "array", "items": definition}
			}
			defs["D"+strconv.Itoa(i)] = definition
		}
		root["$defs"] = defs
	}
	return root
}

func (r *random) schema(depth int) object {
	kinds := []string{"string", "string", "integer", "number", "boolean", "any"}
	if depth > 0 {
		kinds = append(kinds, "array", "object", "object", "map", "union", "ref", "nullable", "opaque")
	}
	s := object{}
	kind := pick(r, kinds)
	switch kind {
	case "string":
		r.string(s)
	case "integer", "number":
		r.number(s)
	case "array":
		r.array(s, depth)
	case "object":
		r.object(s, depth)
	case "map":
		r.dictionary(s, depth)
	case "union":
		r.union(s)
	case "ref":
		if r.definitions > 0 {
			s["$ref"] = "#/$defs/D" + strconv.Itoa(r.IntN(r.definitions))
			if r.rarely() {
				s["minProperties"] = json.Number(pick(r, numbers[2:5]))
			}
		}
		return s
	case "nullable":
		return object{"anyOf": []any{r.schema(depth - 1), object{"type": "null"}}}
	case "opaque":
		return object{"allOf": []any{r.schema(depth - 1)}, "not": object{"const": "a"}}
	}
	switch kind {
	case "map":
		kind = "object"
	case "any", "union":
		return s
	}
	s["type"] = kind
	if r.rarely() {
		s["type"] = []any{kind, "null"}
		if enum, ok := s["enum"].([]any); ok {
			s["enum"] = append(slices.Clone(enum), nil)
		}
	}
	return s
}

func (r *random) count(s object, keyword string) {
	if r.rarely() {
		s[keyword] = json.Number(strconv.Itoa(r.IntN(4)))
	}
}

func (r *random) string(s object) {
	if r.rarely() {
		s["enum"] = r.values(words)
		return
	}
	r.count(s, "minLength")
	r.count(s, "maxLength")
	if r.rarely() || r.rarely() {
		s["pattern"] = pick(r, patterns)
	}
}

func (r *random) values(from []string) []any {
	var values []any
	for _, i := range r.Perm(len(from))[:1+r.IntN(3)] {
		values = append(values, from[i])
	}
	return values
}

func (r *random) number(s object) {
	if r.rarely() {
		s["enum"] = []any{json.Number(pick(r, numbers[:4])), json.Number(pick(r, numbers[4:]))}
		return
	}
	for _, keyword := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
		if r.rarely() {
			s[keyword] = json.Number(pick(r, numbers))
		}
	}
	if r.rarely() {
		s["multipleOf"] = json.Number(pick(r, []string{"1", "2", "3", "0.5", "1.5"}))
	}
}

func (r *random) array(s object, depth int) {
	s["items"] = r.schema(depth - 1)
	r.count(s, "minItems")
	r.count(s, "maxItems")
	if r.rarely() {
		s["uniqueItems"] = true
	}
}

func (r *random) object(s object, depth int) {
	properties, required := object{}, []any{}
	for _, name := range names[:1+r.IntN(len(names)-1)] {
		if r.often() {
			properties[name] = r.schema(depth - 1)
		}
		if r.rarely() {
			required = append(required, name)
		}
	}
	s["properties"] = properties
	if len(required) > 0 {
		s["required"] = required
	}
	if r.often() {
		s["additionalProperties"] = false
	} else if r.rarely() {
		s["additionalProperties"] = r.schema(0)
	}
	r.count(s, "minProperties")
	r.count(s, "maxProperties")
}

func (r *random) dictionary(s object, depth int) {
	s["additionalProperties"] = r.schema(depth - 1)
	if r.rarely() {
		names := object{}
		r.string(names)
		s["propertyNames"] = names
	}
	r.count(s, "minProperties")
	r.count(s, "maxProperties")
}

func (r *random) union(s object) {
	var variants []any
	for _, i := range r.Perm(3)[:1+r.IntN(3)] {
		properties := object{"kind": object{"const": names[i]}}
		if r.often() {
			properties["a"] = r.schema(0)
		}
		variants = append(variants, object{"type": "object", "properties": properties, "required": []any{"kind"}, "additionalProperties": r.often()})
	}
	s["oneOf"] = variants
}

// mutate returns a schema that differs from another in a few places.
func (r *random) mutate(value any) any {
	switch v := value.(type) {
	case object:
		changed := object{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			switch {
			case name == "$defs":
				defs := object{}
				for _, definition := range slices.Sorted(maps.Keys(v[name].(object))) {
					defs[definition] = r.mutate(v[name].(object)[definition])
				}
				changed[name] = defs
			case r.IntN(12) > 0 || name == "const" || name == "kind" || name == "$ref":
				changed[name] = r.mutateKeyword(name, v[name])
			}
		}
		return changed
	case []any:
		list := []any{}
		for _, element := range v {
			list = append(list, r.mutate(element))
		}
		return list
	}
	return value
}

func (r *random) mutateKeyword(name string, value any) any {
	if r.IntN(6) > 0 {
		if name == "required" || name == "enum" || name == "type" {
			return value
		}
		return r.mutate(value)
	}
	other := object{}
	switch name {
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return json.Number(strconv.Itoa(r.IntN(5)))
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return json.Number(pick(r, numbers))
	case "pattern":
		return pick(r, patterns)
	case "required":
		return append(slices.Clone(value.([]any)), pick(r, names)+"2")[r.IntN(2):]
	case "enum":
		return value.([]any)[r.IntN(len(value.([]any))):]
	case "additionalProperties":
		return r.often()
	case "items":
		return r.schema(1)
	case "properties":
		for name, property := range value.(object) {
			other[name] = property
		}
		other[pick(r, names[:3])] = r.schema(1)
		return other
	}
	return value
}

// text returns a value, near what a schema allows.
func (r *random) text(s any, root object, depth int) any {
	schema, ok := s.(object)
	if !ok || depth > 6 || r.IntN(10) == 0 {
		return r.anything(2)
	}
	if ref, ok := schema["$ref"].(string); ok {
		defs, _ := root["$defs"].(object)
		return r.text(defs[ref[len("#/$defs/"):]], root, depth+1)
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		if list, ok := schema[keyword].([]any); ok && len(list) > 0 {
			return r.text(pick(r, list), root, depth+1)
		}
	}
	if enum, ok := schema["enum"].([]any); ok && len(enum) > 0 {
		return pick(r, enum)
	}
	if value, ok := schema["const"]; ok {
		return value
	}
	kind := schema["type"]
	if list, ok := kind.([]any); ok {
		kind = pick(r, list)
	}
	switch kind {
	case "null":
		return nil
	case "string":
		return pick(r, words)
	case "integer", "number":
		return json.Number(pick(r, numbers))
	case "boolean":
		return r.often()
	case "array":
		list := []any{}
		for range r.IntN(5) {
			list = append(list, r.text(schema["items"], root, depth+1))
		}
		return list
	case "object":
		return r.members(schema, root, depth)
	}
	return r.anything(2)
}

func (r *random) members(schema, root object, depth int) object {
	members := object{}
	properties, _ := schema["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if r.often() {
			members[name] = r.text(properties[name], root, depth+1)
		}
	}
	for range r.IntN(3) {
		name := pick(r, words)
		if r.rarely() {
			name = pick(r, names)
		}
		if _, there := members[name]; !there {
			members[name] = r.text(schema["additionalProperties"], root, depth+1)
		}
	}
	return members
}

func (r *random) anything(depth int) any {
	kinds := 4
	if depth > 0 {
		kinds = 6
	}
	switch r.IntN(kinds) {
	case 0:
		return nil
	case 1:
		return r.often()
	case 2:
		return json.Number(pick(r, numbers))
	case 3:
		return pick(r, words)
	case 4:
		return []any{r.anything(depth - 1), r.anything(depth - 1)}[:r.IntN(3)]
	}
	return object{pick(r, names): r.anything(depth - 1), fmt.Sprint(r.IntN(5)): r.anything(depth - 1)}
}
