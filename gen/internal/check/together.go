package check

import (
	"slices"

	"github.com/capgen/capgen/gen/internal/directive"
	"github.com/capgen/capgen/gen/internal/model"
)

// checkTogether holds a field's constraints against those of its type: one that both give would count once, and what they leave must be
// something.
func (c *checker) checkTogether(f *model.Field) {
	for i := range f.Keywords {
		own := &f.Keywords[i]
		theirs := find(f.Type.Keywords, own.Name)
		spec, _ := directive.LookupKeyword(own.Name)
		switch {
		case theirs == nil || slices.Contains(spec.Kinds, directive.Any):
		case own.Name == "enum":
			c.checkNarrows(own, theirs, f)
		default:
			c.report.Errorf(own.Position, "%s is what type %s says already: remove one of the two", own.Name, f.Type.Short)
		}
	}
	c.checkBounds(f.Keywords, f.Type.Keywords)
}

// checkNarrows refuses an enum that admits what that of the type does not.
func (c *checker) checkNarrows(own, theirs *model.Keyword, f *model.Field) {
	for _, text := range own.List {
		if !slices.ContainsFunc(theirs.List, func(other string) bool { return equal(other, text) }) {
			c.report.Errorf(own.ValuePosition, "the enum of %s holds %s, which that of type %s does not", f.GoName, text, f.Type.Short)
		}
	}
}

// checkDefault holds a default against the field's own schema, and asks for the option that makes a Go caller's zero value mean it.
func (c *checker) checkDefault(f *model.Field) {
	for _, k := range f.Keywords {
		if k.Name != "default" && k.Name != "example" || k.JSON == "" {
			continue
		}
		if !c.valid(f, k.JSON) {
			c.report.Errorf(k.ValuePosition, "the %s of %s, %s, is not a value that its own schema allows", k.Name, f.GoName, k.JSON)
		}
	}
	if !f.Has("default") || f.OmitZero || f.OmitEmpty {
		return
	}
	at, whose := f.Position, f.GoName
	if own := find(f.Keywords, "default"); own != nil {
		at = own.Position
	} else {
		whose = f.GoName + "'s type"
	}
	c.report.Errorf(at, "%s has a default, so its zero value must mean absent: write json:\"%s,omitzero\"", whose, f.Name)
}

// checkTypeDefault holds the default of a type against the type's own schema.
func (c *checker) checkTypeDefault(t *model.Type) {
	for _, k := range t.Keywords {
		if (k.Name == "default" || k.Name == "example") && k.JSON != "" && !c.valid(&model.Field{Type: t}, k.JSON) {
			c.report.Errorf(k.ValuePosition, "the %s of %s, %s, is not a value that its own schema allows", k.Name, t.Short, k.JSON)
		}
	}
}
