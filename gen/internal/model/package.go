// Package model is what the generator knows of a program: plain data that every stage after Resolve works on. It holds no syntax
// trees and no checked types.
package model

import (
	"go/token"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/capgen/capgen/capabilities"
)

// Package is one Go package that declares capabilities.
type Package struct {
	Path string
	Name string
	// Dir is where the generated files go.
	Dir string
	// Capabilities are in the order of their IDs.
	Capabilities []*Capability
	// Removed are those that are gone, in the order of their IDs. There is nothing to them but their contracts: they have no types.
	Removed []*Capability
	// Misdeclared are those with something wrong that is reported. There is no more to them than their types, which may be nil.
	Misdeclared []*Capability
	// Handlers and Bind are the names of the generated interface and function.
	Handlers, Bind string
	// Pack is the name of the generated function of a pack, "" in a package that is none, and PackNamespace what it owns, which is written at
	// PackPosition.
	Pack, PackNamespace string
	PackPosition        token.Position
	// HandlersPosition and BindPosition are where the package renames them, if it does.
	HandlersPosition, BindPosition token.Position
	// Client says that a client is generated too.
	Client bool
	// DocsDir is the folder of the package's reference, an absolute path, or ""; DocsPatterns name the packages that it is of, in the place of
	// this one. DocsPosition is where the package says so.
	DocsDir      string
	DocsPatterns []string
	DocsPosition token.Position
	// Declared holds the names at package level that are the package's own, with their positions; Imported those that its files give
	// to imports, which no declaration of the package may have.
	Declared, Imported map[string]token.Position
}

// The names of what a client is made of.
const (
	ClientType        = "CapabilityClient"
	ClientConstructor = "New" + ClientType
	ClientCheck       = "CheckContracts" // its method beside those of the capabilities
)

// Taken returns where the package uses a name that it then cannot declare again, and whether it does.
func (p *Package) Taken(name string) (token.Position, bool) {
	if at, declared := p.Declared[name]; declared {
		return at, true
	}
	at, imported := p.Imported[name]
	return at, imported
}

// Capability is one declaration.
type Capability struct {
	// GoName is the struct's name.
	GoName      string
	ID          capabilities.ID
	Tool        string
	Title       string
	Description string
	// Deprecated says what to use instead of one that is still served, Removed instead of one that is gone; Migrates what the major changed
	// in meaning, and ReviewedBy who agreed to what Migrates or Removed says.
	Deprecated, Removed  string
	Migrates, ReviewedBy string
	Risk                 capabilities.Risk
	Access               capabilities.Access
	Timeout              time.Duration
	Idempotent           bool
	OpenWorld            bool
	// Input is the struct, without its marker.
	Input *Type
	// Output is the marker's type; a pointer was already followed.
	Output *Type
	// Out is how Go code writes the marker's type.
	Out Expr
	// Position is the struct's name; IDPosition and ToolPosition are those of the directive's arguments, ToolPosition the
	// directive's own where tool= is not written.
	Position, IDPosition, ToolPosition token.Position
	// OutputPosition is where the marker names the result's type.
	OutputPosition token.Position
}

// Expr is a Go type expression.
type Expr struct {
	// Form is one of the kinds of type expression below.
	Form Form
	// Package and Name are a named type's; Package is "" for predeclared ones.
	Package, PackageName, Name string
	// Standard says that the package is the standard library's.
	Standard bool
	// Args are a generic type's arguments.
	Args []Expr
	// Elem is what a pointer, slice, array or map holds, Key what a map is keyed by, Len an array's length.
	Elem, Key *Expr
	Len       int64
}

// Form says which kind of type expression an Expr is.
type Form int

// The forms.
const (
	Named Form = iota
	PointerTo
	SliceOf
	ArrayOf
	MapOf
	// Other is an expression that generated code cannot write, as an unnamed struct; it has a name of its own declared.
	Other
)

// Method returns the name of the capability's method in the generated interface, which is exported.
func (c *Capability) Method() string { return MethodName(c.GoName) }

// MethodName returns the name of the method of the capability that is declared by a type of that name.
func MethodName(goName string) string {
	first, size := utf8.DecodeRuneInString(goName)
	return string(unicode.ToUpper(first)) + goName[size:]
}

// ContractVar returns the name of the generated variable that holds the embedded contract.
func (c *Capability) ContractVar() string { return "contractOf" + c.Method() }

// CapabilityVar returns the name of the generated variable that holds the capability.
func (c *Capability) CapabilityVar() string { return "capabilityOf" + c.Method() }

// ReturnsNothing reports whether the capability has no result.
func (c *Capability) ReturnsNothing() bool {
	return c.Out.Form == Named && c.Out.Package == "github.com/capgen/capgen/capabilities" && c.Out.Name == "Nothing"
}
