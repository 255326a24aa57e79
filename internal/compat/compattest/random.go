// Package compattest makes schemas and texts at random, for tests that hold verdicts against a validator.
package compattest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
)

// Random makes schemas of the vocabulary that capgen emits, and texts near them.
type Random struct {
	*rand.Rand

	// definitions is how many $defs references may lead to.
	definitions int
}

// Object is a JSON object, as encoding/json decodes it.
type Object = map[string]any

var (
	patterns = []string{"^[a-z]+$", "^[a-z0-9]+$", "^a", "b", "^(0|-?[1-9][0-9]*)$", "^(a|ab)(c|bcd)$", `^\d{2,4}$`, `\bx`, "^[^a]*$", "^$", "[A-Z]", "(?i)ab"}
	words    = []string{"", "a", "b", "ab", "abc", "abcd", "x", "0", "12", "-7", "A", "é", "a b", "a\nb", "aaaaaa"}
	names    = []string{"a", "b", "c", "kind", "x1", "long_name"}
	numbers  = []string{"-2", "-1", "0", "1", "2", "3", "10", "0.5", "1.5", "1.0", "1e1", "9007199254740993"}
)

// New returns a source that makes the same of the same seeds.
func New(seed, other uint64) *Random { return &Random{Rand: rand.New(rand.NewPCG(seed, other))} }

func pick[T any](r *Random, from []T) T { return from[r.IntN(len(from))] }

// Often is true two times in three.
func (r *Random) Often() bool { return r.IntN(3) > 0 }

// Rarely is true one time in six.
func (r *Random) Rarely() bool { return r.IntN(6) == 0 }

// Document returns a schema with its definitions.
func (r *Random) Document() Object {
	r.definitions = r.IntN(3)
	root := r.schema(3)
	if r.definitions > 0 {
		defs := Object{}
		for i := range r.definitions {
			// Objects and lists, since a definition that is only a reference may lead to itself.
			definition := Object{"type": "object"}
			r.object(definition, 2)
			if r.Rarely() {
				definition = Object{"type": "array", "items": definition}
			}
			defs["D"+strconv.Itoa(i)] = definition
		}
		root["$defs"] = defs
	}
	return root
}

func (r *Random) schema(depth int) Object {
	kinds := []string{"string", "string", "integer", "number", "boolean", "any"}
	if depth > 0 {
		kinds = append(kinds, "array", "object", "object", "map", "union", "ref", "nullable", "opaque")
	}
	s := Object{}
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
			if r.Rarely() {
				s["minProperties"] = json.Number(pick(r, numbers[2:5]))
			}
		}
		return s
	case "nullable":
		return Object{"anyOf": []any{r.schema(depth - 1), Object{"type": "null"}}}
	case "opaque":
		return Object{"allOf": []any{r.schema(depth - 1)}, "not": Object{"const": "a"}}
	}
	switch kind {
	case "map":
		kind = "object"
	case "any", "union":
		return s
	}
	s["type"] = kind
	if r.Rarely() {
		s["type"] = []any{kind, "null"}
		if enum, ok := s["enum"].([]any); ok {
			s["enum"] = append(slices.Clone(enum), nil)
		}
	}
	return s
}

func (r *Random) count(s Object, keyword string) {
	if r.Rarely() {
		s[keyword] = json.Number(strconv.Itoa(r.IntN(4)))
	}
}

func (r *Random) string(s Object) {
	if r.Rarely() {
		s["enum"] = r.values(words)
		return
	}
	r.count(s, "minLength")
	r.count(s, "maxLength")
	if r.IntN(3) == 0 {
		s["pattern"] = pick(r, patterns)
	}
}

func (r *Random) values(from []string) []any {
	var values []any
	for _, i := range r.Perm(len(from))[:1+r.IntN(3)] {
		values = append(values, from[i])
	}
	return values
}

func (r *Random) number(s Object) {
	if r.Rarely() {
		s["enum"] = []any{json.Number(pick(r, numbers[:4])), json.Number(pick(r, numbers[4:]))}
		return
	}
	for _, keyword := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
		if r.Rarely() {
			s[keyword] = json.Number(pick(r, numbers))
		}
	}
	if r.Rarely() {
		s["multipleOf"] = json.Number(pick(r, []string{"1", "2", "3", "0.5", "1.5"}))
	}
}

func (r *Random) array(s Object, depth int) {
	s["items"] = r.schema(depth - 1)
	r.count(s, "minItems")
	r.count(s, "maxItems")
	if r.Rarely() {
		s["uniqueItems"] = true
	}
}

func (r *Random) object(s Object, depth int) {
	properties, required := Object{}, []any{}
	for _, name := range names[:1+r.IntN(len(names)-1)] {
		if r.Often() {
			properties[name] = r.schema(depth - 1)
		}
		if r.Rarely() {
			required = append(required, name)
		}
	}
	s["properties"] = properties
	if len(required) > 0 {
		s["required"] = required
	}
	if r.Often() {
		s["additionalProperties"] = false
	} else if r.Rarely() {
		s["additionalProperties"] = r.schema(0)
	}
	r.count(s, "minProperties")
	r.count(s, "maxProperties")
}

func (r *Random) dictionary(s Object, depth int) {
	s["additionalProperties"] = r.schema(depth - 1)
	if r.Rarely() {
		names := Object{}
		r.string(names)
		s["propertyNames"] = names
	}
	r.count(s, "minProperties")
	r.count(s, "maxProperties")
}

func (r *Random) union(s Object) {
	var variants []any
	for _, i := range r.Perm(3)[:1+r.IntN(3)] {
		properties := Object{"kind": Object{"const": names[i]}}
		if r.Often() {
			properties["a"] = r.schema(0)
		}
		variants = append(variants, Object{"type": "object", "properties": properties, "required": []any{"kind"}, "additionalProperties": r.Often()})
	}
	s["oneOf"] = variants
}

// Mutate returns a schema that differs from another in a few places.
func (r *Random) Mutate(value any) any {
	switch v := value.(type) {
	case Object:
		changed := Object{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			switch {
			case name == "$defs":
				defs := Object{}
				for _, definition := range slices.Sorted(maps.Keys(v[name].(Object))) {
					defs[definition] = r.Mutate(v[name].(Object)[definition])
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
			list = append(list, r.Mutate(element))
		}
		return list
	}
	return value
}

func (r *Random) mutateKeyword(name string, value any) any {
	if r.IntN(6) > 0 {
		if name == "required" || name == "enum" || name == "type" {
			return value
		}
		return r.Mutate(value)
	}
	other := Object{}
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
		return r.Often()
	case "items":
		return r.schema(1)
	case "properties":
		for name, property := range value.(Object) {
			other[name] = property
		}
		other[pick(r, names[:3])] = r.schema(1)
		return other
	}
	return value
}

// Text returns a value, near what a schema allows.
func (r *Random) Text(s any, root Object, depth int) any {
	schema, ok := s.(Object)
	if !ok || depth > 6 || r.IntN(10) == 0 {
		return r.anything(2)
	}
	if ref, ok := schema["$ref"].(string); ok {
		defs, _ := root["$defs"].(Object)
		return r.Text(defs[ref[len("#/$defs/"):]], root, depth+1)
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		if list, ok := schema[keyword].([]any); ok && len(list) > 0 {
			return r.Text(pick(r, list), root, depth+1)
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
		return r.Often()
	case "array":
		list := []any{}
		for range r.IntN(5) {
			list = append(list, r.Text(schema["items"], root, depth+1))
		}
		return list
	case "object":
		return r.members(schema, root, depth)
	}
	return r.anything(2)
}

func (r *Random) members(schema, root Object, depth int) Object {
	members := Object{}
	properties, _ := schema["properties"].(Object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if r.Often() {
			members[name] = r.Text(properties[name], root, depth+1)
		}
	}
	for range r.IntN(3) {
		name := pick(r, words)
		if r.Rarely() {
			name = pick(r, names)
		}
		if _, there := members[name]; !there {
			members[name] = r.Text(schema["additionalProperties"], root, depth+1)
		}
	}
	return members
}

func (r *Random) anything(depth int) any {
	kinds := 4
	if depth > 0 {
		kinds = 6
	}
	switch r.IntN(kinds) {
	case 0:
		return nil
	case 1:
		return r.Often()
	case 2:
		return json.Number(pick(r, numbers))
	case 3:
		return pick(r, words)
	case 4:
		return []any{r.anything(depth - 1), r.anything(depth - 1)}[:r.IntN(3)]
	}
	return Object{pick(r, names): r.anything(depth - 1), fmt.Sprint(r.IntN(5)): r.anything(depth - 1)}
}
