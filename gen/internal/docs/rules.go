package docs

import (
	"github.com/capgen/capgen/gen/internal/model"
)

// phrase is how a keyword is said: the text before its value and the one after it.
type phrase struct{ before, after string }

var phrases = map[string]phrase{
	"minLength":        {"length at least ", ""},
	"maxLength":        {"length at most ", ""},
	"pattern":          {"matches ", ""},
	"minimum":          {"at least ", ""},
	"maximum":          {"at most ", ""},
	"exclusiveMinimum": {"greater than ", ""},
	"exclusiveMaximum": {"less than ", ""},
	"multipleOf":       {"a multiple of ", ""},
	"minItems":         {"elements: at least ", ""},
	"maxItems":         {"elements: at most ", ""},
	"minProperties":    {"members: at least ", ""},
	"maxProperties":    {"members: at most ", ""},
	"default":          {"default ", ""},
	"format":           {"format ", ""},
	"title":            {"called ", ""},
	"example":          {"example ", ""},
	"x-mcp-header":     {"clients send it in the header ", " too"},
	"unit":             {"in ", ""},
}

// flags are the keywords that are true or false, as they are said when they are true.
var flags = map[string]string{
	"uniqueItems":          "no element twice",
	"additionalProperties": "other members are admitted",
	"deprecated":           "deprecated",
	"readOnly":             "set by the service, not by callers",
	"writeOnly":            "never shown by the service",
}

// bare are the keywords whose value is text, which is shown without the quotes of JSON.
var bare = map[string]bool{"pattern": true, "format": true, "title": true, "unit": true}

// rules say what must hold for a type where a field with these keywords uses it, and for what it holds.
func (s *shaper) rules(t *model.Type, field []model.Keyword) []Line {
	lines := s.phrases(t.Constraints(field))
	part := func(label string, t *model.Type) {
		if t == nil || hasTable(t) {
			return
		}
		for _, rule := range s.rules(t, nil) { // whose examples are in those of the whole
			if rule[0].Text == phrases["example"].before {
				continue
			}
			lines = append(lines, append(Line{plain(label)}, rule...))
		}
	}
	switch t.Kind {
	case model.List:
		part("each: ", t.Elem)
	case model.Map:
		part("each name: ", t.Key)
		part("each value: ", t.Elem)
	}
	return lines
}

// phrases say keywords in words.
func (s *shaper) phrases(keywords []model.Keyword) []Line {
	var lines []Line
	for _, k := range keywords {
		if line := s.phrase(k); line != nil {
			lines = append(lines, line)
		}
	}
	return lines
}

func (s *shaper) phrase(k model.Keyword) Line {
	if said, is := flags[k.Name]; is {
		if k.Text != "true" {
			return nil
		}
		return Line{plain(said)}
	}
	if k.Name == "enum" {
		return oneOf(k.List)
	}
	said, known := phrases[k.Name]
	if !known || k.Name == "x-mcp-header" && !s.input {
		return nil
	}
	value := k.JSON
	switch {
	case k.Name == "x-mcp-header":
		value = "Mcp-Param-" + k.Text
	case bare[k.Name]:
		value = k.Text
	}
	line := Line{plain(said.before), code(value)}
	if said.after != "" {
		line = append(line, plain(said.after))
	}
	return line
}

func oneOf(values []string) Line {
	line := Line{plain("one of ")}
	for i, value := range values {
		if i > 0 {
			line = append(line, plain(", "))
		}
		line = append(line, code(value))
	}
	return line
}
