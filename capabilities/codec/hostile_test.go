package codec_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities/codec"
)

// hang is a guard and no figure: a text of a megabyte is read in well under a second on a quiet machine, and took minutes where the work
// grew with the square of its size.
const hang = 2 * time.Minute

func repeat(open, item, separator, end string) string {
	n := (1<<20 - len(open) - len(end)) / (len(item) + len(separator))
	return open + strings.Repeat(item+separator, n-1) + item + end
}

func numbered(open, form, end string) string {
	var b strings.Builder
	b.WriteString(open)
	for i := 0; b.Len() < 1<<20; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, form, i)
	}
	b.WriteString(end)
	return b.String()
}

// TestHostileTexts: no text of a megabyte takes long, whatever its shape.
func TestHostileTexts(t *testing.T) {
	known := make([]string, 2000)
	for i := range known {
		known[i] = fmt.Sprintf("specification%d", i)
	}
	each := func(read func(d *codec.Decoder)) func(d *codec.Decoder) {
		return func(d *codec.Decoder) {
			if d.Array() {
				for d.More() {
					read(d)
				}
			}
		}
	}
	members := func(unknown func(*codec.Decoder, ...string)) func(d *codec.Decoder) {
		return func(d *codec.Decoder) {
			if d.Object() {
				for d.Next() {
					unknown(d, known...)
				}
				d.Require(make([]uint64, len(known)), known...)
			}
		}
	}
	multiple := func(of string) func(d *codec.Decoder) {
		return each(func(d *codec.Decoder) {
			if text, ok := d.Number(); ok {
				codec.MultipleOf(text, of)
				codec.Compare(text, of)
			}
		})
	}
	declared := codec.Declare(`{"items":{"type":"integer","multipleOf":3}}`)
	foreign := func(d *codec.Decoder) {
		var into []any
		d.Foreign(&into, declared, "list")
	}
	var unique func(d *codec.Decoder)
	unique = func(d *codec.Decoder) {
		if d.Object() {
			for d.Next() {
				if string(d.Name()) == "x" {
					d.Skip()
				} else if d.Array() {
					d.UniqueItems()
					for d.More() {
						unique(d)
					}
				}
			}
		}
	}
	payload := repeat("[", `"a"`, ",", "]")
	for name, test := range map[string]struct {
		read func(*codec.Decoder)
		text string
	}{
		"open brackets":        {(*codec.Decoder).Skip, strings.Repeat("[", 1<<20)},
		"open braces":          {(*codec.Decoder).Skip, strings.Repeat(`{"":`, 1<<18)},
		"distinct names":       {(*codec.Decoder).Skip, numbered("{", `"%d":0`, "}")},
		"unknown names":        {members((*codec.Decoder).Unknown), numbered("{", `"%d":0`, "}")},
		"names besides":        {members((*codec.Decoder).Extra), numbered("{", `"%d":0`, "}")},
		"one long name":        {each(members((*codec.Decoder).Unknown)), `[{"` + strings.Repeat("s", 1<<20) + `":1}]`},
		"objects with unknown": {each(members((*codec.Decoder).Unknown)), repeat("[", `{"a":0}`, ",", "]")},
		"empty objects":        {each(members((*codec.Decoder).Unknown)), repeat("[", `{}`, ",", "]")},
		"wrong types":          {each(func(d *codec.Decoder) { d.String() }), repeat("[", "1", ",", "]")},
		"escapes":              {each(func(d *codec.Decoder) { d.String() }), `["` + strings.Repeat(`\u0041`, 1<<18) + `"]`},
		"exponents":            {multiple("3"), repeat("[", "1e9999", ",", "]")},
		"exponents, fraction":  {multiple("7e-9"), repeat("[", "1e9999", ",", "]")},
		"exponents, large":     {multiple("123456789012345678901234567890"), repeat("[", "1e9999", ",", "]")},
		"digits":               {multiple("3"), "[" + strings.Repeat("7", 1<<20) + "]"},
		"digits, integer":      {each(func(d *codec.Decoder) { d.Int(64) }), "[" + strings.Repeat("7", 1<<20) + "]"},
		"digits, float":        {each(func(d *codec.Decoder) { d.Float(64) }), "[0." + strings.Repeat("7", 1<<20) + "]"},
		"digits, foreign":      {foreign, "[" + strings.Repeat("7", 1<<20) + "]"},
		"exponents, foreign":   {foreign, repeat("[", "1e9999", ",", "]")},
		"unique, flat":         {uniqueItems, numbered("[", "%d", "]")},
		"unique, equal":        {uniqueItems, repeat("[", "1", ",", "]")},
		"unique, deep":         {uniqueItems, "[" + nested(`{"a":`, payload, "}", 900) + "]"},
		"unique, deep arrays":  {uniqueItems, "[" + nested(`[`, payload, "]", 900) + "]"},
		"unique in unique":     {unique, nested(`{"b":[`, `{"x":`+payload+`}`, "]}", 450)},
		"unions":               {readShape, nested(`{"of":[`, `{"ki/nd":"group","x":`+payload+`}`, `],"ki/nd":"group"}`, 490)},
		"unions, last":         {readShape, nested(`{"of":[`, `{"x":`+payload+`,"ki/nd":"group"}`, `],"ki/nd":"group"}`, 490)},
		"unions, side by side": {readShape, nested(`{"of":[`, repeat("", `{"r":1,"ki/nd":"circle"}`, ",", ""), `],"ki/nd":"group"}`, 490)},
		"unions, unknown":      {readShape, `{"of":` + repeat("[", `{"ki/nd":"x"}`, ",", "]") + `,"ki/nd":"group"}`},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			decode(test.text, test.read)
			if took := time.Since(start); took > hang {
				t.Errorf("took %v", took)
			} else {
				t.Logf("took %v", took)
			}
		})
	}
}
