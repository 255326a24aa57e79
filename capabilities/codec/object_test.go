package codec_test

import (
	"testing"

	"github.com/capgen/capgen/capabilities/codec"
)

// readTree reads {"name": …, "below": [tree…], "m": {…: tree}}.
func readTree(d *codec.Decoder) {
	if !d.Object() {
		return
	}
	var seen [1]uint64
	for d.Next() {
		switch string(d.Name()) {
		case "na/me~":
			d.Once(seen[:], 0)
			d.Int(8)
		case "below":
			d.Once(seen[:], 1)
			if d.Array() {
				for d.More() {
					readTree(d)
				}
			}
		case "m":
			d.Once(seen[:], 2)
			if d.Map() {
				for d.Next() {
					readTree(d)
				}
				d.Properties(d.Count(), 1, 2)
			}
		default:
			d.Unknown("na/me~", "below", "m")
		}
	}
	d.Require(seen[:], "na/me~")
	d.Properties(d.Count(), 0, 2)
}

// TestPointers: names are escaped and indices counted; a map's keys are the caller's and stay unsaid.
func TestPointers(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{`{"na/me~":1}`, nil},
		{`{"na\/me\u007e":""}`, []string{"/na~1me~0 type"}},
		{`{"na/me~":1,"below":[{"na/me~":300},{},[]]}`, []string{"/below/0/na~1me~0 maximum", "/below/1 required", "/below/2 type"}},
		{`{"na/me~":1,"m":{"secret":{"na/me~":""},"other":{"na/me~":1,"m":{"x/y":1}}}}`, []string{"/m/*/na~1me~0 type", "/m/*/m/* type"}},
		{`{"na/me~":1,"m":{}}`, []string{"/m minProperties"}},
		{`{"na/me~":1,"m":{"a":null,"b":2,"c":3}}`, []string{"/m/* type", "/m/* type", "/m/* type", "/m maxProperties"}},
		{`{"na/me~":1,"x":{"below":[]},"y":1}`, []string{" additionalProperties", " maxProperties"}},
		{`{"na/me~":1,"below":[{"na/me~":1,"x":0,"y":0,"below":[{"z":0}]}]}`, []string{"/below/0 additionalProperties", "/below/0/below/0 additionalProperties", "/below/0/below/0 required", "/below/0 maxProperties"}},
		{`[]`, []string{" type"}},
		{`{"below":{}}`, []string{"/below type", " required"}},
	} {
		check(t, test.text, keywords(decode(test.text, readTree)), test.want...)
	}
}

// TestExtra: what an open object has besides is passed over, unless a reader that folds case would take it for a known name.
func TestExtra(t *testing.T) {
	open := func(d *codec.Decoder) {
		if d.Object() {
			for d.Next() {
				switch string(d.Name()) {
				case "name":
					d.Skip()
				default:
					d.Extra("name")
				}
			}
		}
	}
	for text, want := range map[string]string{
		`{"name":1,"x":{"y":[1]},"names":1,"na_me":1}`: "", `{"x":1,"y":2,"x":3}`: twice, `{"x":{"a":1,"a":2}}`: twice, `{"x":1,}`: mistak + "7",
		`{"Name":1}`:      ` additionalProperties: has a property that is not known; the properties are name; did you mean "name"?`,
		`{"na\u004de":1}`: ` additionalProperties: has a property that is not known; the properties are name; did you mean "name"?`,
		`{"\u017fs":1}`:   "",
		`{"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"1":0}`: twice,
	} {
		check(t, text, decode(text, open), list(want)...)
	}
}

func TestRequire(t *testing.T) {
	read := func(d *codec.Decoder) {
		var seen [2]uint64
		if d.Object() {
			for d.Next() {
				d.Once(seen[:], 64)
				d.Skip()
			}
			names := make([]string, 66)
			names[0], names[64], names[65] = `a"<é`, "b", "c"
			d.Require(seen[:], names...)
		}
	}
	check(t, "b", decode(`{"b":1}`, read), ` required: must have the property "a\"\u003cé"`, ` required: must have the property "c"`)
	check(t, "twice", decode(`{"b":1,"b":1}`, read), twice)
}

func TestDefaultAndPlaces(t *testing.T) {
	var list []int
	problems := codec.Decode([]byte(`{}`), &list, func(d *codec.Decoder, v *[]int) {
		d.Skip()
		d.Default(`[1, 2]`, func(d *codec.Decoder) {
			if d.Array() {
				for d.More() {
					e := codec.Grow(v)
					x, _ := d.Int(64)
					*e = int(x)
				}
			}
		})
	})
	if len(problems) > 0 || len(list) != 2 || list[1] != 2 {
		t.Errorf("%v %v", list, problems)
	}
	var p *int
	*codec.Alloc(&p) = 4
	if *codec.Alloc(&p) != 4 || !codec.IsZero(new(struct{ A [2]int })) || codec.IsZero(&p) {
		t.Error("Alloc or IsZero")
	}
	codec.Empty(&list)
	var m map[string]int
	codec.MakeMap(&m)
	if list == nil || len(list) > 0 || m == nil {
		t.Errorf("%v %v", list, m)
	}
}
