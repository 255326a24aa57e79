package emit

import (
	"encoding/json"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/capgen/capgen/gen/internal/model"
)

func (f *functions) emitWriter(name string, t *model.Type) {
	f.file.Line().Func().Id(name).
		Params(jen.Id("e").Op("*").Add(codec("Encoder")), jen.Id("v").Op("*").Add(typeExpr(t.Go))).
		BlockFunc(func(g *jen.Group) {
			switch v := pointed(jen.Id("v")); t.Kind {
			case model.Union:
				f.writeUnion(g, t)
			case model.List:
				f.writeList(g, t, nil, v, f.purpose(t))
			case model.Map:
				f.writeMap(g, t, nil, v, f.purpose(t))
			case model.Struct:
				if isLarge(t) {
					f.writeLarge(g, t, f.purpose(t))
					return
				}
				f.writeStruct(g, t, nil, v, f.purpose(t))
			}
		})
}

func (f *functions) writeStruct(g *jen.Group, t *model.Type, keywords []model.Keyword, v place, owner string) {
	g.If(jen.Id("e").Dot("Object").Call()).BlockFunc(func(g *jen.Group) {
		first := firstWritten(t, keywords)
		for i, field := range t.Fields {
			f.writeField(g, field, v, owner, i > first)
		}
		f.endCounted(g, "EndObject", t, keywords, owner)
	})
}

// firstWritten returns the number of the first field whose member is always written, so that a comma comes before all that follow. It
// is past them all where the members are counted, which only Name does.
func firstWritten(t *model.Type, keywords []model.Keyword) int {
	if !counted(t.Constraints(keywords)) {
		for i, field := range t.Fields {
			if v := pointed(jen.Id("v")); presence(field, v, v.field(field, false)) == nil {
				return i
			}
		}
	}
	return len(t.Fields)
}

// writeField writes one member, unless its options and value leave it out. Follows says that another one is always written before.
func (f *functions) writeField(g *jen.Group, field *model.Field, v place, owner string, follows bool) {
	from := v.field(field, false)
	if present := presence(field, v, from); present != nil {
		g.If(present).BlockFunc(func(g *jen.Group) { f.writeMember(g, field, from, owner, follows) })
		return
	}
	f.writeMember(g, field, from, owner, follows)
}

func (f *functions) writeMember(g *jen.Group, field *model.Field, from place, owner string, follows bool) {
	name := quoteJSON(field.Name) + ":"
	if follows {
		g.Id("e").Dot("Then").Call(rawLit("," + name))
	} else {
		g.Id("e").Dot("Name").Call(rawLit(name))
	}
	owner += "." + field.GoName
	switch {
	case field.Quoted && field.Nullable:
		g.If(from.value().Op("==").Nil()).Block(jen.Id("e").Dot("Null").Call()).Else().BlockFunc(func(g *jen.Group) { f.writeQuoted(g, field, from) })
	case field.Quoted:
		f.writeQuoted(g, field, from)
	case field.RefusesNull():
		f.writeValue(g, field.Type, field.Keywords, from, owner)
		g.Id("e").Dot("NotNull").Call()
	case !field.Pointer:
		f.writeValue(g, field.Type, field.Keywords, from, owner)
	case field.Nullable:
		g.If(from.value().Op("==").Nil()).Block(jen.Id("e").Dot("Null").Call()).Else().BlockFunc(func(g *jen.Group) {
			f.writeValue(g, field.Type, field.Keywords, from.target(false), owner)
		})
	default: // left out when nil
		f.writeValue(g, field.Type, field.Keywords, from.target(false), owner)
	}
}

// presence writes the condition under which a member is written, or returns nil for one that always is.
func presence(field *model.Field, v, from place) *jen.Statement {
	var conditions []*jen.Statement
	at := v.expr.Clone()
	for _, step := range field.Through {
		at = at.Dot(step.GoName)
		if step.Pointer {
			conditions = append(conditions, jen.Add(at).Op("!=").Nil())
		}
	}
	if field.OmitEmpty {
		if c := notEmpty(field, from); c != nil {
			conditions = append(conditions, c)
		}
	}
	if field.OmitZero {
		conditions = append(conditions, notZero(field, from))
	}
	if len(conditions) == 0 {
		return nil
	}
	all := conditions[0]
	for _, c := range conditions[1:] {
		all = all.Op("&&").Add(c)
	}
	return all
}

// notEmpty writes what omitempty asks; nil is for the types that are never empty.
func notEmpty(field *model.Field, from place) *jen.Statement {
	if field.Pointer {
		return from.value().Op("!=").Nil()
	}
	switch field.Type.GoKind() {
	case model.GoString:
		return from.value().Op("!=").Lit("")
	case model.GoBool:
		return from.value()
	case model.GoNumber:
		return from.value().Op("!=").Lit(0)
	case model.GoSlice, model.GoMap:
		return jen.Len(from.value()).Op("!=").Lit(0)
	case model.GoArray:
		if field.Type.Len == 0 {
			return jen.False()
		}
	case model.GoInterface:
		return from.value().Op("!=").Nil()
	}
	return nil
}

// notZero writes what omitzero asks.
func notZero(field *model.Field, from place) *jen.Statement {
	switch {
	case field.ZeroMethod && field.Pointer:
		return from.value().Op("!=").Nil().Op("&&").Op("!").Add(from.value()).Dot("IsZero").Call()
	case field.ZeroMethod:
		return jen.Op("!").Add(from.value()).Dot("IsZero").Call()
	case field.Pointer:
		return from.value().Op("!=").Nil()
	}
	switch field.Type.GoKind() {
	case model.GoString:
		return from.value().Op("!=").Lit("")
	case model.GoBool:
		return from.value()
	case model.GoNumber:
		return from.value().Op("!=").Lit(0)
	case model.GoSlice, model.GoMap, model.GoInterface:
		return from.value().Op("!=").Nil()
	}
	return jen.Op("!").Add(codec("IsZero")).Call(from.address())
}

// writeValue writes one value.
func (f *functions) writeValue(g *jen.Group, t *model.Type, keywords []model.Keyword, from place, owner string) {
	e := jen.Id("e")
	if f.ownFunction(t, keywords) && !counted(keywords) {
		g.Id(f.writer(t)).Call(e, from.address())
		return
	}
	switch t.Kind {
	case model.Struct:
		f.writeStruct(g, t, keywords, from, owner)
	case model.List:
		f.writeList(g, t, keywords, from, owner)
	case model.Map:
		f.writeMap(g, t, keywords, from, owner)
	case model.Text:
		f.writeText(g, t, keywords, from, owner)
	case model.Foreign:
		g.Add(e).Dot("Foreign").Call(from.address(), f.declaredSchema(t))
	case model.Interface, model.Any:
		g.Add(e).Dot("Any").Call(from.value())
	case model.RawMessage:
		g.Add(e).Dot("Raw").Call(from.value())
	case model.Bytes:
		g.Add(codec("WriteBytes")).Call(e, from.value())
		f.callCheck(g, "e", t, keywords, owner, codec("Encoded").Call(from.value()))
	case model.Time:
		g.Add(e).Dot("Time").Call(from.value())
	default:
		f.writeScalar(g, t, keywords, from, owner)
	}
}

// writeText writes a value that encodes itself as a string.
func (f *functions) writeText(g *jen.Group, t *model.Type, keywords []model.Keyword, from place, owner string) {
	if t.WritesPlain {
		text := jen.String().Call(from.value())
		g.Id("e").Dot("String").Call(text)
		f.callCheck(g, "e", t, keywords, owner, text)
		return
	}
	call := jen.Id("e").Dot("Text").Call(from.value())
	if len(constraints(t, keywords)) == 0 {
		g.Add(call)
		return
	}
	f.callCheck(g, "e", t, keywords, owner, call)
}

func (f *functions) writeScalar(g *jen.Group, t *model.Type, keywords []model.Keyword, from place, owner string) {
	plain := from.value()
	if name := basicGo(t); name != "" && (t.Go.Package != "" || t.Go.Name != name) {
		plain = jen.Id(name).Call(from.value())
	}
	method, _ := scalarMethod(t)
	call := jen.Id("e").Dot(method)
	if t.Kind == model.Number {
		call = call.Call(plain, jen.Lit(t.Bits))
	} else {
		call = call.Call(plain)
	}
	checked := plain
	if t.Kind == model.Number || t.Kind == model.JSONNumber {
		if len(constraints(t, keywords)) > 0 {
			f.callCheck(g, "e", t, keywords, owner, call)
			return
		}
	}
	g.Add(call)
	f.callCheck(g, "e", t, keywords, owner, checked)
}

// writeQuoted writes a value under the json option string.
func (f *functions) writeQuoted(g *jen.Group, field *model.Field, from place) {
	if field.Pointer {
		from = from.target(false)
	}
	method, _ := scalarMethod(field.Type)
	args := []jen.Code{jen.Id(basicGo(field.Type)).Call(from.value())}
	if field.Type.Kind == model.Number {
		args = append(args, jen.Lit(field.Type.Bits))
	}
	g.Id("e").Dot("Quoted" + method).Call(args...)
}

// quoteJSON writes a name as encoding/json does.
func quoteJSON(name string) string {
	text, _ := json.Marshal(name) // a string always has a JSON form
	return strings.TrimSpace(string(text))
}
