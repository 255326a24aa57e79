package codec_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities/codec"
)

// uniqueItems reads an array of unique items; those that are arrays are read the same way.
func uniqueItems(d *codec.Decoder) {
	if d.Array() {
		d.UniqueItems()
		for d.More() {
			d.Any()
		}
	}
}

func TestUniqueItems(t *testing.T) {
	long := strings.Repeat("x", 100)
	different := []string{`[]`, `[1]`, `[1,2]`, `[10,1]`, `[1,-1]`, `[1e300,1e299]`, `[9007199254740992,9007199254740993]`, `["1",1]`, `[true,1]`, `[false,0]`, `[null,"null"]`, `["",[]]`,
		`[[],{}]`, `[[1,2],[2,1]]`, `[[1,2],[12]]`, `[["a,b"],["a","b"]]`, `[[[]],[[],[]]]`, `[{"a":1},{"a":1,"b":2}]`, `[{"a":"1"},{"a":1}]`, `[{"a":[1]},{"a":1}]`, `[{"":1},{}]`,
		`[["` + long + `"],["` + long + `y"]]`, `[{"a":"` + long + `"},{"a":"` + long + `y"}]`, `[{"a":["` + long + `"]},{"a":{"b":"` + long + `"}}]`, `["\n","\\n"]`, `["é","e\u0301"]`,
		`["\u0000","\\u0000"]`, `[0.1,0.10000000000000000001]`, `[{"a":1,"b":2},{"a":2,"b":1}]`}
	equal := []string{`[1,1]`, `[1,1.0]`, `[100,1e2]`, `[0,-0]`, `[0,-0.0e5]`, `[1e300,10e299]`, `["a","\u0061"]`, `[null,null]`, `[[1],[1.0]]`, `[{"a":1,"b":2},{"b":2.0,"a":1}]`,
		`[{"a":{"b":1}},{"a":{"b":1}}]`, `[{"\u0061":1},{"a":1}]`, `[{ },{}]`, "[ [ ] , [\n]]", `["` + long + `","` + long + `"]`, `[["` + long + `"],["` + long + `"]]`, `[{"a":"` + long + `"},{"a":"` + long + `"}]`,
		`[{"x":{"a":"` + long + `","b":1}},{"x":{"b":1,"a":"` + long + `"}}]`, `[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,3.0]`}
	for _, text := range different {
		check(t, text, decode(text, uniqueItems))
		if written := encodeUnique(t, text); strings.HasPrefix(written, "(") {
			t.Errorf("%s is written %s", text, written)
		}
	}
	for _, text := range equal {
		check(t, text, decode(text, uniqueItems), " uniqueItems: must have no two equal items")
		if written := encodeUnique(t, text); written != "(must have no two equal items)" {
			t.Errorf("%s is written %s", text, written)
		}
	}
}

func encodeUnique(t *testing.T, text string) string {
	var items []json.RawMessage
	if err := json.Unmarshal([]byte(text), &items); err != nil {
		t.Fatal(err)
	}
	return encode(func(e *codec.Encoder) {
		if e.Array() {
			e.UniqueItems()
			for _, item := range items {
				e.Item()
				e.Raw(item)
			}
			e.EndArray()
		}
	})
}

// TestUniqueItemsNested: arrays that were compared are not compared again by what they are in, and count the same there.
func TestUniqueItemsNested(t *testing.T) {
	var read func(d *codec.Decoder)
	read = func(d *codec.Decoder) {
		if d.Object() {
			for d.Next() {
				if string(d.Name()) != "b" {
					d.Skip()
				} else if d.Array() {
					d.UniqueItems()
					for d.More() {
						read(d)
					}
				}
			}
		}
	}
	long := strings.Repeat("x", 100)
	leaf := `{"b":[{"v":"` + long + `"},{"v":1}]}`
	same := `{"b":[{"v":1e0},{"v":"` + long + `"}]}`                         // another order: another array
	spaced := `{ "b" : [ { "v" : "\u0078` + long[1:] + `" } , {"v":1.0} ] }` // the same
	for text, want := range map[string][]string{
		`{"b":[` + leaf + `,` + same + `]}`:                                             nil,
		`{"b":[` + leaf + `,` + spaced + `]}`:                                           {"/b uniqueItems"},
		`{"b":[{"b":[` + leaf + `]},{"b":[` + spaced + `,` + same + `]}]}`:              nil,
		`{"b":[{"b":[` + leaf + `]},{"b":[` + spaced + `]}]}`:                           {"/b uniqueItems"},
		`{"b":[{"b":[` + leaf + `,` + spaced + `]},{"b":[` + spaced + `]}]}`:            {"/b/0/b uniqueItems"},
		`{"b":[{"b":[` + leaf + `],"c":0},{"c":-0,"b":[` + spaced + `]},` + leaf + `]}`: {"/b uniqueItems"},
	} {
		check(t, text, keywords(decode(text, read)), want...)
	}
}
