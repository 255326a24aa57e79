package check

import (
	"math/big"
	"slices"

	"github.com/capgen/capgen/gen/internal/directive"
	"github.com/capgen/capgen/gen/internal/model"
)

// checkKeywords checks the constraints on a type and writes their values as JSON. Name is the field's or the type's, for
// messages.
func (c *checker) checkKeywords(keywords []model.Keyword, t *model.Type, name string) {
	if t.Kind == model.Invalid {
		return // a part of a type that is reported
	}
	for i := range keywords {
		k := &keywords[i]
		spec, _ := directive.LookupKeyword(k.Name)
		kind := directive.Kind(t.Kind.JSONType())
		if !spec.Allows(kind) || t.Kind == model.Map && k.Name == "additionalProperties" {
			c.report.Errorf(k.Position, "%s does not apply to %s, which is %s: %s", k.Name, name, describe(t), instead(kind))
			continue
		}
		if t.Kind == model.List && t.Len >= 0 && (k.Name == "minItems" || k.Name == "maxItems") {
			c.report.Errorf(k.Position, "%s does not apply to %s, which is an array of exactly %d: remove it, or make it a slice", k.Name, name, t.Len)
			continue
		}
		c.setJSON(k, spec, t, name)
	}
	c.checkBounds(keywords, nil)
	c.checkRange(keywords, t)
}

func describe(t *model.Type) string {
	switch t.Kind.JSONType() {
	case "integer", "array", "object":
		return "an " + t.Kind.JSONType()
	}
	return "a " + t.Kind.JSONType()
}

// instead lists the constraints that a kind does take.
func instead(kind directive.Kind) string {
	var names []string
	for _, k := range directive.Keywords {
		if slices.Contains(k.Kinds, kind) {
			names = append(names, k.Name)
		}
	}
	if len(names) == 0 {
		return "remove it"
	}
	return "it can have " + join(names)
}

func join(names []string) string {
	text := ""
	for i, name := range names {
		switch {
		case i > 0 && i == len(names)-1:
			text += " and "
		case i > 0:
			text += ", "
		}
		text += name
	}
	return text
}

func (c *checker) checkPattern(k *model.Keyword) {
	if err := directive.CheckPattern(k.Text); err != nil {
		c.report.Errorf(k.ValuePosition, "the pattern %v", err)
		return
	}
	for _, doubt := range directive.DoubtsAbout(k.Text) {
		c.report.Warnf(k.ValuePosition, "the pattern %s", doubt)
	}
}

func (c *checker) setJSON(k *model.Keyword, spec directive.Keyword, t *model.Type, name string) {
	switch spec.Value {
	case directive.Expression:
		c.checkPattern(k)
		k.JSON = quoteJSON(k.Text)
	case directive.List:
		c.setEnum(k, t, name)
	case directive.Value:
		text, ok := valueJSON(t, k.Text)
		if !ok {
			c.report.Errorf(k.ValuePosition, "the %s of %s is not %s as JSON: %s", k.Name, name, describe(t), k.Text)
			return
		}
		k.JSON = text
	case directive.Text, directive.Header, directive.Symbol:
		k.JSON = quoteJSON(k.Text)
	default:
		k.JSON = k.Text
	}
	if k.Name == "multipleOf" {
		if n, ok := new(big.Rat).SetString(k.Text); ok && n.Sign() <= 0 {
			c.report.Errorf(k.ValuePosition, "multipleOf is %s and must be greater than 0", k.Text)
		}
	}
}

// setEnum reads an enum's values: a JSON array, or a list separated by commas.
func (c *checker) setEnum(k *model.Keyword, t *model.Type, name string) {
	texts, ok := enumTexts(k.Text)
	if !ok {
		c.report.Errorf(k.ValuePosition, "the enum of %s is not a JSON array: write [\"a\",\"b\"], or a,b", name)
		return
	}
	if len(texts) == 0 {
		c.report.Errorf(k.ValuePosition, "the enum of %s has no values: name at least one", name)
		return
	}
	for _, item := range texts {
		text, ok := item.text, item.isJSON
		if !item.isJSON {
			text, ok = valueJSON(t, item.text)
		}
		switch {
		case !ok || !fits(t, text):
			c.report.Errorf(k.ValuePosition, "the enum of %s holds %s, which is not %s", name, item.text, describe(t))
		case slices.ContainsFunc(k.List, func(other string) bool { return equal(other, text) }):
			c.report.Errorf(k.ValuePosition, "the enum of %s holds %s twice", name, item.text)
		case t.Enum != nil && !slices.ContainsFunc(t.Enum, func(other string) bool { return equal(other, text) }):
			c.report.Errorf(k.ValuePosition, "the enum of %s holds %s, which no constant of %s has", name, item.text, t.Short)
		default:
			k.List = append(k.List, text)
		}
	}
}
