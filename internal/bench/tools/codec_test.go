package tools

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/capgen/capgen/capabilities/codec"
)

// TestCodec holds that what is compared does the same.
func TestCodec(t *testing.T) {
	order := SampleOrder()
	text := marshal(order)
	in, err := OrderQuote{}.Capability().Decode(text)
	if err != nil || !reflect.DeepEqual(in, order) {
		t.Errorf("the decoder reads %+v, error %v", in, err)
	}
	if err := validate(inputSchema(t), text); err != nil {
		t.Error(err)
	}
	quote := Price(&order)
	out, err := quoteCodec.AppendOutput(nil, &quote)
	if err != nil || !bytes.Equal(out, marshal(quote)) {
		t.Errorf("the encoder writes %s, error %v", out, err)
	}
}

// TestCodecAllocates holds how often the codec allocates: for the order and what is in it, and not at all when it writes.
func TestCodecAllocates(t *testing.T) {
	order := SampleOrder()
	text := marshal(order)
	capability := OrderQuote{}.Capability()
	if n := testing.AllocsPerRun(100, func() {
		if _, err := capability.Decode(text); err != nil {
			t.Fatal(err)
		}
	}); n > 70 {
		t.Errorf("the decoder allocates %v times", n)
	}
	quote, buffer := Price(&order), make([]byte, 0, 8<<10)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := quoteCodec.AppendOutput(buffer, &quote); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("the encoder allocates %v times", n)
	}
}

// quoteCodec is what the generated file gives to DeclareCodec.
var quoteCodec = codec.Of(readOrderQuote, writeOrderQuote, writeQuote)

// BenchmarkDecode reads the order's arguments in three ways. Only standard does not validate them.
func BenchmarkDecode(b *testing.B) {
	text := marshal(SampleOrder())
	schema := inputSchema(b)
	capability := OrderQuote{}.Capability()
	run := func(name string, decode func() error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if err := decode(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("standard", func() error {
		var in OrderQuote
		return json.Unmarshal(text, &in)
	})
	run("generated", func() error {
		_, err := capability.Decode(text)
		return err
	})
	run("jsonschema", func() error {
		if err := validate(schema, text); err != nil {
			return err
		}
		var in OrderQuote
		return json.Unmarshal(text, &in)
	})
}

// BenchmarkEncode writes the quote, as generated into a buffer that is large enough.
func BenchmarkEncode(b *testing.B) {
	order := SampleOrder()
	quote := Price(&order)
	b.Run("standard", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(&quote); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("generated", func(b *testing.B) {
		buffer := make([]byte, 0, 8<<10)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := quoteCodec.AppendOutput(buffer, &quote); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func inputSchema(tb testing.TB) *jsonschema.Schema {
	schema, err := jsonschema.CompileString("order.json", string(OrderQuote{}.Capability().Definition().Input))
	if err != nil {
		tb.Fatal(err)
	}
	return schema
}

func validate(schema *jsonschema.Schema, text []byte) error {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	return schema.Validate(value)
}
