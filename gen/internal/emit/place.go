package emit

import (
	"go/token"

	"github.com/dave/jennifer/jen"

	"github.com/capgen/capgen/gen/internal/model"
)

// place is a Go expression that a value is read into or written from: a variable, or what a pointer points at.
type place struct {
	expr    *jen.Statement
	pointer bool
	// made says that the expression makes what it points at.
	made bool
}

func variable(expr *jen.Statement) place { return place{expr: expr} }

func pointed(expr *jen.Statement) place { return place{expr: expr, pointer: true} }

// value writes the place as a value, or as what is assigned to.
func (p place) value() *jen.Statement {
	if p.pointer {
		return jen.Op("*").Add(p.expr)
	}
	return p.expr.Clone()
}

// address writes a pointer to the place.
func (p place) address() *jen.Statement {
	if p.pointer {
		return p.expr.Clone()
	}
	return jen.Op("&").Add(p.expr)
}

// operand writes the place so that an index can follow.
func (p place) operand() *jen.Statement {
	if p.pointer {
		return jen.Parens(jen.Op("*").Add(p.expr))
	}
	return p.expr.Clone()
}

// index writes an item of the list or map at the place.
func (p place) index(i *jen.Statement) place { return variable(p.operand().Index(i)) }

// field writes the way from a struct to one of its fields. Embedded pointers on the way are made where they are nil, when alloc is
// set.
func (p place) field(f *model.Field, alloc bool) place {
	at := p.expr.Clone()
	for _, step := range f.Through {
		at = at.Dot(step.GoName)
		if step.Pointer && alloc {
			at = codec("Alloc").Call(jen.Op("&").Add(at))
		}
	}
	return variable(at.Dot(f.GoName))
}

// target is what the pointer at the place points at; it is made where the pointer is nil, when alloc is set.
func (p place) target(alloc bool) place {
	if alloc {
		return place{codec("Alloc").Call(p.address()), true, true}
	}
	return pointed(p.operand())
}

// nameable reports whether code in a package can write a type.
func nameable(e model.Expr, pkg string) bool {
	switch e.Form {
	case model.Other:
		return false
	case model.Named:
		if e.Package != "" && e.Package != pkg && !token.IsExported(e.Name) {
			return false
		}
		for _, arg := range e.Args {
			if !nameable(arg, pkg) {
				return false
			}
		}
		return true
	}
	return (e.Key == nil || nameable(*e.Key, pkg)) && (e.Elem == nil || nameable(*e.Elem, pkg))
}
