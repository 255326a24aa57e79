package codec_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities/codec"
)

func nested(open, inner, end string, levels int) string {
	return strings.Repeat(open, levels) + inner + strings.Repeat(end, levels)
}

// TestSkip: what is passed over is held to all of JSON's rules.
func TestSkip(t *testing.T) {
	for text, want := range map[string]string{
		`null`: "", ` true `: "", "\t\r\n[1,2 , 3]": "", `{"a":{"a":[]},"b":{}}`: "", `-0.0e-0`: "", `1E+9999`: "", `"\u0000é😀\ud83d\ude00"`: "",
		`1e0000000009999`: "", nested("[", "", "]", 1000): "", nested(`{"a":`, "1", "}", 1000): "",

		``: early, `  `: early, `[`: early, `[1`: early, `[1,`: early, `{`: early, `{"a"`: early, `{"a":`: early, `{"a":1`: early,
		`{"a":1,`: early, `"a`: early, `"\`: mistak + "1", `"\u12`: mistak + "1", `-`: early, `1.`: early, `1e`: early, `1e+`: early,
		`[1,]`: mistak + "3", `[,1]`: mistak + "1", `[1 2]`: mistak + "3", `{"a":1,}`: mistak + "7", `{"a" 1}`: mistak + "5", `{a:1}`: mistak + "1",
		`{"a":1 "b":2}`: mistak + "7", `{1:1}`: mistak + "1", `nul`: mistak + "0", `nulll`: after, `True`: mistak + "0", `[}`: mistak + "1", `{]`: mistak + "1",
		`01`: after, `-01`: after, `+1`: mistak + "0", `.5`: mistak + "0", `1.e5`: mistak + "2", `1ee5`: mistak + "2", `0x10`: after, `NaN`: mistak + "0", `-Infinity`: mistak + "1",
		`1 2`: after, `{} {}`: after, `{},`: after, "1\x00": mistak + "1", "\x00": mistak + "0", "\ufeff1": mistak + "0", "1\v": after, "\u00a01": mistak + "0",
		`'a'`: mistak + "0", "\"\t\"": mistak + "1", "\"\n\"": mistak + "1", "\"\x7f\"": "", `"\x"`: mistak + "1", `"\u12G4"`: mistak + "1", `"\U0041"`: mistak + "1",
		`"\ud800"`: mistak + "1", `"\udc00"`: mistak + "1", `"\ud800\ud800"`: mistak + "1", `"\ud800x"`: mistak + "1", `"\ud800\n"`: mistak + "1", `"\udc00\ud800"`: mistak + "1",
		"\"\xff\"": utf8s, "\"\xc0\x80\"": utf8s, "\"\xed\xa0\x80\"": utf8s, "\"\xf4\x90\x80\x80\"": utf8s, "\"\xe2\x82\"": utf8s, "{\"\xff\":1}": utf8s,
		`{"a":1,"a":2}`: twice, `{"a":1,"\u0061":2}`: twice, `[{"b":[{"a":1,"b":2,"a":3}]}]`: twice, `{"":1,"":1}`: twice,
		`{"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"10":0,"1":0}`:  twice,
		`{"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"10":0,"10":0}`: twice,
		nested("[", "", "]", 1001): deep, nested(`{"a":`, "1", "}", 1001): deep, nested("[", "", "]", 100000): deep,
		`1e10000`: expo, `[1E-10000]`: expo, `{"a":1e+0010000}`: expo,
	} {
		check(t, text, decode(text, (*codec.Decoder).Skip), list(want)...)
		if known := json.Valid([]byte(text)); !known && want == "" {
			t.Errorf("%.100s is not JSON to encoding/json", text)
		}
		if want != after && want != early && !strings.HasPrefix(want, mistak) {
			continue
		}
		// Whatever reads it, the syntax is refused the same way; except that a reader sees a wrong type before it.
		check(t, text, decode(text, func(d *codec.Decoder) { d.Any() }), want)
	}
}

func list(want string) []string {
	if want == "" {
		return nil
	}
	return []string{want}
}

// TestEveryReaderIsStrict: syntax is all that is reported, whatever was found before it.
func TestEveryReaderIsStrict(t *testing.T) {
	object := func(d *codec.Decoder) {
		if d.Object() {
			var seen [1]uint64
			for d.Next() {
				switch string(d.Name()) {
				case "a":
					d.Once(seen[:], 0)
					d.Int(8)
				case "l":
					d.Once(seen[:], 1)
					if d.Array() {
						for d.More() {
							d.String()
						}
					}
				default:
					d.Unknown("a", "l")
				}
			}
			d.Require(seen[:], "a", "")
		}
	}
	for text, want := range map[string]string{
		`{"a":300,"a":1}`: twice, `{"a":1,"\u0061":"x"}`: twice, `{"b":1,"c":2,"b":3}`: twice, `{"a":1}x`: after, `{"a":1,}`: mistak + "7",
		`{"a":1,"l":["a",]}`: mistak + "16", `{"a":1,"l":["a" "b"]}`: mistak + "16", `{"a":1,"l":[}`: mistak + "12", `{"a":1 "l":[]}`: mistak + "7",
		`{"l":[1,2,3`: early, `{"l":["\ud800"]}`: mistak + "7", `{"l":[1],"x":"` + "\xff" + `"}`: utf8s, `{"a"`: early, `{"a":`: early, `{`: early, `{"a":1`: early,
		`{"l":[` + nested("[", "", "]", 998) + `]}`: " x", `{"l":[` + nested("[", "", "]", 999) + `]}`: deep, `{"l":` + nested("[", "", "]", 1000) + `}`: deep,
		`{"a":1e10000}`: expo, `{"x":1e10000}`: expo, `{"a":tru}`: mistak + "5",
	} {
		got := decode(text, object)
		if want == " x" {
			check(t, text, keywords(got), "/l/0 type", " required")
			continue
		}
		check(t, text, got, want)
	}
}

func TestStopsAtSixteen(t *testing.T) {
	strs := func(d *codec.Decoder) {
		if d.Array() {
			for d.More() {
				d.String()
			}
			d.Items(d.Count(), 1000, -1)
		}
	}
	got := decode("["+strings.Repeat("1,", 100)+"1]", strs)
	if len(got) != 16 || got[0] != "/0 type: must be a string" || got[15] != "/15 type: must be a string" {
		t.Errorf("%q", got)
	}
}

// TestEveryPrefix cuts a text with a value of every kind wherever it can be cut: no part of it is good, and none is read past its end.
func TestEveryPrefix(t *testing.T) {
	const text = ` { "string" : "plain and \u00e9 long" , "int":-12345678,"float" : -1.25e-2,"short":0.5,"bool": true,"null":null,"list" : [ 1 , 2.5 ],"enum":"one" } `
	enum := codec.NewEnum(`"one"`)
	read := func(d *codec.Decoder) {
		if d.Object() {
			for d.Next() {
				switch string(d.Name()) {
				case "string":
					d.String()
				case "int":
					d.Int(64)
				case "float", "short":
					d.Float(64)
				case "bool":
					d.Bool()
				case "null":
					d.Null()
				case "list":
					if d.Array() {
						for d.More() {
							d.Float(64)
						}
					}
				case "enum":
					d.Enum(enum)
				}
			}
		}
	}
	whole := len(strings.TrimSpace(text)) + 1
	for end := range len(text) + 1 {
		got := decode(text[:end], read)
		if good := len(got) == 0; good != (end >= whole) {
			t.Errorf("%q: %q", text[:end], got)
		} else if !good && !strings.HasPrefix(got[0], " syntax: ") {
			t.Errorf("%q: %q", text[:end], got)
		}
	}
}
