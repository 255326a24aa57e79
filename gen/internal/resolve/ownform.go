package resolve

import "go/types"

// ownMethods are the methods by which a type takes its JSON form into its own hands, in the order in which they count.
var ownMethods = []string{"MarshalJSONTo", "UnmarshalJSONFrom", "MarshalJSON", "UnmarshalJSON", "MarshalText", "AppendText", "UnmarshalText"}

// ownMethod returns such a method of a type, or "", and the path of embedded fields that leads to it: more than one step for a
// method that is promoted.
func ownMethod(t types.Type) (name string, index []int) {
	set := types.NewMethodSet(types.NewPointer(t))
	for _, name := range ownMethods {
		if method := set.Lookup(nil, name); method != nil {
			return name, method.Index()
		}
	}
	return "", nil
}

// refuseOwnForm reports a type whose JSON form is up to a method: at its use if the method is its own, else at the embedded field
// that promotes it.
func (r *resolver) refuseOwnForm(t types.Type, s syntax, at place) bool {
	method, index := ownMethod(t)
	structType, isStruct := t.Underlying().(*types.Struct)
	switch {
	case method == "":
		return false
	case len(index) > 1 && isStruct:
		c := candidate{field: structType.Field(index[0])}
		if fields := r.structSyntax(s); index[0] < len(fields) {
			c.syntax = fields[index[0]]
		}
		r.refusePromotion(c, method, at)
	default:
		r.refuse(at, "is a %s, which has its own %s, so its JSON form cannot be known from its fields: give the field a type of your own that says what is sent%s",
			types.TypeString(t, r.qualifier()), method, orDeclare(t, s))
	}
	return true
}

// orDeclare says how to declare the schema of a type, if it has a name: on the type itself where that is at hand.
func orDeclare(t types.Type, s syntax) string {
	named, ok := t.(*types.Named)
	switch {
	case !ok:
		return ""
	case s.main() && named.TypeArgs() == nil:
		return ", or declare its schema with //capgen:schema file=FILE above the type"
	}
	return ", or declare its schema with //capgen:schema type=" + types.TypeString(named, nil) + " file=FILE on the package clause"
}

// refusePromotion reports an embedded field that makes its own method that of the struct around it.
func (r *resolver) refusePromotion(c candidate, method string, at place) {
	r.refuse(r.at(c, at), "is embedded, so its %s would be that of the whole struct: give the field a name, as in %s %s",
		method, c.field.Name(), types.TypeString(c.field.Type(), r.qualifier()))
}
