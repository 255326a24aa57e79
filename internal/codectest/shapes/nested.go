package shapes

import "github.com/capgen/capgen/capabilities"

// Lists nests lists, arrays and maps in each other.
type Lists struct {
	Grid   [][]int                       `json:"grid"`
	Triple [3]int8                       `json:"triple"`
	Pairs  [2][2]*string                 `json:"pairs"`
	None   [0]int                        `json:"none"`
	Points []Point                       `json:"points"`
	Maps   []map[string][]Point          `json:"maps"`
	Deep   map[string]map[string][2]bool `json:"deep"`
	Inline struct {
		A int      `json:"a"`
		B []string `json:"b,omitempty"`
	} `json:"inline"`
	Inlines []struct {
		V float64 `json:"v" minimum:"0"`
	} `json:"inlines,omitempty" uniqueItems:"true"`
	Sets [][]string `json:"sets,omitempty" uniqueItems:"true" maxItems:"3"`
}

// CallLists calls with a Lists.
//
//capgen:capability lists@1 risk=read access=public
type CallLists struct {
	capabilities.Returns[Lists]

	Body Lists `json:"body"`
}

// Node refers to itself in every way there is.
type Node struct {
	Value    int              `json:"value" minimum:"0"`
	Left     *Node            `json:"left"`
	Right    *Node            `json:"right,omitempty"`
	Children []Node           `json:"children,omitempty" uniqueItems:"true"`
	ByName   map[string]*Node `json:"byName,omitempty" maxProperties:"2"`
	Forest   *Forest          `json:"forest,omitempty"`
}

// Forest refers to Node and to itself by way of it.
type Forest []Node

// CallNode calls with a Node.
//
//capgen:capability node@1 risk=read access=public
type CallNode struct {
	capabilities.Returns[Node]

	Body Node `json:"body"`
}

// Base is embedded.
type Base struct {
	ID     string  `json:"id" minLength:"1"`
	Hidden int     `json:"shadowed"`
	Note   *string `json:"note"`
}

// Extra is embedded by pointer.
type Extra struct {
	Size  int      `json:"size" minimum:"1"`
	Tags  []string `json:"tags"`
	Label string   `json:"label"`
}

type inner struct {
	Depth int `json:"depth"`
}

// Embedding embeds.
type Embedding struct {
	Base
	*Extra
	inner
	Point `json:"point"`

	Shadowed string `json:"shadowed"`
	Label    bool   `json:"label"`
}

// CallEmbedding calls with an Embedding.
//
//capgen:capability embedding@1 risk=read access=public
type CallEmbedding struct {
	capabilities.Returns[Embedding]

	Body Embedding `json:"body"`
}

// Page is generic.
type Page[T any] struct {
	Items []T          `json:"items" maxItems:"2"`
	Next  *string      `json:"next"`
	First Pair[T, int] `json:"first,omitzero"`
}

// Pair is generic in two types.
type Pair[A, B any] struct {
	A A `json:"a"`
	B B `json:"b"`
}

// Generics instantiates.
type Generics struct {
	Points Page[Point]        `json:"points"`
	Words  Page[string]       `json:"words"`
	Pages  Page[Page[int8]]   `json:"pages,omitzero"`
	Swap   Pair[Level, *Slug] `json:"swap"`
}

// CallGenerics calls with a Generics.
//
//capgen:capability generics@1 risk=read access=public
type CallGenerics struct {
	capabilities.Returns[Generics]

	Body Generics `json:"body"`
}
