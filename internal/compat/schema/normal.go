package schema

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// How the keywords are treated.
var (
	// silent ones describe, and no text means anything else for them.
	silent = set("$schema", "$id", "$comment", "$defs", "definitions", "title", "description", "examples")
	// plain ones have a value that is no schema, and are understood.
	plain = set("minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties")
	// opaque ones are only compared.
	opaque = set("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependentRequired", "dependencies", "patternProperties",
		"prefixItems", "contains", "minContains", "maxContains", "unevaluatedItems", "unevaluatedProperties", "additionalItems",
		"$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$anchor", "$vocabulary", "$ref")
)

func set(names ...string) map[string]bool {
	s := map[string]bool{}
	for _, name := range names {
		s[name] = true
	}
	return s
}

// node returns the schema at a pointer into the document.
func (d *Document) node(pointer string, raw any) *Node {
	if known := d.nodes[pointer]; known != nil {
		return known
	}
	n := &Node{Pointer: d.base + pointer, doc: d, self: pointer, raw: raw}
	d.nodes[pointer] = n
	return n
}

// Normal returns the schema with its references followed, so that its fields say what it is.
func (n *Node) Normal() *Node {
	if n.normal == nil {
		n.normal = n.resolve(0)
		n.normal.normal = n.normal
	}
	return n.normal
}

// maxReferences is how many references may lead to one schema.
const maxReferences = 32

// resolve follows the schema's reference, if it is one, and takes apart the forms that say that null is allowed too.
func (n *Node) resolve(depth int) *Node {
	read := n.read()
	reference, isReference := read.Opaque["$ref"].(string)
	if isReference && depth < maxReferences {
		if target := n.target(reference); target != nil {
			if joined := read.beside(target.resolve(depth + 1)); joined != nil {
				return joined
			}
		}
	}
	if inner := read.orNull(); inner != nil && depth < maxReferences {
		inner = inner.resolve(depth + 1)
		if len(inner.Opaque) == 0 {
			if joined := read.beside(inner); joined != nil {
				joined.Nullable = true
				return joined
			}
		}
	}
	return read
}

// target returns the schema that a reference within the document leads to, or nil.
func (n *Node) target(reference string) *Node {
	pointer, local := strings.CutPrefix(reference, "#")
	if !local || n.doc.resources || strings.Contains(pointer, "%") {
		return nil
	}
	raw, found := n.doc.find(pointer)
	if !found {
		return nil
	}
	return n.doc.node(pointer, raw)
}

// beside returns another schema with what stands beside the keyword that leads to it; nil where both say something that a value must meet,
// which is more than one schema can say.
func (n *Node) beside(other *Node) *Node {
	if len(n.Opaque) > 1 || n.Types != All || n.Enum != nil || n.Properties != nil || n.Required != nil || n.Additional != nil ||
		n.Names != nil || n.Items != nil || n.OneOf != nil {
		return nil
	}
	joined := *other
	joined.Pointer, joined.doc, joined.self, joined.raw, joined.normal = n.Pointer, n.doc, n.self, n.raw, nil
	joined.Plain, joined.places = maps.Clone(other.Plain), map[string]string{}
	for name := range joined.keywords() {
		joined.places[name] = strings.TrimSuffix(other.Place(name), "/"+Escape(name))
	}
	for name, value := range n.Plain {
		if old, both := other.Plain[name]; both && plain[name] && !Equal(old, value) {
			return nil
		}
		joined.Plain[name] = value
		delete(joined.places, name)
	}
	return &joined
}

// keywords yields the names of what the schema says.
func (n *Node) keywords() map[string]bool {
	names := map[string]bool{"type": true, "enum": true, "const": true, "required": true, "properties": true, "additionalProperties": true,
		"propertyNames": true, "items": true, "oneOf": true}
	for name := range n.Plain {
		names[name] = true
	}
	for name := range n.Opaque {
		names[name] = true
	}
	return names
}

// orNull returns the schema that is allowed beside null, or nil where it is not of that form.
func (n *Node) orNull() *Node {
	list, ok := n.Opaque["anyOf"].([]any)
	if !ok || len(list) != 2 {
		return nil
	}
	for i := range list {
		if isNull(list[1-i]) {
			return n.doc.node(n.self+"/anyOf/"+strconv.Itoa(i), list[i])
		}
	}
	return nil
}

func isNull(raw any) bool {
	members, ok := raw.(map[string]any)
	return ok && len(members) == 1 && members["type"] == "null"
}

// read takes one schema apart, without following anything.
func (n *Node) read() *Node {
	r := &Node{Pointer: n.Pointer, Types: All, Plain: map[string]any{}, Opaque: map[string]any{}, doc: n.doc, self: n.self, raw: n.raw}
	members, isObject := n.raw.(map[string]any)
	if !isObject {
		if n.raw == false {
			r.Types = 0
		}
		return r
	}
	for name, value := range members {
		switch {
		case silent[name]:
		case name == "$ref", name == "anyOf", opaque[name] && name != "oneOf":
			r.Opaque[name] = value
		default:
			r.readKeyword(name, value)
		}
	}
	// A null that the type allows and the values do not is not allowed.
	if r.Enum != nil && r.Types&Null != 0 && !slices.Contains(r.Enum, nil) {
		r.Types &^= Null
	}
	return r
}

func (n *Node) readKeyword(name string, value any) {
	below := func(raw any, segments ...string) *Node {
		return n.doc.node(n.self+"/"+strings.Join(segments, "/"), raw)
	}
	switch name {
	case "type":
		n.Types = typesOf(value)
	case "enum":
		n.limit(value.([]any))
	case "const":
		n.limit([]any{value})
	case "required":
		n.Required = map[string]bool{}
		for _, property := range value.([]any) {
			n.Required[property.(string)] = true
		}
	case "properties":
		n.Properties = map[string]*Node{}
		for property, raw := range value.(map[string]any) {
			n.Properties[property] = below(raw, name, Escape(property))
		}
		n.Order = slices.Sorted(maps.Keys(n.Properties))
	case "additionalProperties":
		n.Additional = below(value, name)
	case "propertyNames":
		n.Names = below(value, name)
	case "items":
		n.Items = below(value, name)
	case "oneOf":
		for i, raw := range value.([]any) {
			n.OneOf = append(n.OneOf, below(raw, name, strconv.Itoa(i)))
		}
	default:
		n.Plain[name] = value
	}
}

// limit leaves the values that both an enum and a const name.
func (n *Node) limit(values []any) {
	if n.Enum == nil {
		n.Enum = values
		return
	}
	n.Enum = slices.DeleteFunc(slices.Clone(n.Enum), func(v any) bool {
		return !slices.ContainsFunc(values, func(other any) bool { return Equal(v, other) })
	})
}

func typesOf(value any) Types {
	names, several := value.([]any)
	if !several {
		names = []any{value}
	}
	var types Types
	for _, name := range names {
		text, _ := name.(string)
		types |= typeNames[text]
	}
	return types
}
