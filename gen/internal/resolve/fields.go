package resolve

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/capgen/capgen/gen/internal/model"
)

// candidate is a field that may become a property, before the rules of embedding have chosen.
type candidate struct {
	name   string
	tagged bool
	index  []int
	field  *types.Var
	// text is the whole struct tag.
	text           string
	tag            jsonTag
	syntax         fieldSyntax
	through        []model.Step
	throughPointer bool
}

// structOf resolves a declaration's own struct. Unlike a named type below it, it is not shared.
func (r *resolver) structOf(t types.Type, at place) *model.Type {
	named := t.(*types.Named)
	s, spec := r.declared(named.Obj())
	if method, index := ownMethod(named); len(index) == 1 {
		r.refuse(at, "has a method %s of its own, so its fields are not what is sent: remove the method", method)
	} else if method != "" {
		r.refuseOwnForm(named, s, at)
	}
	resolved := r.structOfType(named.Underlying().(*types.Struct), s, at)
	resolved.Name, resolved.Short, resolved.Go = types.TypeString(named, nil), shortName(named), r.exprOf(named)
	if spec != nil {
		resolved.Keywords = r.typeKeywords(s, spec)
	}
	return resolved
}

// structOfType resolves a struct's properties by encoding/json's rules: names, tags, embedding and what hides what. A field with
// something wrong is left out, so that what is wrong with the others is told too.
func (r *resolver) structOfType(t *types.Struct, s syntax, at place) *model.Type {
	resolved := &model.Type{Kind: model.Struct}
	found := r.candidates(t, s, at)
	r.refuseTwins(found, at)
	for _, c := range dominant(found) {
		if field := r.fieldOf(c, at); field != nil {
			resolved.Fields = append(resolved.Fields, field)
		}
	}
	return resolved
}

// refuseTwins reports fields of one struct that ask for the same JSON name: encoding/json would leave out both in silence.
func (r *resolver) refuseTwins(found []candidate, at place) {
	first := map[string]candidate{}
	for _, c := range found {
		if len(c.index) > 1 {
			continue
		}
		if other, taken := first[c.name]; taken && other.tagged == c.tagged {
			r.refuse(r.at(c, at), "has the JSON name %q, which is that of %s too, so that encoding/json leaves out both: rename one", c.name, other.field.Name())
		}
		first[c.name] = c
	}
}

// embedded is a struct whose fields are still to be looked at.
type embedded struct {
	typ            types.Type
	structType     *types.Struct
	syntax         syntax
	index          []int
	through        []model.Step
	throughPointer bool
}

// candidates walks the struct and what it embeds, level by level, as encoding/json does.
func (r *resolver) candidates(t *types.Struct, s syntax, at place) []candidate {
	var found []candidate
	next := []embedded{{typ: t, structType: t, syntax: s}}
	visited := map[string]bool{}
	var times, nextTimes map[string]int
	for len(next) > 0 {
		current := next
		next, times, nextTimes = nil, nextTimes, map[string]int{}
		for _, e := range current {
			key := types.TypeString(e.typ, nil)
			if visited[key] {
				continue
			}
			visited[key] = true
			fields := r.structSyntax(e.syntax)
			for i := range e.structType.NumFields() {
				c := candidate{
					field: e.structType.Field(i), text: e.structType.Tag(i), tag: parseJSONTag(e.structType.Tag(i)),
					index: append(slices.Clone(e.index), i), through: e.through, throughPointer: e.throughPointer,
				}
				if i < len(fields) {
					c.syntax = fields[i]
				}
				inner, isInner := r.embeds(c, e, at)
				switch {
				case c.tag.ignored || !counts(c):
					r.refuseKeywords(c, at, "is not part of the JSON")
				case isInner:
					r.refuseKeywords(c, at, "is embedded, and its own fields take its place")
					inner.index = c.index
					k := types.TypeString(inner.typ, nil)
					if nextTimes[k]++; nextTimes[k] == 1 {
						next = append(next, inner)
					}
				default:
					c.name, c.tagged = c.tag.name, c.tag.name != ""
					if !c.tagged {
						c.name = c.field.Name()
					}
					found = append(found, c)
					// A struct that is embedded twice at one level hides its own fields.
					if times[key] > 1 {
						found = append(found, c)
					}
				}
			}
		}
	}
	return found
}

// counts reports whether encoding/json looks at a field at all.
func counts(c candidate) bool {
	if _, isMarker := namedAs(c.field.Type(), "Returns"); isMarker && c.field.Embedded() {
		return false
	}
	if c.field.Exported() {
		return true
	}
	if !c.field.Embedded() {
		return false
	}
	_, isStruct := deref(c.field.Type()).Underlying().(*types.Struct)
	return isStruct
}

// embeds reports whether a field's own fields are promoted, and returns what is to be looked at then.
func (r *resolver) embeds(c candidate, e embedded, at place) (embedded, bool) {
	if !c.field.Embedded() || c.tag.name != "" {
		return embedded{}, false
	}
	t := deref(c.field.Type())
	structType, ok := t.Underlying().(*types.Struct)
	if !ok || c.tag.ignored || !counts(c) {
		return embedded{}, false
	}
	_, pointer := types.Unalias(c.field.Type()).(*types.Pointer)
	if pointer && !c.field.Exported() {
		r.refuse(r.at(c, at), "is an embedded pointer to an unexported struct, which cannot be decoded: export the type or embed it by value")
		return embedded{}, false
	}
	inner := embedded{
		typ: t, structType: structType, throughPointer: e.throughPointer || pointer,
		through: append(slices.Clone(e.through), model.Step{GoName: c.field.Name(), Pointer: pointer}),
	}
	if named, ok := t.(*types.Named); ok {
		inner.syntax, _ = r.declared(named.Obj())
		// Two of them hide each other's method from the struct, and yet none has properties to give it.
		if method, _ := ownMethod(named); method != "" {
			r.refusePromotion(c, method, at)
		}
	}
	return inner, true
}

func deref(t types.Type) types.Type {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return t
}

// at returns a candidate's place.
func (r *resolver) at(c candidate, outer place) place {
	at := outer.below("." + c.field.Name())
	switch {
	case c.syntax.Field == nil || !c.syntax.pkg.Main:
		return at
	case c.syntax.Name != nil:
		return at.moved(r.position(c.syntax.Name.Pos()))
	}
	return at.moved(r.position(c.syntax.Type.Pos()))
}

// isMain reports whether a field is declared in the main module.
func (r *resolver) isMain(field *types.Var) bool {
	pkg := r.program.Syntax(field.Pkg().Path())
	return pkg != nil && pkg.Main
}

// dominant keeps, for each name, the one field that encoding/json writes: the least nested, a tagged one before an untagged, and
// none where two are alike.
func dominant(found []candidate) []candidate {
	byName := map[string][]candidate{}
	for _, c := range found {
		byName[c.name] = append(byName[c.name], c)
	}
	var chosen []candidate
	for _, rivals := range byName {
		slices.SortStableFunc(rivals, func(a, b candidate) int { return cmp.Or(len(a.index)-len(b.index), rank(a)-rank(b)) })
		if len(rivals) > 1 && len(rivals[0].index) == len(rivals[1].index) && rivals[0].tagged == rivals[1].tagged {
			continue
		}
		chosen = append(chosen, rivals[0])
	}
	slices.SortFunc(chosen, func(a, b candidate) int { return slices.Compare(a.index, b.index) })
	return chosen
}

func rank(c candidate) int {
	if c.tagged {
		return 0
	}
	return 1
}

// fieldOf resolves one property, or returns nil after a diagnostic.
func (r *resolver) fieldOf(c candidate, outer place) *model.Field {
	at := r.at(c, outer)
	f := &model.Field{
		Name: c.name, GoName: c.field.Name(), Position: at.pos,
		OmitEmpty: c.tag.omitEmpty, OmitZero: c.tag.omitZero, ThroughPointer: c.throughPointer,
		Through: c.through, ZeroMethod: c.tag.omitZero && hasIsZero(c.field.Type()), Own: r.isMain(c.field),
	}
	s := syntax{}
	if c.syntax.Field != nil {
		s = syntax{c.syntax.pkg, c.syntax.Type}
		f.Doc = c.syntax.doc()
		f.Deprecated = deprecation(f.Doc) != ""
	}
	f.Keywords = r.fieldKeywords(c, at)
	if f.Type, f.Pointer = r.valueOf(c.field.Type(), s, at); f.Type == nil {
		return nil
	}
	f.Nullable = f.Pointer && (!f.OmitEmpty && !f.OmitZero || f.Type.DeclaredNull)
	f.Quoted = c.tag.asString && quotable(f.Type)
	return f
}

// quotable reports whether the json option string has an effect: on strings, booleans and numbers that do not encode themselves.
func quotable(t *model.Type) bool {
	switch t.Kind {
	case model.String, model.Bool, model.Integer, model.Number:
		return true
	}
	return false
}

// hasIsZero reports whether omitzero asks the type itself: IsZero() bool is in its method set, or in that of its address.
func hasIsZero(t types.Type) bool {
	if _, pointer := types.Unalias(t).(*types.Pointer); !pointer {
		t = types.NewPointer(t)
	}
	method := types.NewMethodSet(t).Lookup(nil, "IsZero")
	if method == nil {
		return false
	}
	signature := method.Type().(*types.Signature)
	return signature.Params().Len() == 0 && signature.Results().Len() == 1 && types.Identical(signature.Results().At(0).Type(), types.Typ[types.Bool])
}

// jsonTag is a field's json struct tag.
type jsonTag struct {
	name                                   string
	ignored, omitEmpty, omitZero, asString bool
}

func parseJSONTag(tag string) jsonTag {
	text := reflect.StructTag(tag).Get("json")
	if text == "-" {
		return jsonTag{ignored: true}
	}
	name, options, _ := strings.Cut(text, ",")
	t := jsonTag{name: name}
	if !validName(name) {
		t.name = ""
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty":
			t.omitEmpty = true
		case "omitzero":
			t.omitZero = true
		case "string":
			t.asString = true
		}
	}
	return t
}

// validName reports whether encoding/json takes a tag's name; it falls back to the Go name otherwise.
func validName(name string) bool {
	for _, c := range name {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return name != ""
}
