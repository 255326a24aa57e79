package mcptool

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// keywords replaces those that clients do not take: by others that say the same, or by a sentence in the description.
func (w *rewriter) keywords(s object, path []string) (object, error) {
	var sentences []string
	kept := object{}
	for _, m := range s {
		row := w.row("format")
		switch {
		case m.name == "format" && row != nil && !slices.Contains(row.Keywords, textOf(m.value)):
			sentences = append(sentences, "Its format is "+textOf(m.value)+".")
		case !w.drops(m.name):
			kept = append(kept, m)
		case m.name == "const":
			kept = kept.set("enum", arrayOf([]jsontext.Value{m.value}))
		case m.name == "exclusiveMinimum" || m.name == "exclusiveMaximum":
			if bound, value := inclusive(s, m); bound != "" && !w.drops(bound) && s.get(bound) == nil {
				kept = append(kept, member{bound, value})
				continue
			}
			sentences = append(sentences, sentence(m))
		default:
			told := sentence(m)
			if told == "" && !silent[m.name] {
				return nil, w.loss(path, "leave it out", "has the keyword %s", m.name)
			}
			sentences = append(sentences, told)
		}
	}
	sentences = slices.DeleteFunc(sentences, func(text string) bool { return text == "" })
	if len(sentences) == 0 {
		return kept, nil
	}
	return describe(kept, strings.Join(sentences, " ")), nil
}

// silent are the keywords that tell a caller nothing that a call would depend on.
var silent = map[string]bool{
	"$schema": true, "$comment": true, "additionalProperties": true, "x-mcp-header": true, "deprecated": true, "readOnly": true, "writeOnly": true,
	"uniqueItems": true, "examples": true,
}

// sentences say what keywords do, with their value. Those of flags are said only if they are true.
var sentences = map[string]string{
	"minLength": "It has at least %s characters.", "maxLength": "It has at most %s characters.",
	"minItems": "It has at least %s elements.", "maxItems": "It has at most %s elements.",
	"minProperties": "It has at least %s members.", "maxProperties": "It has at most %s members.",
	"exclusiveMinimum": "It is greater than %s.", "exclusiveMaximum": "It is less than %s.", "multipleOf": "It is a multiple of %s.",
	"default": "It is %s if it is left out.", "pattern": "It matches the regular expression %s.",
}

var flags = map[string]string{
	"uniqueItems": "No two elements are equal.", "deprecated": "It is deprecated.", "readOnly": "Callers do not send it.", "writeOnly": "It is never shown.",
}

// sentence says what a keyword does, or "" if there is nothing to say.
func sentence(m member) string {
	if format, ok := sentences[m.name]; ok {
		return fmt.Sprintf(format, m.value)
	}
	switch m.name {
	case "contentEncoding", "contentMediaType":
		return "It is " + textOf(m.value) + "."
	case "x-unit":
		return "Its unit is " + textOf(m.value) + "."
	case "examples":
		var all []string
		for _, each := range readArray(m.value) {
			all = append(all, string(each))
		}
		if len(all) > 0 {
			return "For example " + strings.Join(all, " or ") + "."
		}
	}
	if string(m.value) == "true" {
		return flags[m.name]
	}
	return ""
}

func textOf(value jsontext.Value) string {
	content, _ := readString(value)
	return content
}

// inclusive returns the bound that says of integers what one that is exclusive does; "" if there is none.
func inclusive(s object, m member) (string, jsontext.Value) {
	n, err := strconv.ParseInt(string(m.value), 10, 64)
	if err != nil || !slices.Equal(kindsOf(s), []string{"integer"}) {
		return "", nil
	}
	if m.name == "exclusiveMinimum" && n+1 > n {
		return "minimum", strconv.AppendInt(nil, n+1, 10)
	}
	if m.name == "exclusiveMaximum" && n-1 < n {
		return "maximum", strconv.AppendInt(nil, n-1, 10)
	}
	return "", nil
}
