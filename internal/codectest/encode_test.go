package codectest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/capgen/capgen/capabilities"
)

// TestEncode runs a fixed part of what FuzzEncode explores.
func TestEncode(t *testing.T) {
	n := uint64(perSubject)
	if testing.Short() {
		n /= 10
	}
	for _, s := range subjects(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			sent := 0
			for seed := range n {
				if s.holdEncode(t, seed) {
					sent++
				}
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
			t.Logf("%d of %d sent", sent, n)
		})
	}
}

// FuzzEncode holds the generated encoders against the output schema and the JSON engine, on random values.
func FuzzEncode(f *testing.F) {
	all := subjects(f)
	for i := range all {
		f.Add(uint8(i), uint64(1))
	}
	f.Fuzz(func(t *testing.T, which uint8, seed uint64) {
		all[int(which)%len(all)].holdEncode(t, seed)
	})
}

// holdEncode encodes a random value, or a good one with a random part. What is sent validates and is what the engine writes; what it
// stands for is the value.
func (s *subject) holdEncode(t *testing.T, seed uint64) (sent bool) {
	t.Helper()
	f := &filler{Rand: rand.New(rand.NewPCG(seed, 2)), tame: seed%2 == 0}
	out := s.value(t, f)
	text, err := s.encode(out)
	reference, referenceErr := s.referenceEncode(out)
	if s.name == "unions" { // of which the reference knows nothing
		reference, referenceErr = s.write(out)
	}
	if err != nil {
		var problems capabilities.Problems
		if errors.As(err, &problems) && referenceErr == nil {
			t.Errorf("%s\n%+v\nis refused (%v), and the reference writes %s", s.name, out, err, reference)
		}
		return false
	}
	if referenceErr == nil && !bytes.Equal(text, reference) {
		t.Errorf("%s\n%+v\nencoded: %s\nengine:  %s", s.name, out, text, reference)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil || !json.Valid(text) {
		t.Errorf("%s\n%+v\nis encoded as %s, which is not JSON", s.name, out, text)
		return true
	}
	if reason := unreadable(tree, 1); reason != "" {
		t.Errorf("%s\nis encoded with %s", s.name, reason)
		return true
	}
	if err := s.output.Validate(tree); err != nil {
		t.Errorf("%s\n%+v\nis encoded as %s\n%v", s.name, out, text, err)
	}
	s.holdReturn(t, out, text, f.tame)
	return true
}

// write has the engine write a result, and the validator check it.
func (s *subject) write(out any) ([]byte, error) {
	text, err := jsonv2.Marshal(out, engine)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return nil, err
	}
	return text, s.output.Validate(tree)
}

// value makes a result to encode: a random one, or one of the samples with some of its parts made anew.
func (s *subject) value(t *testing.T, f *filler) any {
	if f.IntN(3) == 0 {
		v := reflect.New(s.out).Elem()
		f.fill(v)
		return v.Interface()
	}
	in, err := s.decode([]byte(s.samples[f.IntN(len(s.samples))]))
	if err != nil {
		t.Fatal(err)
	}
	v := reflect.New(s.out).Elem()
	v.Set(reflect.ValueOf(in).FieldByName("Body"))
	for range f.IntN(4) {
		if i := f.IntN(v.NumField()); v.Field(i).CanSet() && v.Type().Field(i).Tag.Get("json") != "-" {
			f.fill(v.Field(i))
		}
	}
	return v.Interface()
}

// same holds values equal that differ only in what JSON does not tell apart.
var same = cmp.Options{
	cmpopts.EquateEmpty(),
	cmp.Exporter(func(reflect.Type) bool { return true }),
	cmp.Comparer(func(a, b *big.Int) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 }),
	cmp.Comparer(func(a, b netip.Addr) bool { return a == b }),
}

// holdReturn sends the value as an input, and reads it back: decoding undoes encoding.
func (s *subject) holdReturn(t *testing.T, out any, text []byte, tame bool) {
	t.Helper()
	in := reflect.New(s.in).Elem()
	in.FieldByName("Body").Set(reflect.ValueOf(out))
	input, err := s.encodeInput(in.Interface())
	if err != nil || string(input) != `{"body":`+string(text)+`}` {
		t.Errorf("%s\n%+v\nas a result is %s\nas an input  %s %v", s.name, out, text, input, err)
		return
	}
	back, err := s.decode(input)
	if err != nil {
		if tame || s.judge(input).accept {
			t.Errorf("%s\n%s\nis not read back: %v", s.name, input, err)
		}
		return
	}
	if tame && s.name != "defaults" && !cmp.Equal(back, in.Interface(), same) {
		t.Errorf("%s\n%s\nis read back as %+v\nand was         %+v", s.name, input, back, in.Interface())
	}
	again, err := s.encodeInput(back)
	if err != nil || tame && s.name != "defaults" && !bytes.Equal(again, input) {
		t.Errorf("%s\n%s\nread and written again is %s %v", s.name, input, again, err)
	}
}
