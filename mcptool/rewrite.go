package mcptool

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// rewriter rewrites one input for one profile, as the rows of the table ask.
type rewriter struct {
	root    object
	profile Profile
	rows    []*Rule

	// definitions are those that are still referred to, and ways the ways back of all that were met.
	definitions object
	ways        map[string]*restore
}

func newRewriter(root object, profile Profile) *rewriter {
	return &rewriter{root: root, profile: profile, rows: RulesOf(profile), ways: map[string]*restore{}}
}

// row returns the strictest row of an ID that counts, or nil.
func (w *rewriter) row(id string) *Rule {
	for _, r := range w.rows {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// drops reports whether a keyword is not accepted.
func (w *rewriter) drops(keyword string) bool {
	row := w.row("keyword")
	return row != nil && slices.Contains(row.Keywords, keyword) == row.Refused
}

func (w *rewriter) loss(path []string, fix, format string, args ...any) error {
	return &Loss{w.profile, slices.Clone(path), nameOf(path) + " " + fmt.Sprintf(format, args...), fix}
}

// schema rewrites a schema where null has no part in it, or may stay.
func (w *rewriter) schema(s object, path []string) (object, *restore, error) {
	if _, refers := readString(s.get("$ref")); refers {
		return w.reference(s, path)
	}
	s, back, err := w.values(s, path)
	if err != nil || back != nil {
		return s, back, err
	}
	if w.isMap(s) {
		return w.pairs(s, path)
	}
	back = new(restore)
	if s, err = w.object(s, path, back); err != nil {
		return nil, nil, err
	}
	if s, err = w.array(s, path, back); err != nil {
		return nil, nil, err
	}
	if s, err = w.alternatives(s, path, back); err != nil {
		return nil, nil, err
	}
	if s, err = w.keywords(s, path); err != nil {
		return nil, nil, err
	}
	return s, back.needed(), nil
}

// reference writes out what a schema refers to. What stands beside the reference counts for more.
func (w *rewriter) reference(s object, path []string) (object, *restore, error) {
	reference, _ := readString(s.get("$ref"))
	beside := s.without("$ref")
	target, ok := readObject(resolve(w.root, reference))
	switch {
	case !ok:
		return nil, nil, w.loss(path, "correct the reference", "refers to %s, which is no schema", reference)
	case !refersToItself(w.root, reference):
		return w.schema(merge(target, beside), path)
	case w.row("ref") != nil || !strings.HasPrefix(reference, "#/$defs/"):
		return nil, nil, w.loss(path, "nest types of their own as deep as is needed", "is of a type that refers to itself")
	}
	if _, met := w.ways[reference]; !met {
		way := new(restore)
		w.ways[reference] = way
		name := strings.TrimPrefix(reference, "#/$defs/")
		w.definitions = w.definitions.set(name, nil) // in the order in which they are met
		definition, back, err := w.schema(target, path)
		if err != nil {
			return nil, nil, err
		}
		if back != nil {
			*way = *back
		}
		way.shared = true
		w.definitions = w.definitions.set(name, definition.text())
	}
	referring := object{{"$ref", quote(reference)}}
	if len(beside) == 0 {
		return referring, w.ways[reference], nil
	}
	// A reference has nothing beside it.
	beside, err := w.keywords(beside, path)
	return append(object{{"anyOf", arrayOf([]jsontext.Value{referring.text()})}}, beside...), w.ways[reference], err
}

// merge puts the members of one schema in the place of those of another.
func merge(s, over object) object {
	merged := slices.Clone(s)
	for _, m := range over {
		merged = merged.set(m.name, m.value)
	}
	return merged
}

// below rewrites the schema below a keyword, which is no property. Null has no other form there.
func (w *rewriter) below(value jsontext.Value, path []string) (jsontext.Value, *restore, error) {
	s, ok := readObject(value)
	if !ok {
		if string(value) != "true" {
			return nil, nil, w.loss(path, "say what it is", "is the schema %s", value)
		}
		s = object{}
	}
	if w.row("type-array") != nil || w.row("nullable-union") != nil {
		if _, nullable := w.withoutNull(s); nullable {
			return nil, nil, w.loss(path, "take parts that are never null", "may be null, and cannot be left out instead")
		}
	}
	rewritten, back, err := w.schema(s, path)
	if err != nil {
		return nil, nil, err
	}
	return rewritten.text(), back, nil
}

// array rewrites the elements of an array.
func (w *rewriter) array(s object, path []string, back *restore) (object, error) {
	items := s.get("items")
	if items == nil {
		if slices.Contains(kindsOf(s), "array") && w.row("array-items") != nil {
			items = jsontext.Value("{}")
		} else {
			return s, nil
		}
	}
	rewritten, below, err := w.below(items, append(slices.Clone(path), "items"))
	if err != nil {
		return nil, err
	}
	back.items = below
	return slices.Clone(s).set("items", rewritten), nil
}

// alternatives rewrites those of anyOf and oneOf.
func (w *rewriter) alternatives(s object, path []string, back *restore) (object, error) {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		all := readArray(s.get(keyword))
		if all == nil {
			continue
		}
		for i, each := range all {
			here := append(slices.Clone(path), keyword, strconv.Itoa(i))
			original, _ := readObject(each)
			rewritten, below, err := w.below(each, here)
			if err != nil {
				return nil, err
			}
			all[i] = rewritten
			if below == nil {
				continue
			}
			if onlyNullBeside(all, i) {
				back.inner = below
				continue
			}
			name, value := discriminator(w.root, original)
			if name == "" {
				return nil, w.loss(here, "make it a union with a discriminator", "would be sent in another form, and cannot be told from the other alternatives")
			}
			back.variants = append(back.variants, variant{name, value, below})
		}
		told := keyword
		if keyword == "oneOf" && w.drops("oneOf") {
			told = "anyOf" // the server goes on seeing to it that it is one
		}
		s = slices.Clone(s).without(keyword).set(told, arrayOf(all))
	}
	return s, nil
}

// onlyNullBeside reports whether all alternatives but one are null.
func onlyNullBeside(all []jsontext.Value, one int) bool {
	for i, each := range all {
		if i != one && !isNull(each) {
			return false
		}
	}
	return true
}

// isNull reports whether a schema takes null alone.
func isNull(schema jsontext.Value) bool {
	of, _ := readObject(schema)
	return textOf(of.get("type")) == "null"
}

// discriminator returns the property of a schema that has one value, and that value; "" where there is none.
func discriminator(root, s object) (string, jsontext.Value) {
	if reference, ok := readString(s.get("$ref")); ok {
		s, _ = readObject(resolve(root, reference))
	}
	properties, _ := readObject(s.get("properties"))
	for _, p := range properties {
		of, _ := readObject(p.value)
		if value := of.get("const"); value != nil && slices.Contains(readStrings(s.get("required")), p.name) {
			return p.name, value
		}
	}
	return "", nil
}
