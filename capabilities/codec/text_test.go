package codec_test

import (
	"encoding/json"
	"errors"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities/codec"
)

func TestQuoted(t *testing.T) {
	const integer, natural, number, boolean, str = " pattern: must match the pattern ^(0|-?[1-9][0-9]*)$", " pattern: must match the pattern ^(0|[1-9][0-9]*)$",
		` pattern: must match the pattern ^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`, ` enum: must be one of "true" or "false"`, ` pattern: must match the pattern ^"(.|\n)*"$`
	readInt := func(d *codec.Decoder) { d.QuotedInt(8) }
	readUint := func(d *codec.Decoder) { d.QuotedUint(8) }
	readFloat := func(d *codec.Decoder) { d.QuotedFloat(64) }
	readBool := func(d *codec.Decoder) { d.QuotedBool() }
	readString := func(d *codec.Decoder) { d.QuotedString() }
	for _, test := range []struct {
		read func(*codec.Decoder)
		text string
		want string
	}{
		{readInt, `"0"`, ""}, {readInt, `"-128"`, ""}, {readInt, `"\u0031"`, ""}, {readInt, `"128"`, integer}, {readInt, `"-0"`, integer}, {readInt, `"01"`, integer}, {readInt, `"+1"`, integer},
		{readInt, `"1.0"`, integer}, {readInt, `" 1"`, integer}, {readInt, `"1 "`, integer}, {readInt, `""`, integer}, {readInt, `"1e10000"`, integer}, {readInt, `"null"`, integer}, {readInt, `1`, " type: must be a string"},
		{readUint, `"255"`, ""}, {readUint, `"-1"`, natural}, {readUint, `"-0"`, natural}, {readUint, `"256"`, natural},
		{readFloat, `"1.5e3"`, ""}, {readFloat, `"-0"`, ""}, {readFloat, `"1e999"`, number}, {readFloat, `"1e99999"`, number}, {readFloat, `"NaN"`, number}, {readFloat, `"1."`, number}, {readFloat, `"0x1"`, number},
		{readBool, `"true"`, ""}, {readBool, `"True"`, boolean}, {readBool, `"tru"`, boolean}, {readBool, `true`, " type: must be a string"},
		{readString, `"\"a\\n\""`, ""}, {readString, `"\"\""`, ""}, {readString, `"a"`, str}, {readString, `"\"a"`, str}, {readString, `"\"a\"b"`, str}, {readString, `"\"\\ud800\""`, str}, {readString, `"1"`, str},
	} {
		check(t, test.text, decode(test.text, test.read), list(test.want)...)
	}
	if got := encode(func(e *codec.Encoder) { e.QuotedInt(-5); e.QuotedUint(5); e.QuotedBool(true); e.QuotedFloat(0.5, 32) }); got != `"-5""5""true""0.5"` {
		t.Error(got)
	}
}

func TestKeys(t *testing.T) {
	read := func(key func(*codec.Decoder) bool) func(d *codec.Decoder) {
		return func(d *codec.Decoder) {
			if d.Map() {
				for d.Next() {
					key(d)
					d.Skip()
				}
			}
		}
	}
	readInt := read(func(d *codec.Decoder) bool { _, ok := d.IntKey(8); return ok })
	readUint := read(func(d *codec.Decoder) bool { _, ok := d.UintKey(64); return ok })
	const integer, natural = "/* pattern: must match the pattern ^(0|-?[1-9][0-9]*)$", "/* pattern: must match the pattern ^(0|[1-9][0-9]*)$"
	for text, want := range map[string]string{`{"0":1,"-128":1,"\u0031":1}`: "", `{"128":1}`: integer, `{"-0":1}`: integer, `{"01":1}`: integer, `{"+1":1}`: integer, `{"":1}`: integer, `{"1.0":1}`: integer, `{" 1":1}`: integer} {
		check(t, text, decode(text, readInt), list(want)...)
	}
	for text, want := range map[string]string{`{"18446744073709551615":1}`: "", `{"18446744073709551616":1}`: natural, `{"-1":1}`: natural, `{"0x1":1}`: natural, `{"1_0":1}`: natural} {
		check(t, text, decode(text, readUint), list(want)...)
	}
	ips := func(d *codec.Decoder) {
		m := map[netip.Addr]int{}
		if d.Map() {
			for d.Next() {
				var k netip.Addr
				if !d.Key(&k, "ip") {
					d.Skip()
					continue
				}
				codec.Entry(d, m, k)
				m[k] = 1
				d.Skip()
			}
		}
	}
	for text, want := range map[string]string{`{"::1":1,"127.0.0.1":1}`: "", `{"::1":1,"0::1":1}`: twice, `{"x":1}`: "/* propertyNames: does not match the schema's propertyNames"} {
		check(t, text, decode(text, ips), list(want)...)
	}
}

type text string

func (t text) MarshalText() ([]byte, error) {
	switch t {
	case "bad":
		return nil, errors.New("bad text")
	case "same":
		return []byte("other"), nil
	}
	return []byte(t), nil
}

func TestMapsAreWrittenSorted(t *testing.T) {
	names := func(keys ...string) string {
		return encode(func(e *codec.Encoder) { writeMap(e, codec.SortedKeys(e, set(keys...))) })
	}
	for _, test := range [][2]string{
		{names(), `{}`}, {names("b", "a", "é", "B", ""), `{"":0,"B":0,"a":0,"b":0,"é":0}`}, {names("<"), `{"\u003c":0}`},
		{names("\xff"), "{\"\ufffd\":0}"}, {names("\xff", "\xfe"), "(two keys of a map have one name)"}, {names("\xff\xff", "\xfe"), "{\"\ufffd\":0,\"\ufffd\ufffd\":0}"}, {names("\xff", "\ufffd"), "(two keys of a map have one name)"},
		{encode(func(e *codec.Encoder) { writeMap(e, codec.SortedIntKeys(e, map[int8]int{-1: 0, 10: 0, 9: 0, -128: 0})) }), `{"-1":0,"-128":0,"10":0,"9":0}`},
		{encode(func(e *codec.Encoder) { writeMap(e, codec.SortedIntKeys(e, map[uint64]int{1<<64 - 1: 0, 0: 0})) }), `{"0":0,"18446744073709551615":0}`},
		{encode(func(e *codec.Encoder) { writeMap(e, codec.SortedTextKeys(e, map[text]int{"b": 0, "a": 0})) }), `{"a":0,"b":0}`},
		{encode(func(e *codec.Encoder) { writeMap(e, codec.SortedTextKeys(e, map[text]int{"bad": 0})) }), `(bad text)`},
		{encode(func(e *codec.Encoder) { writeMap(e, codec.SortedTextKeys(e, map[text]int{"same": 0, "other": 0})) }), `(two keys of a map have one name)`},
		{encode(func(e *codec.Encoder) { e.Text(text("<\xff")) }), `"\u003c\ufffd"`}, {encode(func(e *codec.Encoder) { e.Text(text("bad")) }), `(bad text)`},
	} {
		if test[0] != test[1] {
			t.Errorf("got %s, want %s", test[0], test[1])
		}
	}
}

func set(keys ...string) map[string]int {
	m := map[string]int{}
	for _, key := range keys {
		m[key] = 0
	}
	return m
}

func writeMap[K any](e *codec.Encoder, keys []codec.MapKey[K]) {
	if e.Map() {
		for _, k := range keys {
			e.Key(k.Name)
			e.Int(0)
		}
		e.EndObject()
	}
}

func TestTime(t *testing.T) {
	const bad = " format: must be a date-time (RFC 3339, such as 2026-01-31T12:00:00Z)"
	for text, want := range map[string]string{
		`"2026-01-31T12:00:00Z"`: "", `"2026-01-31T12:00:00.123456789+01:30"`: "", `"2026-01-31T12:00:00\u005a"`: "", `"2026-02-30T12:00:00Z"`: bad, `"2026-01-31T12:00:00"`: bad, `"2026-01-31 12:00:00Z"`: bad,
		`"2026-01-31T24:00:00Z"`: bad, `"2026-01-31T12:00:00,5Z"`: "", // the package's own leniency (go.dev/issue/54580)
		`""`: bad, `0`: " type: must be a string", `null`: " type: must be a string",
	} {
		check(t, text, decode(text, func(d *codec.Decoder) { d.Time() }), list(want)...)
	}
	at := time.Date(2026, 1, 31, 12, 0, 0, 5000, time.FixedZone("", 3600))
	known, _ := json.Marshal(at)
	if got := encode(func(e *codec.Encoder) { e.Time(at) }); got != string(known) {
		t.Errorf("%s, want %s", got, known)
	}
	for _, at := range []time.Time{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2000, 1, 1, 0, 0, 0, 0, time.FixedZone("", 30*3600))} {
		if got := encode(func(e *codec.Encoder) { e.Time(at) }); got[0] != '(' {
			t.Error(got)
		}
	}
}

func TestBytes(t *testing.T) {
	const bad = " contentEncoding: does not match the schema's contentEncoding"
	for text, want := range map[string]string{`""`: "", `"AA=="`: "", `"\u0041A=="`: "", `"AAAA"`: "", `"_-8="`: bad, `"AA"`: bad, `"AB=="`: bad, `"AA==\n"`: bad, `"A\nA=="`: bad, `"A A="`: bad, `[0]`: " type: must be a string", `null`: " type: must be a string"} {
		check(t, text, decode(text, func(d *codec.Decoder) { d.Bytes() }), list(want)...)
	}
	if got := encode(func(e *codec.Encoder) { codec.WriteBytes[[]byte](e, nil); codec.WriteBytes(e, []byte{0xfb, 0xff}) }); got != `"""+/8="` {
		t.Error(got)
	}
}

func TestForeign(t *testing.T) {
	declared := codec.Declare(`{"type":"object","properties":{"n":{"type":"integer","minimum":1}},"required":["n","m"],"additionalProperties":false}`)
	read := func(d *codec.Decoder) {
		if d.Map() {
			for d.Next() {
				var into map[string]int
				d.Foreign(&into, declared, "thing")
			}
		}
	}
	for text, want := range map[string][]string{
		`{"a":{"n":0},"b":[]}`: {`/* required`, `/*/n minimum`, `/* type`}, `{"a":{"n":1,"m":1}}`: {"/* additionalProperties"}, `{"a":{"n":1e0,"m":1,"n":2}}`: {" syntax"}, `{"a":{"n":1e10000}}`: {" syntax"},
	} {
		check(t, text, keywords(decode(text, read)), want...)
	}
	for text, want := range map[string]string{
		strings.Repeat("7", 20000): "", `["` + strings.Repeat("7", 30000) + `"]`: "", `[1e9999,-1E-9999]`: "", strings.Repeat("7", 20001): " format: must be a number",
		"[" + strings.Repeat("1e9999,", 100) + "1]": "", "[" + strings.Repeat("1e9999,", 1000) + "1]": " format: must be a number", "[1.5e0]": "",
	} {
		check(t, text, decode(text, func(d *codec.Decoder) {
			var into any = new(json.RawMessage)
			d.Foreign(into, codec.Declare(`{}`), "number")
		}), list(want)...)
	}
	check(t, "format", decode(`["x"]`, func(d *codec.Decoder) { var into []int; d.Foreign(&into, nil, "list of numbers") }), " format: must be a list of numbers")
	type node struct{ Next *node }
	loop := &node{}
	loop.Next = loop
	for value, want := range map[any]string{
		"<": `"\u003c"`, nil: "null", 1.5: "1.5",
	} {
		if got := encode(func(e *codec.Encoder) { e.Any(value) }); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for _, value := range []any{loop, func() {}, json.RawMessage(`{"a":1,"a":2}`), json.RawMessage(`1e10000`), json.RawMessage(nested("[", "", "]", 1001)), json.RawMessage(``), json.RawMessage(`1 2`), json.RawMessage("\"\xff\"")} {
		if got := encode(func(e *codec.Encoder) { e.Any(value) }); got[0] != '(' {
			t.Errorf("%T is written %.100s", value, got)
		}
	}
	if got := encode(func(e *codec.Encoder) { e.Raw(nil); e.Raw(json.RawMessage(`{ "a" : [1.0] }`)) }); got != `null{"a":[1.0]}` {
		t.Error(got)
	}
	if got := encode(func(e *codec.Encoder) { e.Foreign(map[string]int{"n": 0}, declared) }); got != `(must have the property "m"; /n: must be at least 1)` {
		t.Error(got)
	}
}

func TestAny(t *testing.T) {
	var got any
	problems := codec.Decode([]byte(`{"a":[1,null,"\u0061",true]}`), &got, func(d *codec.Decoder, v *any) { *v, _ = d.Any() })
	if m, _ := got.(map[string]any); len(problems) > 0 || !slices.Equal(slices.Collect(maps.Keys(m)), []string{"a"}) {
		t.Errorf("%v %v", got, problems)
	}
	check(t, "1e999", decode(`[1e999]`, func(d *codec.Decoder) { d.Any() }), " type: must be a number of 64 bits")
	var raw json.RawMessage
	text := []byte(` [1.0 , 2] `)
	if problems := codec.Decode(text, &raw, func(d *codec.Decoder, v *json.RawMessage) { *v, _ = d.RawMessage() }); len(problems) > 0 || string(raw) != `[1.0 , 2]` {
		t.Errorf("%s %v", raw, problems)
	}
	if text[1] = 'x'; raw[0] != '[' {
		t.Error("the message is the caller's text")
	}
}
