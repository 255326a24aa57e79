package codec_test

import (
	"math"
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

// TestPlacesWritten: where a problem is, is read from what was written: names with escapes, after values that hold names and brackets of
// their own, in objects that are not complete.
func TestPlacesWritten(t *testing.T) {
	refuse := func(e *codec.Encoder) { e.Refuse("minLength", "1") }
	const word = ": must have at least 1 character"
	for name, test := range map[string]struct {
		write func(e *codec.Encoder)
		want  string
	}{
		"alone":  {func(e *codec.Encoder) { e.String(""); refuse(e) }, "(must have at least 1 character)"},
		"before": {func(e *codec.Encoder) { e.Object(); e.Name(`"a":`); refuse(e); e.Null(); e.EndObject() }, "(/a" + word + ")"},
		"names": {func(e *codec.Encoder) {
			e.Object()
			e.Name(`"a\"b":`)
			e.String(`{"no":[",`)
			e.Then(`,"é/~\u003c":`)
			e.Array()
			e.Item()
			e.Any(map[string]any{"x": []any{"]}", map[string]any{"y": 1}}})
			e.Item()
			e.Object()
			e.Name(`"k":`)
			e.Int(-7)
			refuse(e)
			e.Then(`,"":`)
			e.Bool(true)
			refuse(e)
			e.EndObject()
			refuse(e)
			e.EndArray()
			refuse(e)
			e.EndObject()
			refuse(e)
		}, "(/é~1~0</1/k" + word + "; /é~1~0</1/" + word + "; /é~1~0</1" + word + "; /é~1~0<" + word + "; must have at least 1 character)"},
		"maps and variants": {func(e *codec.Encoder) {
			e.Map()
			e.Key("secret")
			e.Discriminate(`"kind":"a"`)
			e.Object()
			refuse(e)
			e.Name(`"b":`)
			refuse(e)
			e.Null()
			e.EndObject()
			e.Key("other")
			refuse(e)
			e.Null()
			e.EndObject()
		}, "(/*/kind" + word + "; /*/b" + word + "; /*" + word + ")"},
		"an error counts more": {func(e *codec.Encoder) {
			e.Object()
			e.Name(`"a":`)
			refuse(e)
			e.Float(math.NaN(), 64)
			e.Then(`,"b":`)
			e.Object()
			refuse(e)
			e.EndObject()
		}, "(the number NaN has no JSON form)"},
	} {
		if got := encode(test.write); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, test.want)
		}
	}
}

// TestEncoderAllocates: nothing, when the buffer has room, and no more for values that are nested deep.
func TestEncoderAllocates(t *testing.T) {
	enum, pattern := codec.NewEnum(`"a"`, `"b"`), codec.NewPattern("^[a-c]{1}$")
	buffer := make([]byte, 0, 1024)
	var write func(e *codec.Encoder, depth int)
	write = func(e *codec.Encoder, depth int) {
		if e.Object() {
			e.Name(`"text":`)
			e.String("a")
			enum.Check(&e.Report, "a")
			pattern.Check(&e.Report, "a")
			e.Then(`,"int":`)
			e.Int(int64(depth) * 1e9)
			e.Between(int64(depth), 0, 20)
			e.Then(`,"float":`)
			if codec.Compare(e.Float(1.5, 64), "1") < 0 {
				e.Refuse("minimum", "1")
			}
			e.Then(`,"below":`)
			if e.Array() {
				if depth > 0 {
					e.Item()
					write(e, depth-1)
				}
				e.Items(e.EndArray(), 0, 1)
			}
			e.EndObject()
		}
	}
	depth := 6
	value := struct{}{}
	allocations := testing.AllocsPerRun(100, func() {
		if _, err := codec.Append(buffer, &value, func(e *codec.Encoder, _ *struct{}) { write(e, depth) }); err != nil {
			t.Fatal(err)
		}
	})
	if allocations > 0 {
		t.Errorf("%v allocations", allocations)
	}
}
