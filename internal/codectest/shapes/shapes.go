// Package shapes declares a type of every kind that the generator knows, with every keyword, for the tests that hold the generated
// codec against the reference validator. Each capability takes what it returns: Call types wrap the shape as the property body.
//
//capgen:namespace shapes
package shapes

//go:generate go run github.com/capgen/capgen/cmd/capgen generate .

import "github.com/capgen/capgen/capabilities"

// Plain holds the basic types.
type Plain struct {
	Bool   bool    `json:"bool"`
	Text   string  `json:"text"`
	Int    int     `json:"int"`
	I8     int8    `json:"i8"`
	I16    int16   `json:"i16"`
	I32    int32   `json:"i32"`
	I64    int64   `json:"i64"`
	Uint   uint    `json:"uint"`
	U8     uint8   `json:"u8"`
	U16    uint16  `json:"u16"`
	U32    uint32  `json:"u32"`
	U64    uint64  `json:"u64"`
	F32    float32 `json:"f32"`
	F64    float64 `json:"f64"`
	Hidden string  `json:"-"`
	hidden int
}

var _ = Plain{}.hidden

// CallPlain calls with a Plain.
//
//capgen:capability plain@1 risk=read access=public
type CallPlain struct {
	capabilities.Returns[Plain]

	Body Plain `json:"body"`
}

// Optional holds what may be absent, null or zero.
type Optional struct {
	Nullable      *int              `json:"nullable"`
	NullableText  *string           `json:"nullableText"`
	NullablePlain *Point            `json:"nullablePlain"`
	Pointer       *int              `json:"pointer,omitempty"`
	PointerZero   *string           `json:"pointerZero,omitzero"`
	PointerPoint  *Point            `json:"pointerPoint,omitempty"`
	Empty         string            `json:"empty,omitempty"`
	EmptyInt      int               `json:"emptyInt,omitempty"`
	EmptyBool     bool              `json:"emptyBool,omitempty"`
	EmptyFloat    float64           `json:"emptyFloat,omitempty"`
	EmptyList     []int             `json:"emptyList,omitempty"`
	EmptyMap      map[string]int    `json:"emptyMap,omitempty"`
	EmptyPoint    Point             `json:"emptyPoint,omitempty"`
	ZeroPoint     Point             `json:"zeroPoint,omitzero"`
	ZeroArray     [2]int            `json:"zeroArray,omitzero"`
	ZeroList      []string          `json:"zeroList,omitzero"`
	Items         []*int            `json:"items"`
	ByName        map[string]*Point `json:"byName"`
}

// Point is a struct that others hold.
type Point struct {
	X int `json:"x"`
	Y int `json:"y,omitzero"`
}

// CallOptional calls with an Optional.
//
//capgen:capability optional@1 risk=read access=public
type CallOptional struct {
	capabilities.Returns[Optional]

	Body Optional `json:"body"`
}

// Bounded has each keyword on a field.
type Bounded struct {
	Short    string         `json:"short" minLength:"2" maxLength:"4"`
	Long     string         `json:"long,omitempty" minLength:"9"`
	Matched  string         `json:"matched" pattern:"^[a-cé]+(-[0-9]{2})*$" maxLength:"12"`
	Part     string         `json:"part,omitempty" pattern:"b|\\d\\d"`
	Choice   string         `json:"choice" enum:"red,green,\"quoted\",é<&>"`
	Email    string         `json:"email,omitempty" format:"email"`
	Low      int            `json:"low" minimum:"-3" maximum:"1e1"`
	Between  int8           `json:"between" exclusiveMinimum:"-5.5" exclusiveMaximum:"7.5"`
	Steps    int            `json:"steps" multipleOf:"3" minimum:"-9007199254740993" maximum:"9007199254740993"`
	HalfStep int16          `json:"halfStep,omitempty" multipleOf:"2.5"`
	Natural  uint8          `json:"natural" maximum:"200" multipleOf:"5"`
	Huge     int            `json:"huge,omitempty" multipleOf:"1e20"`
	Digit    uint64         `json:"digit" enum:"1,2,18446744073709551615"`
	Signed   int64          `json:"signed,omitempty" enum:"[-1, 0, 1e2]"`
	Rate     float64        `json:"rate" minimum:"0" exclusiveMaximum:"1"`
	Price    float64        `json:"price" multipleOf:"0.01" maximum:"1e6"`
	Small    float32        `json:"small,omitempty" minimum:"-0.1" maximum:"0.1"`
	Constant float64        `json:"constant" enum:"0.1,1,1e21"`
	Agreed   bool           `json:"agreed" enum:"true"`
	Few      []int          `json:"few" minItems:"1" maxItems:"3"`
	Unique   []string       `json:"unique,omitempty" uniqueItems:"true" maxItems:"25"`
	Numbers  []float64      `json:"numbers,omitempty" uniqueItems:"true"`
	Shapes   []Point        `json:"shapes,omitempty" uniqueItems:"true"`
	Some     map[string]int `json:"some,omitempty" minProperties:"1" maxProperties:"2"`
	Full     *Open          `json:"full,omitempty" minProperties:"2"`
	MaybeLow *int           `json:"maybeLow" minimum:"1"`
	MaybeOne *string        `json:"maybeOne" enum:"a,b"`
}

// CallBounded calls with a Bounded.
//
//capgen:capability bounded@1 risk=read access=public
type CallBounded struct {
	capabilities.Returns[Bounded]

	Body Bounded `json:"body"`
}

// Open admits names that it does not have.
//
//capgen:schema additionalProperties=true
type Open struct {
	Name   string `json:"name,omitempty"`
	Kelvin int    `json:"kelvin,omitempty"`
	Inner  Point  `json:"inner,omitzero" additionalProperties:"true"`
}

// CallOpen calls with an Open.
//
//capgen:capability open@1 risk=read access=public
type CallOpen struct {
	capabilities.Returns[Open]

	Body Open `json:"body"`
}
