package resolve

import (
	"go/ast"
	"go/token"
	"strconv"

	"github.com/capgen/capgen/gen/internal/directive"
	"github.com/capgen/capgen/gen/internal/model"
	"github.com/capgen/capgen/gen/internal/source"
)

// typeKeywords returns the constraints that a type's //capgen:schema gives.
func (r *resolver) typeKeywords(s syntax, spec *ast.TypeSpec) []model.Keyword {
	if d := directiveNamed(r.directivesOf(s.pkg, spec), "schema"); d != nil {
		return keywords(directive.KeywordArgs(*d), r.position)
	}
	return nil
}

// directivesOf returns the directives on a type of the main module.
func (r *resolver) directivesOf(pkg *source.Package, spec *ast.TypeSpec) []directive.Directive {
	for _, file := range pkg.Files {
		if file.FileStart <= spec.Pos() && spec.Pos() <= file.FileEnd {
			return r.directives(file).Types[spec]
		}
	}
	return nil
}

// keywords keeps the tags that are constraints.
func keywords(tags []directive.Tag, at func(token.Pos) token.Position) []model.Keyword {
	var found []model.Keyword
	for _, tag := range tags {
		if _, ok := directive.LookupKeyword(tag.Key); ok {
			found = append(found, model.Keyword{Name: tag.Key, Text: tag.Value, Position: at(tag.Pos), ValuePosition: at(tag.ValuePos)})
		}
	}
	return found
}

// fieldKeywords returns the constraints in a field's tag. Those on the types of other modules are not ours.
func (r *resolver) fieldKeywords(c candidate, at place) []model.Keyword {
	switch {
	case !r.isMain(c.field):
		return nil
	case c.syntax.Field != nil:
		return keywords(directive.ParseTag(c.syntax.Tag, r.position, r.report), r.position)
	}
	// The tag is known by its text alone, as that of an unnamed struct that is a generic type's argument.
	here := func(token.Pos) token.Position { return at.pos }
	return keywords(directive.ParseTag(&ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(c.text)}, here, r.report), here)
}

// refuseKeywords reports constraints on what is no property, which would be lost in silence.
func (r *resolver) refuseKeywords(c candidate, at place, why string) {
	for _, k := range r.fieldKeywords(c, at) {
		r.report.Errorf(k.Position, "%s constrains nothing here, since %s %s: remove it", k.Name, c.field.Name(), why)
	}
}
