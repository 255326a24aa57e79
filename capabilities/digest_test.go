package capabilities_test

import (
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/quickstart/zones"
)

// TestDigest: what a program can notice changes the digest, and what only a reader can does not.
func TestDigest(t *testing.T) {
	original := zones.ZoneFind{}.Capability().Definition()
	for _, test := range []struct {
		name   string
		change func(*capabilities.Definition)
		same   bool
	}{
		{"nothing", func(*capabilities.Definition) {}, true},
		{"description", func(d *capabilities.Definition) { d.Description = "other" }, true},
		{"tool", func(d *capabilities.Definition) { d.Tool = "other" }, true},
		{"description of a field", replaced(`"description":"At is`, `"description":"Is at`), true},
		{"example", replaced(`"berlin"`, `"paris"`), true},
		{"spelling", replaced(`"limit":{`, `"limit" : {`), true},
		{"bound", replaced(`"maximum":50`, `"maximum":51`), false},
		{"bound past 2^53", replaced(`"maximum":50`, `"maximum":9007199254740993`), false},
		{"default", replaced(`"default":10`, `"default":11`), false},
		{"property named as a note", replaced(`"at":{`, `"title":{"type":"string"},"at":{`), false},
		{"risk", func(d *capabilities.Definition) { d.Risk = capabilities.Write }, false},
		{"major", func(d *capabilities.Definition) { d.ID.Major = 2 }, false},
		{"idempotent", func(d *capabilities.Definition) { d.Idempotent = true }, false},
	} {
		changed := *original
		test.change(&changed)
		if same := changed.Digest() == original.Digest(); same != test.same {
			t.Errorf("%s: the same digest: %v, want %v", test.name, same, test.same)
		}
	}
	if d := original.Digest(); len(d) != 64 || strings.Trim(d, "0123456789abcdef") != "" {
		t.Errorf("%q is not 64 hexadecimal digits", d)
	}
}

// replaced changes the input schema at a text that must be in it.
func replaced(before, after string) func(*capabilities.Definition) {
	return func(d *capabilities.Definition) {
		text := strings.Replace(string(d.Input), before, after, 1)
		if text == string(d.Input) {
			panic(before + " is not in the schema")
		}
		d.Input = []byte(text)
	}
}
