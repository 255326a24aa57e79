package codectest_test

import (
	"encoding/json"
	"log/slog"
	"math"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"time"

	"github.com/capgen/capgen/internal/codectest/shapes"
)

// usual are values that random ones of a type are often taken from, since few others are good.
var usual = map[reflect.Type][]any{
	reflect.TypeFor[string]():       {"", "a", "ab", "abcd", "abc-12", "red", "green", `"quoted"`, "é<&>", "é😀", "fast", "exact", "123456789", "12", "\u2028", "\xff", "a\xfeb", "0", "true"},
	reflect.TypeFor[shapes.Level](): {shapes.Quiet, shapes.Loud, shapes.Other},
	reflect.TypeFor[shapes.Rank]():  {shapes.First, shapes.Last},
	reflect.TypeFor[shapes.Ratio](): {shapes.Half, shapes.Tenth},
	reflect.TypeFor[shapes.Slug]():  {shapes.Slug("a"), shapes.Slug("a-1"), shapes.Slug("b-1"), shapes.Slug("c"), shapes.Slug("x9")},
	reflect.TypeFor[shapes.Code]():  {shapes.Code{Letters: "AB"}, shapes.Code{Letters: "C"}, shapes.Code{Letters: "XYZ"}, shapes.Code{Letters: "c"}},
	reflect.TypeFor[json.Number]():  {json.Number("1.5"), json.Number("2.0"), json.Number("1e3"), json.Number("0"), json.Number("x"), json.Number("1e400"), json.Number(" 1")},
	reflect.TypeFor[json.RawMessage](): {json.RawMessage(`1.0`), json.RawMessage(`{"a":[1,"<é"]}`), json.RawMessage(`null`), json.RawMessage(`"\u0041"`), json.RawMessage(`{"a":1,"a":2}`),
		json.RawMessage(`x`), json.RawMessage(` [ 1 ] `)},
	reflect.TypeFor[netip.Addr]():     {netip.MustParseAddr("::1"), netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("fe80::1%eth0")},
	reflect.TypeFor[netip.Prefix]():   {netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::/0")},
	reflect.TypeFor[float64]():        {0.0, 0.5, 0.25, 0.1, 0.29, 1.0, 1e21, 50.0, 99.5, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.MaxFloat64, 1e-7},
	reflect.TypeFor[float32]():        {float32(0), float32(0.1), float32(-0.1), float32(0.05), float32(math.MaxFloat32)},
	reflect.TypeFor[shapes.Percent](): {shapes.Percent(0), shapes.Percent(0.5), shapes.Percent(49.5), shapes.Percent(100)},
	reflect.TypeFor[shapes.Money]():   {shapes.Money{}, shapes.Money{Cents: 150}, shapes.Money{Cents: 99999}, shapes.Money{Cents: -1}},
	reflect.TypeFor[shapes.Moment]():  {shapes.Moment{}, shapes.Moment{Seconds: 7}},
	reflect.TypeFor[shapes.Shade]():   {shapes.Shade{Value: "red"}, shapes.Shade{}, shapes.Shade{Value: 1.0}, shapes.Shade{Value: map[string]any{"r": 1.0, "b": 2.0}}, shapes.Shade{Value: []any{1.0, 2.0, 3.0}}, shapes.Shade{Value: "blue"}},
	reflect.TypeFor[shapes.Unit]():    {shapes.Unit("a"), shapes.Unit("kg"), shapes.Unit("é"), shapes.Unit("each"), shapes.Unit("none"), shapes.Unit("A"), shapes.Unit("\xff")},
	reflect.TypeFor[slog.Level]():     {slog.LevelInfo, slog.LevelError, slog.LevelWarn + 1, slog.LevelDebug - 3},
	reflect.TypeFor[time.Duration]():  {time.Duration(0), 5 * time.Nanosecond, -time.Second, time.Duration(7)},
	reflect.TypeFor[any]():            {nil, "a", 1.5, true, []any{1.0, "x", nil}, map[string]any{"a": 1.0, "b": []any{}}, json.Number("1.50"), math.NaN(), shapes.Point{X: 1}},
}

// filler makes random values. Those that are meant to be good have no nil slices, which are read back empty.
type filler struct {
	*rand.Rand
	depth int
	// tame leaves out what has no JSON form, or more than one.
	tame bool
}

func (f *filler) fill(v reflect.Value) {
	if list := usual[v.Type()]; len(list) > 0 && f.IntN(8) > 0 {
		if chosen := list[f.IntN(len(list))]; chosen != nil {
			v.Set(reflect.ValueOf(chosen))
		}
		if !f.tame || !wild(v) {
			return
		}
		v.SetZero()
		f.fill(v)
		return
	}
	switch into := v.Addr().Interface().(type) {
	case *time.Time:
		*into = time.Unix(f.Int64N(4e9), f.Int64N(1e9)).In(time.FixedZone("", 60*(f.IntN(48*60)-24*60)))
		if f.tame {
			*into = into.UTC()
		} else if f.IntN(10) == 0 {
			*into = into.AddDate(9000, 0, 0)
		}
		return
	case *big.Int:
		into.SetUint64(f.Uint64())
		into.Mul(into, into).Neg(into)
		return
	case *json.RawMessage:
		if f.tame {
			*into = json.RawMessage("1.0")
		}
		return
	case *json.Number:
		if f.tame {
			*into = "2.0"
		}
		return
	case *shapes.Figure:
		f.depth++
		*into = f.figure()
		f.depth--
		return
	case *netip.Addr, *netip.Prefix, *shapes.Code:
		return
	}
	f.depth++
	f.fillKind(v)
	f.depth--
	switch into := v.Addr().Interface().(type) { // what is shadowed where it is embedded is not written
	case *shapes.Base:
		into.Hidden = 0
	case *shapes.Extra:
		into.Label = ""
	}
}

// wild reports whether a value has no JSON form, or is read back as another.
func wild(v reflect.Value) bool {
	if v.Kind() == reflect.Interface {
		switch v.Interface().(type) {
		case json.Number, shapes.Point:
			return true
		}
	}
	switch value := v.Interface().(type) {
	case string:
		return value == "\xff" || value == "a\xfeb"
	case float64:
		return math.IsNaN(value) || math.IsInf(value, 0)
	case json.Number:
		return value == "x" || value == " 1"
	case json.RawMessage:
		return string(value) != "1.0" && string(value) != "null"
	case shapes.Code:
		return value.Letters == "c"
	case shapes.Money:
		return value.Cents < 0
	case shapes.Shade:
		return value.Value == "blue"
	case shapes.Unit:
		return value == "none" || value == "A" || value == "\xff"
	case time.Duration:
		return value%5 != 0
	}
	return false
}

func empty(v reflect.Value) bool {
	return (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0
}

// figure returns a variant, or now and then none.
func (f *filler) figure() shapes.Figure {
	var circle shapes.Circle
	var square *shapes.Square
	var group shapes.Group
	switch n := f.IntN(9); {
	case n == 0 && !f.tame:
		return nil
	case n == 1 && !f.tame:
		return square
	case n == 2 && !f.tame:
		return &shapes.Loose{Name: "pointer"}
	case n < 4 && f.depth < 5:
		f.fill(reflect.ValueOf(&group).Elem())
		return group
	case n < 5:
		square = new(shapes.Square)
		f.fill(reflect.ValueOf(square).Elem())
		if f.tame {
			square.Side = 2
		}
		return square
	case n < 6:
		return shapes.Nothing{}
	case n < 7 && f.depth < 5:
		mixed := new(shapes.Mixed)
		f.fill(reflect.ValueOf(mixed).Elem())
		return mixed
	case n < 8:
		return shapes.Loose{Name: "l"}
	}
	f.fill(reflect.ValueOf(&circle).Elem())
	return circle
}

func (f *filler) fillKind(v reflect.Value) {
	few := func() int { return f.IntN(max(1, 5-f.depth)) }
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.IntN(4) > 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt([]int64{0, 1, 5, -5, 3, 10, 100, int64(f.Uint64()), math.MaxInt64, math.MinInt64, 127, -128}[f.IntN(12)])
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint([]uint64{0, 1, 2, 5, 200, f.Uint64(), math.MaxUint64, 255}[f.IntN(8)])
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(f.IntN(2000)-1000) / 100)
	case reflect.String:
		letters := []rune("abcé😀<\"\\\n09-")
		var text []rune
		for range f.IntN(12) {
			text = append(text, letters[f.IntN(len(letters))])
		}
		v.SetString(string(text))
	case reflect.Pointer:
		if f.depth < 6 && f.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem())
			if f.tame && v.Type() == reflect.TypeFor[*shapes.Moment]() && v.Elem().IsZero() { // which writes null, as nil does
				v.SetZero()
			}
		}
	case reflect.Slice:
		if n := few(); n > 0 || f.tame || f.IntN(2) == 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.Map:
		n := few()
		if n > 0 || f.tame || f.IntN(2) == 0 {
			v.Set(reflect.MakeMap(v.Type()))
		}
		for range n {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			f.fill(key)
			f.fill(value)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Field(i); field.CanSet() && v.Type().Field(i).Tag.Get("json") != "-" {
				f.fill(field)
				if f.tame && strings.Contains(v.Type().Field(i).Tag.Get("json"), ",omitempty") && empty(field) { // and absent, once it is read back
					field.SetZero()
				}
			} else if v.Type().Field(i).Anonymous { // its fields are promoted
				for j := range field.NumField() {
					if field.Field(j).CanSet() {
						f.fill(field.Field(j))
					}
				}
			}
		}
	}
}
