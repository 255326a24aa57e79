package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/capgen/capgen/gen/internal/model"
)

func (f *functions) emitReader(name string, t *model.Type, open bool) {
	f.file.Line().Func().Id(name).
		Params(jen.Id("d").Op("*").Add(codec("Decoder")), jen.Id("v").Op("*").Add(typeExpr(t.Go))).
		BlockFunc(func(g *jen.Group) {
			switch v := pointed(jen.Id("v")); t.Kind {
			case model.Union:
				f.readUnion(g, t)
			case model.List:
				f.readList(g, t, nil, v, f.purpose(t))
			case model.Map:
				f.readMap(g, t, nil, v, f.purpose(t))
			case model.Struct:
				if isLarge(t) {
					f.readLarge(g, t, open, f.purpose(t))
					return
				}
				f.readStruct(g, t, open, v, f.purpose(t))
			}
		})
}

// readStruct writes the loop over an object's members, and what is to be said of those that are absent.
func (f *functions) readStruct(g *jen.Group, t *model.Type, open bool, v place, owner string) {
	names := make([]jen.Code, len(t.Fields))
	for i, field := range t.Fields {
		names[i] = jen.Lit(field.Name)
	}
	g.If(jen.Id("d").Dot("Object").Call()).BlockFunc(func(g *jen.Group) {
		// What a pointer points at is there even if none of its members is.
		switch {
		case v.made && len(t.Fields) == 0:
			g.Add(v.address())
		case v.made:
			local, end := f.nest()
			defer end()
			g.Add(local("p")).Op(":=").Add(v.address())
			v = pointed(local("p"))
		}
		if len(t.Fields) > 0 {
			g.Var().Id("seen").Index(jen.Lit((len(t.Fields) + 63) / 64)).Uint64()
		}
		g.For(jen.Id("d").Dot("Next").Call()).Block(
			jen.Switch(jen.String().Call(jen.Id("d").Dot("Name").Call())).BlockFunc(func(g *jen.Group) {
				for i, field := range t.Fields {
					g.Case(jen.Lit(field.Name)).BlockFunc(func(g *jen.Group) {
						g.Id("d").Dot("Once").Call(jen.Id("seen").Index(jen.Op(":")), jen.Lit(i))
						f.readField(g, field, v, owner)
					})
				}
				unknown := "Unknown"
				if open {
					unknown = "Extra"
				}
				g.Default().Block(jen.Id("d").Dot(unknown).Call(names...))
			}),
		)
		f.requireMembers(g, t)
		f.applyDefaults(g, t, 0, len(t.Fields), v, owner)
		f.callCheck(g, "d", t, t.Keywords, owner, jen.Id("d").Dot("Count").Call())
	})
}

// requireMembers reports what is missing. One comparison tells that nothing is.
func (f *functions) requireMembers(g *jen.Group, t *model.Type) {
	masks := requiredMasks(t)
	names := []jen.Code{jen.Id("seen").Index(jen.Op(":"))}
	last := 0
	for _, field := range t.Fields {
		name := ""
		if !field.Optional() {
			name = field.Name
			last = len(names) + 1
		}
		names = append(names, jen.Lit(name))
	}
	if last == 0 {
		return
	}
	var missing *jen.Statement
	for i, mask := range masks {
		if mask == 0 {
			continue
		}
		word := jen.Id("seen").Index(jen.Lit(i)).Op("&").Id(fmt.Sprintf("%#x", mask)).Op("!=").Id(fmt.Sprintf("%#x", mask))
		if missing == nil {
			missing = word
		} else {
			missing = missing.Op("||").Add(word)
		}
	}
	g.If(missing).Block(jen.Id("d").Dot("Require").Call(names[:last]...))
}

// requiredMasks returns the bits of the members that must be there.
func requiredMasks(t *model.Type) []uint64 {
	masks := make([]uint64, (len(t.Fields)+63)/64)
	for i, field := range t.Fields {
		if !field.Optional() {
			masks[i/64] |= 1 << (i % 64)
		}
	}
	return masks
}

// applyDefaults sets the fields of a range whose members are absent.
func (f *functions) applyDefaults(g *jen.Group, t *model.Type, from, to int, v place, owner string) {
	for i := from; i < to; i++ {
		field := t.Fields[i]
		k := field.Keyword("default")
		if k == nil || f.results {
			continue
		}
		g.If(jen.Op("!").Add(codec("Seen").Call(jen.Id("seen").Index(jen.Op(":")), jen.Lit(i)))).BlockFunc(func(g *jen.Group) {
			f.setDefault(g, field, k.JSON, v.field(field, true), owner)
		})
	}
}

// setDefault sets a scalar, and has anything else read from the default's own text by the code that reads the field.
func (f *functions) setDefault(g *jen.Group, field *model.Field, text string, into place, owner string) {
	if field.Pointer {
		into = into.target(true)
	}
	switch field.Type.Kind {
	case model.String, model.Bool, model.Integer, model.Number:
		g.Add(into.value()).Op("=").Id(goLiteral(field.Type, text))
		return
	}
	g.Id("d").Dot("Default").Call(jen.Lit(text), jen.Func().Params(jen.Id("d").Op("*").Add(codec("Decoder"))).BlockFunc(func(g *jen.Group) {
		f.readValue(g, field.Type, field.Keywords, into, owner+"."+field.GoName)
	}))
}

func (f *functions) readField(g *jen.Group, field *model.Field, v place, owner string) {
	into := v.field(field, true)
	owner += "." + field.GoName
	switch {
	case field.Quoted && field.Nullable:
		g.If(jen.Op("!").Id("d").Dot("Null").Call()).BlockFunc(func(g *jen.Group) { f.readQuoted(g, field, into) })
	case field.Quoted:
		f.readQuoted(g, field, into)
	case field.RefusesNull():
		g.If(jen.Id("d").Dot("Null").Call()).Block(jen.Id("d").Dot("RefuseNull").Call()).Else().BlockFunc(func(g *jen.Group) {
			f.readValue(g, field.Type, field.Keywords, into, owner)
		})
	case field.Nullable:
		g.If(jen.Op("!").Id("d").Dot("Null").Call()).BlockFunc(func(g *jen.Group) {
			f.readValue(g, field.Type, field.Keywords, into.target(true), owner)
		})
	case field.Pointer:
		f.readValue(g, field.Type, field.Keywords, into.target(true), owner)
	default:
		f.readValue(g, field.Type, field.Keywords, into, owner)
	}
}

// readValue reads one value into a place. Owner names the place, for the functions that check it.
func (f *functions) readValue(g *jen.Group, t *model.Type, keywords []model.Keyword, into place, owner string) {
	if f.ownFunction(t, keywords) {
		g.Id(f.reader(t, t.Kind == model.Struct && f.admitsMore(t, keywords))).Call(jen.Id("d"), into.address())
		if counted(keywords) {
			f.callCheck(g, "d", t, keywords, owner, jen.Id("d").Dot("Count").Call())
		}
		return
	}
	switch t.Kind {
	case model.Struct:
		f.readStruct(g, t, f.admitsMore(t, keywords), into, owner)
	case model.List:
		f.readList(g, t, keywords, into, owner)
	case model.Map:
		f.readMap(g, t, keywords, into, owner)
	case model.Text:
		f.readText(g, t, keywords, into, owner)
	case model.Bytes:
		g.If(jen.List(jen.Id("x"), jen.Id("ok")).Op(":=").Id("d").Dot("Bytes").Call(), jen.Id("ok")).BlockFunc(func(g *jen.Group) {
			f.callCheck(g, "d", t, keywords, owner, codec("Encoded").Call(jen.Id("x")))
			if t.NamedBytes {
				g.Add(codec("SetBytes")).Call(into.address(), jen.Id("x"))
			} else {
				g.Add(into.value()).Op("=").Add(f.converted(t, jen.Id("x")))
			}
		})
	case model.Foreign:
		g.Id("d").Dot("Foreign").Call(into.address(), f.declaredSchema(t), jen.Lit(t.Format()))
	default:
		f.readScalar(g, t, keywords, into, owner)
	}
}

// readScalar reads a value that one method returns.
func (f *functions) readScalar(g *jen.Group, t *model.Type, keywords []model.Keyword, into place, owner string) {
	checks := constraints(t, keywords)
	if isEnum(t, checks) {
		value := jen.Id("d").Dot("Enum").Call(f.enum(checks[0], f.constrainedBy(t, keywords, owner)))
		g.If(jen.List(jen.Id("x"), jen.Id("ok")).Op(":=").Add(value), jen.Id("ok")).Block(into.value().Op("=").Add(f.converted(t, jen.Id("x"))))
		return
	}
	method, results := scalarMethod(t)
	if t.Kind == model.Number {
		text := "_"
		if len(checks) > 0 {
			text = "text"
		}
		results = append(results, jen.Id(text))
	}
	var bits []jen.Code
	switch {
	case t.Kind == model.Number, t.Kind == model.Integer && len(checks) == 0:
		bits = append(bits, jen.Lit(t.Bits))
	case t.Kind == model.Integer: // the check knows the type's own bounds
		bits = append(bits, jen.Lit(64))
	}
	g.If(jen.List(append(results, jen.Id("ok"))...).Op(":=").Id("d").Dot(method).Call(bits...), jen.Id("ok")).BlockFunc(func(g *jen.Group) {
		checked := jen.Id("x")
		if t.Kind == model.Number {
			checked = jen.Id("text")
		}
		f.callCheck(g, "d", t, keywords, owner, checked)
		g.Add(into.value()).Op("=").Add(f.converted(t, jen.Id("x")))
	})
}

// readText reads a value that decodes itself from a string.
func (f *functions) readText(g *jen.Group, t *model.Type, keywords []model.Keyword, into place, owner string) {
	call := jen.Id("d").Dot("Text").Call(into.address(), jen.Lit(t.Format()))
	if len(constraints(t, keywords)) == 0 {
		g.Add(call)
		return
	}
	g.If(jen.List(jen.Id("x"), jen.Id("ok")).Op(":=").Add(call), jen.Id("ok")).BlockFunc(func(g *jen.Group) {
		f.callCheck(g, "d", t, keywords, owner, jen.Id("x"))
	})
}

// scalarMethod returns the decoder's method for a kind, and the names of what it returns beside ok.
func scalarMethod(t *model.Type) (method string, results []jen.Code) {
	x := []jen.Code{jen.Id("x")}
	switch t.Kind {
	case model.String:
		return "String", x
	case model.Bool:
		return "Bool", x
	case model.Integer:
		if t.Unsigned {
			return "Uint", x
		}
		return "Int", x
	case model.Number:
		return "Float", x
	case model.JSONNumber:
		return "Number", x
	case model.Any:
		return "Any", x
	case model.RawMessage:
		return "RawMessage", x
	}
	return "Time", x
}

// basicGo returns the Go type that the decoder returns for a kind.
func basicGo(t *model.Type) string {
	switch t.Kind {
	case model.String:
		return "string"
	case model.Bool:
		return "bool"
	case model.Integer:
		if t.Unsigned {
			return "uint64"
		}
		return "int64"
	case model.Number:
		return "float64"
	case model.Text, model.Bytes:
		return "string"
	}
	return ""
}

// converted writes a conversion to the type, unless the value is of it already.
func (f *functions) converted(t *model.Type, value *jen.Statement) *jen.Statement {
	if t.Go.Package == "" && (t.Go.Name == "" || t.Go.Name == basicGo(t)) || t.Kind == model.Time || t.Kind == model.RawMessage {
		return value
	}
	return f.typeExpr(t.Go).Call(value)
}

// readQuoted reads a value under the json option string.
func (f *functions) readQuoted(g *jen.Group, field *model.Field, into place) {
	if field.Pointer {
		into = into.target(true)
	}
	method, results := scalarMethod(field.Type)
	var bits []jen.Code
	if field.Type.Bits > 0 {
		bits = append(bits, jen.Lit(field.Type.Bits))
	}
	g.If(jen.List(append(results, jen.Id("ok"))...).Op(":=").Id("d").Dot("Quoted"+method).Call(bits...), jen.Id("ok")).
		Block(into.value().Op("=").Add(f.converted(field.Type, jen.Id("x"))))
}
