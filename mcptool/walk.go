package mcptool

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"
)

// walk visits every schema of an input, those that are referred to where they first are.
type walk struct {
	*checker
	root object
	// seen holds the references that were followed.
	seen map[string]bool
	// deep holds the limits of depth that were passed.
	deep map[*Rule]bool

	properties, values, text int
}

// manyValues is how many values an enum may have before their length counts (OpenAI, Structured Outputs).
const manyValues = 250

// schema checks one schema and those in it. Depth is how many objects and arrays it is in.
func (w *walk) schema(s object, path []string, depth int) {
	here := Finding{Part: TheInput, Path: slices.Clone(path)}
	if reference, ok := readString(s.get("$ref")); ok {
		w.reference(s, reference, here, depth)
		return
	}
	kinds := kindsOf(s)
	nests := slices.Contains(kinds, "object") || slices.Contains(kinds, "array")
	if nests {
		depth++
	}
	w.types(s, here)
	w.enums(s, here)
	w.keywords(s, here)
	w.each("depth", here, func(r *Rule) string {
		if !nests || depth <= r.Limit || w.deep[r] {
			return ""
		}
		w.deep[r] = true // what lies beside it has the same remedy
		return fmt.Sprintf("%s lies %d objects and arrays deep, more than %d", nameOf(path), depth, r.Limit)
	})
	w.object(s, here)
	for _, m := range s {
		below := append(slices.Clone(path), m.name)
		named, _ := readObject(m.value)
		switch {
		case m.name == "$defs":
			w.definitions(named)
		case schemaMapKeywords[m.name]:
			for _, each := range named {
				w.below(each.value, append(slices.Clone(below), each.name), depth)
			}
		case schemaKeywords[m.name] && m.value.Kind() == '[':
			for i, each := range readArray(m.value) {
				w.below(each, append(slices.Clone(below), strconv.Itoa(i)), depth)
			}
		case schemaKeywords[m.name]:
			w.below(m.value, below, depth)
		}
	}
}

func (w *walk) below(value jsontext.Value, path []string, depth int) {
	if s, ok := readObject(value); ok {
		w.schema(s, path, depth)
	}
}

// reference reports a reference and follows it, once.
func (w *walk) reference(s object, reference string, here Finding, depth int) {
	at := here
	at.Keyword = "$ref"
	recursive := refersToItself(w.root, reference)
	what := "the type of %s is written once and referred to"
	if recursive {
		what = "the type of %s refers to itself"
	} else {
		at.Fix = "make the input smaller, " + byDialect
	}
	w.each("ref", at, func(*Rule) string { return fmt.Sprintf(what, nameOf(here.Path)) })
	w.keywords(s, here)
	if w.seen[reference] {
		return
	}
	w.seen[reference] = true
	if target, ok := readObject(resolve(w.root, reference)); ok && reference != "#" {
		w.schema(target, here.Path, depth)
	}
}

// definitions counts what their names take.
func (w *walk) definitions(named object) {
	for _, each := range named {
		w.text += utf16Length(each.name)
	}
}

func (w *walk) types(s object, here Finding) {
	kinds := kindsOf(s)
	combined := s.get("anyOf") != nil || s.get("oneOf") != nil || s.get("allOf") != nil
	w.each("type-missing", here, func(*Rule) string {
		if len(kinds) > 0 || combined || s.get("const") != nil || slices.Contains(here.Path, "propertyNames") {
			return ""
		}
		return nameOf(here.Path) + " can be of any type"
	})
	typed := here
	typed.Keyword = "type"
	w.each("type-array", typed, func(*Rule) string {
		if s.get("type").Kind() != '[' {
			return ""
		}
		return fmt.Sprintf("%s has the types %s", nameOf(here.Path), strings.Join(kinds, " and "))
	})
	for _, keyword := range []string{"anyOf", "oneOf"} {
		for _, each := range readArray(s.get(keyword)) {
			alternative, _ := readObject(each)
			if kind, _ := readString(alternative.get("type")); kind == "null" {
				at := here
				at.Keyword = keyword
				w.each("nullable-union", at, func(*Rule) string { return nameOf(here.Path) + " takes null beside other values" })
			}
		}
	}
	at := here
	at.Keyword = "items"
	w.each("array-items", at, func(*Rule) string {
		if !slices.Contains(kinds, "array") || s.get("items") != nil {
			return ""
		}
		return nameOf(here.Path) + " does not say what its elements are"
	})
}

func (w *walk) enums(s object, here Finding) {
	values := readArray(s.get("enum"))
	w.values += len(values)
	if constant := s.get("const"); constant != nil {
		w.text += valueLength(constant)
	}
	length, other, empty := 0, "", false
	for _, value := range values {
		length += valueLength(value)
		if value.Kind() != '"' && value.Kind() != 'n' && other == "" {
			other = string(value)
		}
		empty = empty || string(value) == `""`
	}
	w.text += length
	at := here
	at.Keyword = "enum"
	w.each("enum-type", at, func(*Rule) string {
		if other == "" {
			return ""
		}
		return fmt.Sprintf("%s has the value %s, which is no string, in its enum", nameOf(here.Path), other)
	})
	w.each("enum-empty", at, func(*Rule) string {
		if !empty {
			return ""
		}
		return nameOf(here.Path) + ` has the value "" in its enum`
	})
	w.each("enum-length", at, func(r *Rule) string {
		if len(values) <= manyValues || length <= r.Limit {
			return ""
		}
		return fmt.Sprintf("the %d values of the enum of %s have %d characters together, more than %d", len(values), nameOf(here.Path), length, r.Limit)
	})
}

func (w *walk) keywords(s object, here Finding) {
	for _, m := range s {
		at := here
		at.Keyword = m.name
		if m.name == "$schema" || m.name == "additionalProperties" {
			at.Fix = dialectOnly // the generator writes them whatever is declared
		}
		w.each("keyword", at, func(r *Rule) string {
			if slices.Contains(r.Keywords, m.name) != r.Refused || m.name == "$ref" || m.name == "$defs" {
				return ""
			}
			return fmt.Sprintf("%s has the keyword %s", nameOf(here.Path), m.name)
		})
	}
	at := here
	at.Keyword = "format"
	format, told := readString(s.get("format"))
	w.each("format", at, func(r *Rule) string {
		if !told || slices.Contains(r.Keywords, format) {
			return ""
		}
		return fmt.Sprintf("%s has the format %s", nameOf(here.Path), format)
	})
}

// object checks what is said of an object's members.
func (w *walk) object(s object, here Finding) {
	properties, _ := readObject(s.get("properties"))
	required := readStrings(s.get("required"))
	for _, p := range properties {
		w.properties++
		w.text += utf16Length(p.name)
		at := here
		at.Path = append(slices.Clone(here.Path), "properties", p.name)
		w.each("required", at, func(*Rule) string {
			if slices.Contains(required, p.name) {
				return ""
			}
			return fmt.Sprintf("%s is optional", nameOf(at.Path))
		})
		if len(here.Path) > 0 {
			continue
		}
		w.each("property-name", at, func(r *Rule) string {
			if matches(r.Pattern, p.name) {
				return ""
			}
			return fmt.Sprintf("the name of %s does not match %s", nameOf(at.Path), r.Pattern)
		})
	}
	at := here
	at.Keyword = "additionalProperties"
	w.each("closed", at, func(*Rule) string {
		if !slices.Contains(kindsOf(s), "object") || string(s.get("additionalProperties")) == "false" {
			return ""
		}
		return nameOf(here.Path) + " takes members of any name"
	})
}

// kindsOf returns the types that a schema names.
func kindsOf(s object) []string {
	if kind, ok := readString(s.get("type")); ok {
		return []string{kind}
	}
	return readStrings(s.get("type"))
}

// valueLength is how many characters a value of an enum counts for.
func valueLength(value jsontext.Value) int {
	if content, ok := readString(value); ok {
		return utf16Length(content)
	}
	return len(value)
}

// utf16Length counts characters as JavaScript does, which most clients are written in; it is never less than the code points.
func utf16Length(text string) int { return len(utf16.Encode([]rune(text))) }

var patterns sync.Map // of *regexp.Regexp by their text

func matches(pattern, text string) bool {
	compiled, ok := patterns.Load(pattern)
	if !ok {
		compiled, _ = patterns.LoadOrStore(pattern, regexp.MustCompile(pattern))
	}
	return compiled.(*regexp.Regexp).MatchString(text)
}
