package codec_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/capgen/capgen/capabilities/codec"
)

func TestString(t *testing.T) {
	for text, want := range map[string]string{
		`""`: "", `"abc"`: "abc", `"\"\\\/\b\f\n\r\t"`: "\"\\/\b\f\n\r\t", `"\u0041\u00e9\u20AC\uABcd"`: "Aé€\uabcd", `"\ud83d\ude00"`: "😀", `"\uD83D\uDE00x"`: "😀x",
		`"a\u0000b"`: "a\x00b", `"😀\n"`: "😀\n", `"\ufffd"`: "\ufffd", `"\udbff\udfff"`: "\U0010ffff", `"\ud7ff\ue000"`: "\ud7ff\ue000", `"\u2028"`: "\u2028",
		`"\\u0041"`: `\u0041`, "\"\x7f\u0080\"": "\x7f\u0080",
	} {
		var got string
		if problems := codec.Decode([]byte(text), &got, func(d *codec.Decoder, v *string) { *v, _ = d.String() }); len(problems) > 0 || got != want {
			t.Errorf("%s: %q %v, want %q", text, got, problems, want)
		}
		var known string
		if err := json.Unmarshal([]byte(text), &known); err != nil || known != want {
			t.Errorf("encoding/json reads %s as %q, %v", text, known, err)
		}
	}
	for _, text := range []string{`1`, `null`, `[]`, `{"a":1}`, `true`} {
		check(t, text, decode(text, func(d *codec.Decoder) { d.String() }), " type: must be a string")
	}
}

func TestLength(t *testing.T) {
	for _, test := range []struct {
		text        string
		least, most int
		want        string
	}{
		{"", 0, 0, ""}, {"", 0, -1, ""}, {"", 1, -1, " minLength"}, {"a", 1, 1, ""}, {"ab", 0, 1, " maxLength"}, {"é", 1, 1, ""}, {"é", 2, -1, " minLength"},
		{"😀", 1, 1, ""}, {"😀", 2, -1, " minLength"}, {"😀😀", 0, 1, " maxLength"}, {"e\u0301", 2, 2, ""}, {"aaaa", 2, 4, ""}, {"é😀a", 3, 3, ""}, {"é😀a", 4, 4, " minLength"},
		{"a", 1 << 62, -1, " minLength"}, {"\xff\xff", 2, 2, ""},
	} {
		got := decode("0", func(d *codec.Decoder) { d.Number(); d.Length(test.text, test.least, test.most) })
		check(t, test.text, keywords(got), list(test.want)...)
	}
}

// TestStringsAreWrittenAsEncodingJSONDoes for every character, and everything that is not one.
func TestStringsAreWrittenAsEncodingJSONDoes(t *testing.T) {
	texts := []string{"", "abc", `<a href="x">&amp;</a>`, "\u2028\u2029\u2027\u202a", "\xff", "a\xffb\xfe", "\xed\xa0\x80", "\xe2\x80", "\xe2\x80x", "😀\xf0\x9f\x98", "\ufffd", "é\x00\x1f\x7f", "\xc0\x80"}
	for r := range rune(0x3000) {
		texts = append(texts, "x"+string(r)+"y")
	}
	for r := rune(0xd000); r < utf8.MaxRune; r += 61 {
		texts = append(texts, string(r))
	}
	for b := range 256 {
		texts = append(texts, string([]byte{byte(b)}), string([]byte{'a', byte(b), 0xa8, 'b'}))
	}
	for _, text := range texts {
		want, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := encode(func(e *codec.Encoder) { e.String(text) }); got != string(want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		// Inside a string, as the json option string has it.
		field, err := json.Marshal(struct {
			S string `json:",string"`
		}{text})
		if err != nil {
			t.Fatal(err)
		}
		if got := encode(func(e *codec.Encoder) { e.QuotedString(text) }); got != strings.TrimSuffix(strings.TrimPrefix(string(field), `{"S":`), "}") {
			t.Errorf("%q: %s, want %s", text, got, field)
		}
	}
}
