package reference

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/capgen/capgen/capabilities/internal/rule"
)

// report turns the validator's error into problems that hold nothing of the caller's.
type report struct {
	schema   *Schema
	value    any
	problems []Problem
}

// problemsOf lists what an error says, each thing once, in an order that does not depend on the validator's.
func problemsOf(s *Schema, value any, e *jsonschema.ValidationError, limit int) []Problem {
	r := report{schema: s, value: value}
	r.add(e)
	slices.SortFunc(r.problems, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Pointer, b.Pointer), strings.Compare(a.Keyword, b.Keyword), strings.Compare(a.Message, b.Message))
	})
	r.problems = slices.Compact(r.problems)
	return r.problems[:min(len(r.problems), limit)]
}

func (r *report) add(e *jsonschema.ValidationError) {
	for _, cause := range e.Causes {
		r.add(cause)
	}
	if len(e.Causes) > 0 {
		return
	}
	_, fragment, _ := strings.Cut(e.AbsoluteKeywordLocation, "#")
	instance, fragment := unescape(e.InstanceLocation), unescape(fragment)
	parent, keyword := splitLast(fragment)
	pointer, limit := r.schema.known(instance), r.at(fragment)
	switch keyword {
	case "required":
		r.addMissing(pointer, limit, lookup(r.value, pointerTokens(instance)))
		return
	case "additionalProperties":
		r.addUnknown(pointer, r.at(parent+"/properties"), lookup(r.value, pointerTokens(instance)))
		return
	}
	r.problems = append(r.problems, Problem{Pointer: pointer, Keyword: keyword, Message: rule.Message(keyword, words(keyword, limit))})
}

// unescape undoes the percent-encoding that the validator adds to its pointers.
func unescape(pointer string) string {
	if plain, err := url.PathUnescape(pointer); err == nil {
		return plain
	}
	return pointer
}

// addMissing adds one problem for each required name that the object lacks.
func (r *report) addMissing(pointer string, required, object any) {
	list, _ := required.([]any)
	has, _ := object.(map[string]any)
	for _, name := range list {
		if _, ok := has[fmt.Sprint(name)]; !ok {
			r.problems = append(r.problems, Problem{Pointer: pointer, Keyword: "required", Message: rule.Message("required", quoted(name))})
		}
	}
}

// addUnknown adds one problem for all the names of an object that the schema does not have.
func (r *report) addUnknown(pointer string, properties, object any) {
	known, _ := properties.(map[string]any)
	has, _ := object.(map[string]any)
	unknown := ""
	for _, name := range slices.Sorted(maps.Keys(has)) {
		if _, ok := known[name]; !ok {
			unknown = name
			break
		}
	}
	message := rule.Unknown(unknown, slices.Collect(maps.Keys(known)))
	r.problems = append(r.problems, Problem{Pointer: pointer, Keyword: "additionalProperties", Message: message})
}

func (r *report) at(fragment string) any { return lookup(r.schema.tree, pointerTokens(fragment)) }

// words writes a keyword's value as the messages want it.
func words(keyword string, limit any) string {
	switch keyword {
	case "type":
		if list, ok := limit.([]any); ok {
			return rule.OneOf(mapped(list, article))
		}
		return article(limit)
	case "enum":
		list, _ := limit.([]any)
		return rule.OneOf(mapped(list, quoted))
	case "pattern", "format":
		return fmt.Sprint(limit)
	}
	return quoted(limit)
}

func article(kind any) string {
	text := fmt.Sprint(kind)
	switch {
	case text == "null":
		return text
	case strings.ContainsRune("aio", rune(text[0])):
		return "an " + text
	}
	return "a " + text
}

func mapped(list []any, f func(any) string) []string {
	out := make([]string, len(list))
	for i, item := range list {
		out[i] = f(item)
	}
	return out
}

func quoted(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}
