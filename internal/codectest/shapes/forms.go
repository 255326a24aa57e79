package shapes

import (
	"encoding/json"
	"errors"
	"math/big"
	"net/netip"
	"strings"
	"time"

	"github.com/capgen/capgen/capabilities"
)

// Hex is bytes of a type of their own.
type Hex []byte

// Octet is a byte of its own.
type Octet uint8

// Code decodes and encodes itself.
type Code struct{ Letters string }

// MarshalText writes the letters in capitals.
func (c Code) MarshalText() ([]byte, error) {
	if c.Letters == "" {
		return nil, errors.New("the code is empty")
	}
	return []byte(strings.ToUpper(c.Letters)), nil
}

// UnmarshalText reads letters of any case.
func (c *Code) UnmarshalText(text []byte) error {
	if len(text) == 0 || len(text) > 4 {
		return errors.New("a code has one to four letters")
	}
	c.Letters = strings.ToUpper(string(text))
	return nil
}

// Forms holds types whose JSON is not what their structure says.
type Forms struct {
	At       time.Time        `json:"at"`
	Maybe    *time.Time       `json:"maybe"`
	Zero     time.Time        `json:"zero,omitzero"`
	Data     []byte           `json:"data"`
	Hex      Hex              `json:"hex,omitempty" maxLength:"8"`
	Octets   []Octet          `json:"octets,omitempty"`
	Number   json.Number      `json:"number"`
	Bounded  json.Number      `json:"bounded,omitempty" minimum:"0.5" multipleOf:"0.5"`
	Code     Code             `json:"code"`
	Codes    map[Code]int     `json:"codes,omitempty"`
	Addr     netip.Addr       `json:"addr,omitzero"`
	Addrs    []netip.Prefix   `json:"addrs,omitempty" uniqueItems:"true"`
	Big      *big.Int         `json:"big,omitempty"`
	Ints     map[int8]string  `json:"ints,omitempty"`
	Naturals map[uint64]Point `json:"naturals,omitempty"`
	Times    []time.Time      `json:"times,omitempty"`
}

// CallForms calls with a Forms.
//
//capgen:capability forms@1 risk=read access=public
type CallForms struct {
	capabilities.Returns[Forms]

	Body Forms `json:"body"`
}

// Anything holds values of any type.
type Anything struct {
	Any   any                        `json:"any"`
	Maybe any                        `json:"maybe,omitempty"`
	Raw   json.RawMessage            `json:"raw"`
	Less  json.RawMessage            `json:"less,omitempty"`
	List  []any                      `json:"list,omitempty" uniqueItems:"true"`
	Map   map[string]any             `json:"map,omitempty"`
	Raws  map[string]json.RawMessage `json:"raws,omitempty"`
}

// CallAnything calls with an Anything.
//
//capgen:capability anything@1 risk=read access=public
type CallAnything struct {
	capabilities.Returns[Anything]

	Body Anything `json:"body"`
}

// Quoted holds values inside strings.
type Quoted struct {
	Int   int     `json:"int,string"`
	Small int8    `json:"small,omitempty,string"`
	Uint  uint16  `json:"uint,string"`
	Float float64 `json:"float,string"`
	F32   float32 `json:"f32,omitzero,string"`
	Bool  bool    `json:"bool,string"`
	Text  string  `json:"text,string"`
	Level Rank    `json:"level,string"`
	Ptr   *int64  `json:"ptr,omitempty,string"`
	Null  *bool   `json:"null,string"`
}

// CallQuoted calls with a Quoted.
//
//capgen:capability quoted@1 risk=read access=public
type CallQuoted struct {
	capabilities.Returns[Quoted]

	Body Quoted `json:"body"`
}
