package shapes

import "github.com/capgen/capgen/capabilities"

// Figure is one of a few.
//
//capgen:union discriminator=ki/nd
type Figure interface{ figure() }

// Circle is round.
type Circle struct {
	R float64 `json:"r" exclusiveMinimum:"0"`
}

// Square is not.
//
//capgen:variant square
type Square struct {
	Side  int    `json:"side,omitzero" default:"1"`
	Label *Level `json:"label"`
}

// Group holds figures.
type Group struct {
	Of     []Figure          `json:"of,omitempty" maxItems:"4"`
	ByName map[string]Figure `json:"byName,omitempty"`
	Next   *Group            `json:"next,omitempty"`
}

// Nothing has no parts.
type Nothing struct{}

// Loose admits names that it does not have.
//
//capgen:schema additionalProperties=true
type Loose struct {
	Name string `json:"name,omitempty"`
}

// Mixed holds what is read in other ways, and a member below it that is named as the discriminator.
type Mixed struct {
	*Extra
	Record Record `json:"record"`
	Any    any    `json:"any,omitempty"`
	Inner  struct {
		Kind   string   `json:"ki/nd"`
		Figure []Figure `json:"figure,omitempty"`
	} `json:"inner"`
}

func (Circle) figure()  {}
func (Loose) figure()   {}
func (*Square) figure() {}
func (Group) figure()   {}
func (*Mixed) figure()  {}
func (Nothing) figure() {}

// Unions holds figures in every place.
type Unions struct {
	One   Figure           `json:"one"`
	Maybe Figure           `json:"maybe,omitempty"`
	List  []Figure         `json:"list" uniqueItems:"true"`
	Pair  [2]Figure        `json:"pair,omitzero"`
	Map   map[Level]Figure `json:"map"`
	Plain *Circle          `json:"plain,omitempty"`
	Group Group            `json:"group,omitzero"`
}

// CallUnions calls with a Unions.
//
//capgen:capability unions@1 risk=read access=public
type CallUnions struct {
	capabilities.Returns[Unions]

	Body Unions `json:"body"`
}
