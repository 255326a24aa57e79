package resolve

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/gen/internal/directive"
	"github.com/capgen/capgen/gen/internal/model"
	"github.com/capgen/capgen/gen/internal/source"
)

// resolveDeclaration returns the capability that a type declares, nil for none, and whether nothing is wrong with it.
func (r *resolver) resolveDeclaration(target *source.Package, spec *ast.TypeSpec, directives []directive.Directive, namespace string) (*model.Capability, bool) {
	at := directiveNamed(directives, "capability")
	if at == nil {
		return nil, false
	}
	parsed, good := directive.ParseCapability(*at, namespace, r.position, r.report)
	life, consistent := directive.ParseLifecycle(*at, directives, parsed.ID.Major, r.position, r.report)
	good = good && consistent
	structType := r.capabilityStruct(target, spec)
	if structType == nil {
		return nil, false
	}
	c := &model.Capability{
		GoName: spec.Name.Name, ID: parsed.ID, Risk: parsed.Risk, Access: capabilities.Access{Scopes: parsed.Scopes},
		Timeout: parsed.Timeout, Idempotent: parsed.Idempotent, OpenWorld: parsed.OpenWorld,
		Tool: parsed.Tool, IDPosition: r.position(parsed.IDPos), ToolPosition: r.position(parsed.ToolPos),
		Position:   r.position(spec.Name.Pos()),
		Deprecated: life.Deprecated, Removed: life.Removed, Migrates: life.Migrates, ReviewedBy: life.ReviewedBy,
	}
	if c.Tool == "" {
		c.Tool = capabilities.ToolName(c.ID)
	}
	r.describe(c, target, spec, directives)
	if c.Removed != "" {
		return c, good // whatever the struct holds is no part of it any more
	}
	return c, r.resolveTypes(c, target, spec, structType) && good
}

func directiveNamed(directives []directive.Directive, name string) *directive.Directive {
	for i := range directives {
		if directives[i].Name == name {
			return &directives[i]
		}
	}
	return nil
}

// describe reads the declaration's texts.
func (r *resolver) describe(c *model.Capability, target *source.Package, spec *ast.TypeSpec, directives []directive.Directive) {
	c.Description = docText(specDoc(target, spec))
	if c.Description == "" {
		r.report.Errorf(r.position(spec.Name.Pos()), "%s has no doc comment, and agents choose a tool by it: say above the type what the capability does and when to use it", spec.Name.Name)
	}
	if c.Deprecated == "" && c.Removed == "" {
		c.Deprecated = deprecation(c.Description)
	}
	if title := directiveNamed(directives, "title"); title != nil {
		c.Title = title.Text
	}
}

// deprecation returns the text of a doc comment's Deprecated paragraph, or "".
func deprecation(doc string) string {
	for paragraph := range strings.SplitSeq(doc, "\n\n") {
		if note, ok := strings.CutPrefix(paragraph, "Deprecated: "); ok {
			return note
		}
	}
	return ""
}

// capabilityStruct checks that a type can be a capability and returns its struct.
func (r *resolver) capabilityStruct(target *source.Package, spec *ast.TypeSpec) *types.Struct {
	name := r.position(spec.Name.Pos())
	obj, _ := target.Info.Defs[spec.Name].(*types.TypeName)
	if obj == nil || spec.Name.Name == "_" {
		return nil
	}
	structType, ok := obj.Type().Underlying().(*types.Struct)
	if !ok {
		r.report.Errorf(name, "%s is not a struct: a capability's fields are its input, so write type %s struct { … }", spec.Name.Name, spec.Name.Name)
		return nil
	}
	return structType
}

// resolveTypes finds the marker and resolves input and output.
func (r *resolver) resolveTypes(c *model.Capability, target *source.Package, spec *ast.TypeSpec, structType *types.Struct) bool {
	marker, good := r.findMarker(target, spec, structType)
	good = r.checkOwnNames(target, spec, structType) && good
	obj := target.Info.Defs[spec.Name].(*types.TypeName)
	at := func(step string, pos token.Pos) place {
		return place{path: spec.Name.Name + step}.moved(r.position(pos))
	}
	c.Input = r.structOf(obj.Type(), at("", spec.Name.Pos()))
	if !good {
		return false
	}
	out := marker.output
	if nothing, is := namedAs(out, "Nothing"); is {
		out = nothing // under whatever alias
	}
	c.Out = r.exprOf(out)
	result := at("'s result", marker.outputPos)
	c.OutputPosition = result.pos
	c.Output, _ = r.valueOf(out, marker.outputSyntax, result)
	if c.Input == nil || c.Output == nil {
		return false
	}
	if hole := unwritable(c.Out, target.Path); hole != "" {
		r.report.Errorf(result.pos, "the result's type holds %s, which generated code cannot write: declare a type for it in this package", hole)
		return false
	}
	return true
}
