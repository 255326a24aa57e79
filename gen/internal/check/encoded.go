package check

import (
	"slices"

	"github.com/capgen/capgen/gen/internal/directive"
	"github.com/capgen/capgen/gen/internal/model"
)

// checkEncoded refuses constraints on values that are not sent as what they are in Go: under the json option string, or by methods
// of their own.
func (c *checker) checkEncoded(f *model.Field) bool {
	why := ""
	switch {
	case f.Quoted:
		why = "which the json option string puts inside a string: remove that option, or the constraint"
	case f.Type.Kind == model.Foreign:
		why = "whose JSON form was declared for its type: write it in the declared schema"
	default:
		return true
	}
	good := true
	for _, k := range f.Keywords {
		if f.Quoted && k.Name == "unit" {
			continue // a number counts the same inside a string
		}
		spec, _ := directive.LookupKeyword(k.Name)
		if !slices.Contains(spec.Kinds, directive.Any) || k.Name == "default" || k.Name == "example" {
			c.report.Errorf(k.Position, "%s does not apply to %s, %s", k.Name, f.GoName, why)
			good = false
		}
	}
	return good
}
