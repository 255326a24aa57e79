package codec_test

import (
	"testing"

	"github.com/capgen/capgen/capabilities/codec"
)

// readShape reads a circle of a radius, or a group of shapes.
func readShape(d *codec.Decoder) {
	switch d.Discriminator("ki/nd", "circle", "group") {
	case 0:
		if d.Object() {
			var seen [1]uint64
			for d.Next() {
				switch string(d.Name()) {
				case "r":
					d.Once(seen[:], 0)
					d.Int(8)
				default:
					d.Unknown("r")
				}
			}
			d.Require(seen[:], "r")
			d.Properties(d.Count(), 2, 2)
		}
	case 1:
		if d.Object() {
			for d.Next() {
				switch string(d.Name()) {
				case "of":
					if d.Array() {
						for d.More() {
							readShape(d)
						}
					}
				default:
					d.Unknown("of")
				}
			}
		}
	}
}

func TestUnion(t *testing.T) {
	const oneOf = `: must be "circle" or "group"`
	for _, test := range []struct {
		text string
		want []string
	}{
		{`{"ki/nd":"circle","r":1}`, nil},
		{`{"r":1,"ki/nd":"circle"}`, nil},
		{`{"r":1,"ki\/nd":"circl\u0065"}`, nil},
		{`{"ki/nd":"group"}`, nil},
		{`{"of":[{"r":1,"ki/nd":"circle"},{"ki/nd":"group","of":[]}],"ki/nd":"group"}`, nil},
		{`{"of":[{"r":{},"ki/nd":"circle"}],"ki/nd":"group"}`, []string{"/of/0/r type: must be an integer"}},
		{`{"r":1}`, []string{"/ki~1nd required" + oneOf + ", and is missing"}},
		{`{}`, []string{"/ki~1nd required" + oneOf + ", and is missing"}},
		{`{"ki/nd":"square","x":1}`, []string{"/ki~1nd const" + oneOf}},
		{`{"ki/nd":"Circle"}`, []string{"/ki~1nd const" + oneOf}},
		{`{"ki/nd":1}`, []string{"/ki~1nd const" + oneOf}},
		{`{"ki/nd":null}`, []string{"/ki~1nd const" + oneOf}},
		{`{"x":{"ki/nd":"circle"},"ki/nd":["circle"]}`, []string{"/ki~1nd const" + oneOf}},
		{`{"of":[{"ki/nd":"x"},{}],"ki/nd":"group"}`, []string{"/of/0/ki~1nd const" + oneOf, "/of/1/ki~1nd required" + oneOf + ", and is missing"}},
		{`{"ki/nd":"circle","r":1,"ki/nd":"circle"}`, []string{"/ki~1nd syntax: is not JSON: a discriminator is there twice"}},
		{`{"ki/nd":"circle","r":1,"ki/nd":"group"}`, []string{"/ki~1nd syntax: is not JSON: a discriminator is there twice"}},
		{`{"ki/nd":"circle","r":1,"r":1}`, []string{twice}},
		{`{"ki/nd":1,"ki/nd":"circle"}`, []string{twice}},
		{`{"ki/nd":"square","ki/nd":"circle"}`, []string{twice}},
		{`{"r":1,"r":1}`, []string{twice}},
		{`[]`, []string{" type: must be an object"}},
		{`"circle"`, []string{" type: must be an object"}},
		{`{"x":1,`, []string{early}},
		{`{"x":tru,"ki/nd":"circle"}`, []string{mistak + "5"}},
		{`{"ki/nd":"circ`, []string{early}},
		{`{"ki/nd":"circle","r":1,}`, []string{mistak + "24"}},
		{`{"ki/nd":"circle","r":1,"s":1}`, []string{" additionalProperties: has a property that is not known; the properties are r", " maxProperties: must have at most 2 properties"}},
		{nested(`{"of":[`, "", `],"ki/nd":"group"}`, 500), nil},
		{nested(`{"of":[`, "{}", `],"ki/nd":"group"}`, 500), []string{deep}},
		{nested(`{"of":[`, "[]", `],"ki/nd":"group"}`, 500), []string{deep}},
	} {
		check(t, test.text, decode(test.text, readShape), test.want...)
	}
}

func TestUnionIsWrittenWithItsDiscriminator(t *testing.T) {
	got := encode(func(e *codec.Encoder) {
		if e.Array() {
			e.Item()
			e.Discriminate(`"kind":"a"`)
			if e.Object() {
				e.EndObject()
			}
			e.Item()
			e.Discriminate(`"kind":"b"`)
			if e.Object() {
				e.Name(`"x":`)
				if e.Object() {
					e.Name(`"y":`)
					e.Refuse("enum", "1")
					e.Null()
					e.EndObject()
				}
				if n := e.EndObject(); n != 2 {
					t.Errorf("%d members", n)
				}
			}
			e.EndArray()
		}
	})
	if got != "(/1/x/y: must be one of 1)" {
		t.Error(got)
	}
}
