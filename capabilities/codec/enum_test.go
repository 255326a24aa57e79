package codec_test

import (
	"fmt"
	"testing"

	"github.com/capgen/capgen/capabilities/codec"
)

// TestEnum reads and writes strings of enums that are looked through and of ones that are not, in every spelling.
func TestEnum(t *testing.T) {
	few := []string{`"a"`, `""`, `"\u003cé\""`}
	many := append([]string{}, few...)
	for i := range 20 {
		many = append(many, fmt.Sprintf(`"value%d"`, i))
	}
	for _, texts := range [][]string{few, many} {
		enum := codec.NewEnum(texts...)
		for text, want := range map[string]string{
			`"a"`: "a", `"\u0061"`: "a", `""`: "", `"<é\""`: "<é\"", `"\u003C\u00e9\u0022"`: "<é\"",
		} {
			check(t, text, decode(text, func(d *codec.Decoder) {
				if got, ok := d.Enum(enum); !ok || got != want {
					t.Errorf("%s is read as %q, %t", text, got, ok)
				}
			}))
			if got := encode(func(e *codec.Encoder) { enum.Check(&e.Report, want) }); got != "" {
				t.Errorf("%q is %s", want, got)
			}
		}
		for _, text := range []string{`"A"`, `"a "`, `"value20"`} {
			if got := keywords(decode(text, func(d *codec.Decoder) { d.Enum(enum) })); len(got) != 1 || got[0] != " enum" {
				t.Errorf("%s is refused for %q", text, got)
			}
		}
		check(t, "1", decode("1", func(d *codec.Decoder) { d.Enum(enum) }), " type: must be a string")
	}
	enum := codec.NewEnum(few...)
	check(t, `"b"`, decode(`"b"`, func(d *codec.Decoder) { d.Enum(enum) }), ` enum: must be one of "a", "" or "\u003cé\""`)
	if got := encode(func(e *codec.Encoder) { enum.Check(&e.Report, "b") }); got != `(must be one of "a", "" or "\u003cé\"")` {
		t.Error(got)
	}
}
