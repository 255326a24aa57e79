package compat_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/capgen/capgen/internal/compat"
	"github.com/capgen/capgen/internal/compat/compattest"
)

var rounds = flag.Int("rounds", 1000, "how many pairs of contracts TestVerdicts compares")

// TestVerdicts holds verdicts against the reference validator. Where every change of an input is said to be compatible, what the earlier schema
// accepts the later one accepts too; of an output it is the other way. And what a breaking change is shown by must show it.
func TestVerdicts(t *testing.T) {
	verdicts := map[compat.Verdict]int{}
	for seed := range uint64(*rounds) {
		verdicts[judgeRandom(t, seed, 3)]++
	}
	t.Log(verdicts)
	for _, verdict := range []compat.Verdict{compat.Compatible, compat.NeedsReview, compat.Breaking} {
		if verdicts[verdict] < *rounds/20 {
			t.Errorf("%d are %s, which is too few to tell", verdicts[verdict], verdict)
		}
	}
}

func FuzzVerdicts(f *testing.F) {
	f.Fuzz(func(t *testing.T, seed, other uint64) { judgeRandom(t, seed, other) })
}

// judgeRandom compares contracts that are made at random, and returns the worst verdict about one part of them.
func judgeRandom(t *testing.T, seed, other uint64) compat.Verdict {
	t.Helper()
	r := compattest.New(seed, other)
	part := []string{"input", "output"}[r.IntN(2)]
	before := r.Document()
	after := r.Mutate(before).(compattest.Object)
	findings, err := compat.Compare(contracts(t, part, before), contracts(t, part, after))
	if err != nil {
		t.Fatal(err)
	}
	sub, sup, from := compattest.Validator(t, compattest.Encode(t, before)), compattest.Validator(t, compattest.Encode(t, after)), before
	if part == "output" {
		sub, sup, from = sup, sub, after
	}
	verdict := compat.Compatible
	for _, f := range findings {
		if f.Verdict == compat.Breaking || f.Verdict == compat.NeedsReview && verdict == compat.Compatible {
			verdict = f.Verdict
		}
		if f.Example == nil {
			continue
		}
		if value := decode(t, f.Example); sub.Validate(value) != nil || sup.Validate(value) == nil {
			t.Fatalf("seed %d %d: %s of %s does not show what it should:\n%s\n%s", seed, other, f.Example, part, compattest.Encode(t, before), compattest.Encode(t, after))
		}
	}
	if verdict != compat.Compatible {
		return verdict
	}
	for range 40 {
		if value := r.Text(from, from, 0); sub.Validate(value) == nil && sup.Validate(value) != nil {
			t.Fatalf("seed %d %d: the %s is said to be compatible, and %s is not:\n%s\n%s", seed, other, part, compattest.Encode(t, value), compattest.Encode(t, before), compattest.Encode(t, after))
		}
	}
	return verdict
}

// contracts returns one contract, one part of which is a schema.
func contracts(t *testing.T, part string, schema any) []*compat.Contract {
	t.Helper()
	parts := map[string]any{"input": compattest.Object{}, "output": compattest.Object{}}
	parts[part] = schema
	text := fmt.Sprintf(`{"id": "test:look@1", "tool": "look", "risk": "read", "access": "public", "input": %s, "output": %s}`,
		compattest.Encode(t, parts["input"]), compattest.Encode(t, parts["output"]))
	c, err := compat.ParseContract("look.v1.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return []*compat.Contract{c}
}

func decode(t *testing.T, text []byte) (value any) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}
