package rule

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// mostNames is how many of a schema's names or values a message lists.
const mostNames = 24

// shortName is the length below which one letter's difference says nothing: id is not a mistake for ip.
const shortName = 4

// longName is the length in bytes above which a name is not compared: it is the caller's, and may be as long as a text.
const longName = 256

// Unknown says that an object has a name that its schema does not have. Known are the schema's names, in any order. The name is
// the caller's: it decides which known one is suggested and is not itself in the message.
func Unknown(name string, known []string) string {
	if len(known) == 0 {
		return "has a property that is not known; there are none"
	}
	known = slices.Sorted(slices.Values(known))
	message := "has a property that is not known; the properties are " + strings.Join(bounded(known), ", ")
	if near := nearest(name, known); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	return message
}

// OneOf lists values, already in words, as alternatives.
func OneOf(values []string) string {
	values = bounded(values)
	if len(values) < 2 {
		return strings.Join(values, "")
	}
	last := len(values) - 1
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

// bounded cuts a list, so that a message is short whatever the schema is.
func bounded(list []string) []string {
	if len(list) <= mostNames {
		return list
	}
	return append(slices.Clip(list[:mostNames]), fmt.Sprintf("%d more", len(list)-mostNames))
}

// nearest returns the known name that is meant by one that differs in case, in - and _, or by one edit; or "".
func nearest(name string, known []string) string {
	if len(name) > longName {
		return ""
	}
	folded := fold(name)
	for _, k := range known {
		if fold(k) == folded {
			return k
		}
	}
	for _, k := range known {
		if utf8.RuneCountInString(k) >= shortName && oneEdit(folded, fold(k)) {
			return k
		}
	}
	return ""
}

func fold(name string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name))
}

// oneEdit reports whether one character inserted, deleted or replaced, or two neighbours swapped, make a text of another.
func oneEdit(a, b string) bool {
	x, y := []rune(a), []rune(b)
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	if len(x) == 2 && len(y) == 2 {
		return x[0] == y[1] && x[1] == y[0]
	}
	return len(x) <= 1 && len(y) <= 1
}
