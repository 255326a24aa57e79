package lint

import (
	"go/token"
	"strconv"

	"github.com/capgen/capgen/gen/internal/model"
	"github.com/capgen/capgen/mcptool"
)

// position returns the place in the declarations that a finding is about.
func position(c *model.Capability, f mcptool.Finding) token.Position {
	switch f.Part {
	case mcptool.TheName:
		return c.ToolPosition
	case mcptool.TheInput:
		p := place{at: c.Position, of: c.Input}
		p.follow(f.Path)
		return p.keyword(f.Keyword)
	}
	return c.Position
}

// place is where a path through a schema has led in the declarations.
type place struct {
	at token.Position
	// of is the type there, nil where the path has left what is declared, and field the field that has it, if one does.
	of    *model.Type
	field *model.Field
}

// follow goes on along a path, as far as it leads through declarations: not into a schema that somebody wrote.
func (p *place) follow(path []string) {
	for len(path) > 0 && p.of != nil {
		keyword := path[0]
		path = path[1:]
		switch keyword {
		case "items", "additionalProperties":
			p.enter(p.of.Elem)
		case "propertyNames":
			p.enter(p.of.Key)
		case "properties", "anyOf", "oneOf":
			if len(path) == 0 {
				return
			}
			p.choose(keyword, path[0])
			path = path[1:]
		default:
			p.of = nil
		}
	}
}

// choose goes on to a property, or to an alternative.
func (p *place) choose(keyword, name string) {
	switch {
	case keyword == "properties":
		p.property(name)
	case p.of.Kind == model.Union && keyword == "oneOf":
		if i, err := strconv.Atoi(name); err == nil && i < len(p.of.Variants) {
			p.enter(p.of.Variants[i].Type)
			p.move(p.of.Position)
		}
	case p.of.Kind == model.Foreign:
		p.of = nil // an alternative of a schema that somebody wrote
	}
	// Any other alternative is null, or what is nullable.
}

func (p *place) property(name string) {
	for _, f := range p.of.Fields {
		if f.Name == name {
			p.enter(f.Type)
			p.field = f
			p.move(f.Position)
			return
		}
	}
	p.of = nil // a union's discriminator, or a property of a schema that somebody wrote
}

func (p *place) enter(t *model.Type) { p.of, p.field = t, nil }

// move notes a position. Fields of other modules have none that anybody could change: what uses them has.
func (p *place) move(at token.Position) {
	if at.Filename != "" {
		p.at = at
	}
}

// keyword returns the position of a keyword of the field, or of its type's directive; else that of the place itself.
func (p *place) keyword(name string) token.Position {
	if name == "examples" {
		name = "example" // as annotations write it
	}
	if p.of == nil || name == "" {
		return p.at
	}
	if p.field != nil {
		if k := p.field.Keyword(name); k != nil && k.Position.Filename != "" {
			return k.Position
		}
	}
	for _, k := range p.of.Keywords {
		if k.Name == name && k.Position.Filename != "" {
			return k.Position
		}
	}
	return p.at
}
