package emit

import (
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/capgen/capgen/gen/internal/model"
)

// asserted are the keywords that a value can break and that neither Go's types nor the loops above hold it to already.
var asserted = map[string]bool{
	"enum": true, "minimum": true, "maximum": true, "exclusiveMinimum": true, "exclusiveMaximum": true, "multipleOf": true,
	"minLength": true, "maxLength": true, "pattern": true, "minItems": true, "maxItems": true, "minProperties": true, "maxProperties": true,
}

// constraints returns what a check has to hold a value to, or nothing when all that there is are the bounds of the Go type.
func constraints(t *model.Type, keywords []model.Keyword) []model.Keyword {
	isAsserted := func(k model.Keyword) bool { return asserted[k.Name] }
	if len(t.Enum) == 0 && !slices.ContainsFunc(t.Keywords, isAsserted) && !slices.ContainsFunc(keywords, isAsserted) &&
		(t.Kind != model.List || t.Len < 0) {
		return nil
	}
	return slices.DeleteFunc(t.Constraints(keywords), func(k model.Keyword) bool {
		return !asserted[k.Name] || t.Kind == model.Integer && alwaysHolds(t, k)
	})
}

func counted(keywords []model.Keyword) bool {
	return slices.ContainsFunc(keywords, func(k model.Keyword) bool {
		return slices.Contains([]string{"minItems", "maxItems", "minProperties", "maxProperties"}, k.Name)
	})
}

func unique(keywords []model.Keyword) bool {
	return slices.ContainsFunc(keywords, func(k model.Keyword) bool { return k.Name == "uniqueItems" && k.JSON == "true" })
}

// callCheck has a value checked, if anything constrains it: the value itself, a number's text, or how many items or members there
// are. The function is the type's own where the field adds nothing.
func (f *functions) callCheck(g *jen.Group, codecVar string, t *model.Type, keywords []model.Keyword, owner string, value *jen.Statement) {
	all := constraints(t, keywords)
	if len(all) == 0 {
		return
	}
	owner = f.constrainedBy(t, keywords, owner)
	if isEnum(t, all) {
		g.Add(f.enum(all[0], owner)).Dot("Check").Call(jen.Op("&").Id(codecVar).Dot("Report"), value)
		return
	}
	name := f.name("check", owner, func(name string) {
		pattern := ""
		if k := find(all, "pattern"); k != nil {
			pattern = f.name("patternOf", owner, func(name string) {
				f.file.Line().Var().Id(name).Op("=").Add(codec("NewPattern")).Call(rawLit(k.Text))
			})
		}
		f.file.Line().Func().Id(name).Params(jen.Id("r").Op("*").Add(codec("Report")), jen.Id("x").Add(checkedType(t))).
			BlockFunc(func(g *jen.Group) { emitChecks(g, pattern, t, all) })
	})
	g.Id(name).Call(jen.Op("&").Id(codecVar).Dot("Report"), value)
}

// constrainedBy names what has the constraints of a value: its owner, or the type itself where the owner adds nothing.
func (f *functions) constrainedBy(t *model.Type, keywords []model.Keyword, owner string) string {
	if t.Name != "" && !slices.ContainsFunc(keywords, func(k model.Keyword) bool { return asserted[k.Name] }) {
		return f.purpose(t)
	}
	return owner
}

// isEnum reports whether all that constrains a value is that it is one of some strings. The codec has a type of its own for that: of such a
// string nothing need be copied.
func isEnum(t *model.Type, all []model.Keyword) bool {
	return t.Kind == model.String && len(all) == 1 && all[0].Name == "enum"
}

// enum returns the variable that holds an enum.
func (f *functions) enum(k model.Keyword, owner string) *jen.Statement {
	return jen.Id(f.name("enumOf", owner, func(name string) {
		f.file.Line().Var().Id(name).Op("=").Add(codec("NewEnum")).Call(literals(k.List)...)
	}))
}

// checkedType is what a check function takes: the value, a number's text, or a count.
func checkedType(t *model.Type) *jen.Statement {
	switch t.Kind {
	case model.Number, model.JSONNumber:
		return jen.Index().Byte()
	case model.List, model.Map, model.Struct:
		return jen.Int()
	}
	return jen.Id(basicGo(t))
}

func emitChecks(g *jen.Group, pattern string, t *model.Type, all []model.Keyword) {
	for _, pair := range [][3]string{{"minLength", "maxLength", "Length"}, {"minItems", "maxItems", "Items"}, {"minProperties", "maxProperties", "Properties"}} {
		low, high := find(all, pair[0]), find(all, pair[1])
		if low != nil || high != nil {
			g.Id("r").Dot(pair[2]).Call(jen.Id("x"), countLit(low, "0"), countLit(high, "-1"))
		}
	}
	for i := 0; i < len(all); i++ {
		k := all[i]
		switch k.Name {
		case "pattern":
			g.Id(pattern).Dot("Check").Call(jen.Id("r"), jen.Id("x"))
		case "enum":
			emitEnum(g, t, k)
		case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
			if bounds := plainBounds(t, all[i:]); bounds > 0 {
				emitBounds(g, all[i:i+bounds])
				i += bounds - 1
				continue
			}
			g.If(breaks(t, k)).Block(jen.Id("r").Dot("Refuse").Call(jen.Lit(k.Name), jen.Lit(k.JSON)))
		}
	}
}

func countLit(k *model.Keyword, none string) *jen.Statement {
	if k != nil {
		none = k.Text
	}
	return jen.Id(none)
}

// emitEnum writes a switch over the values, or for numbers a comparison of their texts.
func emitEnum(g *jen.Group, t *model.Type, k model.Keyword) {
	refuse := jen.Id("r").Dot("RefuseEnum").Call(literals(k.List)...)
	if t.Kind == model.Number || t.Kind == model.JSONNumber {
		args := []jen.Code{jen.Id("x")}
		for _, text := range k.List {
			args = append(args, jen.Lit(text))
		}
		g.If(jen.Op("!").Add(codec("OneOf")).Call(args...)).Block(refuse)
		return
	}
	var values []jen.Code
	for _, text := range k.List {
		values = append(values, jen.Id(goLiteral(t, text)))
	}
	g.Switch(jen.Id("x")).Block(jen.Case(values...), jen.Default().Block(refuse))
}

// goLiteral writes a JSON scalar as Go.
func goLiteral(t *model.Type, text string) string {
	if t.Kind == model.String {
		return quoteGo(text)
	}
	return integerLit(text)
}

func literals(texts []string) []jen.Code {
	list := make([]jen.Code, len(texts))
	for i, text := range texts {
		list[i] = rawLit(text)
	}
	return list
}

// breaks writes the condition under which a number breaks a bound.
func breaks(t *model.Type, k model.Keyword) *jen.Statement {
	if t.Kind == model.Integer {
		return integerBreaks(t, k)
	}
	if k.Name == "multipleOf" {
		return jen.Op("!").Add(codec("MultipleOf")).Call(jen.Id("x"), jen.Lit(k.JSON))
	}
	operator := map[string]string{"minimum": "<", "maximum": ">", "exclusiveMinimum": "<=", "exclusiveMaximum": ">="}[k.Name]
	return codec("Compare").Call(jen.Id("x"), jen.Lit(k.JSON)).Op(operator).Lit(0)
}

func find(all []model.Keyword, name string) *model.Keyword {
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	return nil
}

// rawLit writes a string so that a person can read it: in backquotes where they can hold it.
func rawLit(text string) *jen.Statement {
	if strconv.CanBackquote(text) {
		return jen.Id("`" + text + "`")
	}
	return jen.Lit(text)
}
