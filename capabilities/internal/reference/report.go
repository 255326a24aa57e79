package reference

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"sort"
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
		limit = names(r.at(parent + "/properties"))
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

func (r *report) at(fragment string) any { return lookup(r.schema.tree, pointerTokens(fragment)) }

// words writes a keyword's value as the messages want it.
func words(keyword string, limit any) string {
	switch keyword {
	case "type":
		if list, ok := limit.([]any); ok {
			return joinOr(list)
		}
		return article(limit)
	case "enum":
		list, _ := limit.([]any)
		return joinOr(mapped(list, quoted))
	case "pattern", "format", "additionalProperties":
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

func joinOr(list []any) string {
	var b strings.Builder
	for i, item := range list {
		switch {
		case i > 0 && i == len(list)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(fmt.Sprint(item))
	}
	return b.String()
}

func mapped(list []any, f func(any) string) []any {
	out := make([]any, len(list))
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

// names lists the properties an object may have.
func names(properties any) string {
	object, _ := properties.(map[string]any)
	if len(object) == 0 {
		return "none"
	}
	list := make([]string, 0, len(object))
	for name := range object {
		list = append(list, name)
	}
	sort.Strings(list)
	return strings.Join(list, ", ")
}
