package shapes

import "github.com/capgen/capgen/capabilities"

// Slug is an identifier.
//
//capgen:schema minLength=1 maxLength=10 pattern=`^[a-z0-9]+(-[a-z0-9]+)*$`
type Slug string

// Percent is a share.
//
//capgen:schema minimum=0 maximum=100 multipleOf=0.5
type Percent float64

// Level is how loud something is.
type Level string

// The levels.
const (
	Quiet Level = "quiet"
	Loud  Level = "loud"
	Other Level = "l\"<é"
)

// Rank is a number of a few.
type Rank int8

// The ranks.
const (
	First Rank = 1
	Last  Rank = -7
)

// Ratio is one of two numbers.
type Ratio float32

// The ratios.
const (
	Half  Ratio = 0.5
	Tenth Ratio = 0.1
)

// Scores are unlike each other.
//
//capgen:schema minItems=1 uniqueItems=true
type Scores []int

// Table has a few rows.
//
//capgen:schema maxProperties=3
type Table map[Slug]Scores

// Named holds types that carry their own constraints, and adds to them.
type Named struct {
	Slug     Slug            `json:"slug"`
	Fixed    Slug            `json:"fixed,omitempty" enum:"a,b-1"`
	Share    Percent         `json:"share"`
	Whole    Percent         `json:"whole,omitempty" exclusiveMaximum:"50"`
	Level    Level           `json:"level"`
	Louder   *Level          `json:"louder"`
	Loudest  Level           `json:"loudest,omitempty" enum:"loud"`
	Rank     Rank            `json:"rank"`
	Ratio    Ratio           `json:"ratio,omitempty"`
	Scores   Scores          `json:"scores"`
	Fewer    Scores          `json:"fewer,omitempty" maxItems:"2"`
	Table    Table           `json:"table"`
	ByLevel  map[Level]Level `json:"byLevel"`
	Slugs    []Slug          `json:"slugs" uniqueItems:"true"`
	Pointers []*Percent      `json:"pointers,omitempty"`
	Levels   [2]Level        `json:"levels"`
}

// CallNamed calls with a Named.
//
//capgen:capability named@1 risk=read access=public
type CallNamed struct {
	capabilities.Returns[Named]

	Body Named `json:"body"`
}

// Names has the names that need escaping somewhere.
type Names struct {
	Slash  int `json:"a/b~c"`
	Accent int `json:"é"`
	HTML   int `json:"<&>"`
	Script int `json:"ключ"`
	Space  int `json:"a b"`
	Dollar int `json:"$ref"`
	Pct    int `json:"100%25"`
	Star   int `json:"*"`
	NoTag  int
	Nested map[string]Point `json:"n/m"`
}

// CallNames calls with a Names.
//
//capgen:capability names@1 risk=read access=public
type CallNames struct {
	capabilities.Returns[Names]

	Body Names `json:"body"`
}

// Defaults has defaults of every kind.
type Defaults struct {
	Mode   string         `json:"mode,omitzero" enum:"fast,exact" default:"fast"`
	Limit  int            `json:"limit,omitzero" minimum:"1" maximum:"100" default:"2e1"`
	Rate   float64        `json:"rate,omitzero" default:"0.25"`
	On     bool           `json:"on,omitzero" default:"true"`
	Tags   []string       `json:"tags,omitempty" default:"[\"a\",\"b\"]"`
	Level  Level          `json:"level,omitempty" default:"loud"`
	Point  Point          `json:"point,omitzero" default:"{\"x\":3}"`
	Limits map[string]int `json:"limits,omitempty" default:"{\"a\":1}"`
	Ptr    *int           `json:"ptr,omitempty" default:"7"`
	Pair   [2]int8        `json:"pair,omitzero" default:"[1,2]"`
}

// CallDefaults calls with a Defaults.
//
//capgen:capability defaults@1 risk=read access=public
type CallDefaults struct {
	capabilities.Returns[Defaults]

	Body Defaults `json:"body"`
}
