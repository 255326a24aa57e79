package codec_test

import (
	"testing"

	"github.com/capgen/capgen/capabilities/codec"
)

type tree struct {
	left, right *tree
	list        []*tree
	byName      map[string]*tree
}

func writeTree(e *codec.Encoder, v *tree) {
	if e.Object() {
		for name, below := range map[string]*tree{`"left":`: v.left, `"right":`: v.right} {
			if below != nil {
				e.Name(name)
				writeTree(e, below)
			}
		}
		e.Name(`"list":`)
		if e.Array() {
			for _, below := range v.list {
				e.Item()
				writeTree(e, below)
			}
			e.Items(e.EndArray(), 0, 1)
		}
		e.Name(`"a/b":`)
		if e.Map() {
			for _, k := range codec.SortedKeys(e, v.byName) {
				e.Key(k.Name)
				writeTree(e, v.byName[k.Key])
			}
			e.Properties(e.EndObject(), 0, 1)
		}
		e.EndObject()
	}
}

func TestEncoderStructure(t *testing.T) {
	leaf := func() *tree { return &tree{} }
	const empty = `{"list":[],"a/b":{}}`
	for _, test := range []struct {
		value *tree
		want  string
	}{
		{leaf(), empty},
		{&tree{left: leaf(), list: []*tree{leaf()}, byName: map[string]*tree{"k": leaf()}}, `{"left":` + empty + `,"list":[` + empty + `],"a/b":{"k":` + empty + `}}`},
		{&tree{list: []*tree{leaf(), leaf()}}, "(/list: must have at most 1 item)"},
		{&tree{list: []*tree{{byName: map[string]*tree{"x": leaf(), "y": {list: []*tree{leaf(), leaf()}}}}}}, "(/list/0/a~1b/*/list: must have at most 1 item; /list/0/a~1b: must have at most 1 property)"},
	} {
		if got := encode(func(e *codec.Encoder) { writeTree(e, test.value) }); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
	if got := encode(func(e *codec.Encoder) { e.Nil() }); got != "(must be a value, and is nil)" {
		t.Error(got)
	}
}

// TestCyclesEnd: a value that holds itself, even in many ways, is an error and takes no time.
func TestCyclesEnd(t *testing.T) {
	v := &tree{}
	v.left, v.right, v.list, v.byName = v, v, []*tree{v, v, v}, map[string]*tree{"a": v, "b": v}
	if got := encode(func(e *codec.Encoder) { writeTree(e, v) }); got != "(the value is nested more than 1000 levels deep)" {
		t.Errorf("%.100s", got)
	}
}
