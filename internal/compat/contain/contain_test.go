package contain_test

import (
	"encoding/json"
	"flag"
	"regexp"
	"strings"
	"testing"

	"github.com/capgen/capgen/internal/compat/compattest"
	"github.com/capgen/capgen/internal/compat/contain"
	"github.com/capgen/capgen/internal/compat/schema"
)

var rounds = flag.Int("rounds", 1500, "how many pairs of schemas TestRandom compares")

// TestRandom holds verdicts against the reference validator: what is contained takes no text that the greater schema refuses, and what is shown
// not to be has such a text.
func TestRandom(t *testing.T) {
	var tally tally
	for seed := range uint64(*rounds) {
		compareRandom(t, seed, 7, &tally)
	}
	t.Logf("%+v", tally)
	if tally.contained < *rounds/10 || tally.shown < *rounds/10 || tally.shown < 3*tally.unknown || tally.withExample < tally.shown*9/10 {
		t.Errorf("too little is decided: %+v", tally)
	}
}

// FuzzContain compares schemas that are made at random: the fuzzer chooses the seeds.
func FuzzContain(f *testing.F) {
	f.Fuzz(func(t *testing.T, seed, other uint64) { compareRandom(t, seed, other, new(tally)) })
}

// FuzzTexts compares schemas that the fuzzer writes, and holds a text of its own against the verdict.
func FuzzTexts(f *testing.F) {
	for seed := range uint64(200) {
		r := compattest.New(seed, 1)
		first := r.Document()
		f.Add(compattest.Encode(f, first), compattest.Encode(f, r.Mutate(first)), compattest.Encode(f, r.Text(first, first, 0)))
	}
	f.Fuzz(func(t *testing.T, first, second, input string) {
		sub, err := schema.Parse([]byte(first), "")
		if err != nil {
			return
		}
		sup, err := schema.Parse([]byte(second), "")
		if err != nil {
			return
		}
		doubts := contain.In(sub.Root(), sup.Root())
		for _, d := range doubts {
			if d.Example != nil && (!sub.Root().Accepts(d.Example) || sup.Root().Accepts(d.Example)) {
				t.Fatalf("%+v", d)
			}
		}
		decoder := json.NewDecoder(strings.NewReader(input))
		decoder.UseNumber()
		var value any
		if len(doubts) > 0 || decoder.Decode(&value) != nil || huge.MatchString(input) {
			return
		}
		if compattest.Validator(t, first).Validate(value) == nil && compattest.Validator(t, second).Validate(value) != nil {
			t.Fatalf("%s is said to be contained in %s, and %s is not", first, second, input)
		}
	})
}

// huge finds exponents that the reference validator does not survive.
var huge = regexp.MustCompile(`[eE][+-]?[0-9]{5}`)

// tally counts the verdicts.
type tally struct{ contained, shown, withExample, unknown int }

func compareRandom(t *testing.T, seed, other uint64, tally *tally) {
	t.Helper()
	r := compattest.New(seed, other)
	first := r.Document()
	second, _ := r.Mutate(first).(compattest.Object)
	if r.IntN(8) == 0 {
		second = r.Document()
	}
	if r.Often() {
		first, second = second, first
	}
	sub, sup := compattest.Encode(t, first), compattest.Encode(t, second)
	doubts := contain.In(parse(t, sub), parse(t, sup))
	lesser, greater := compattest.Validator(t, sub), compattest.Validator(t, sup)
	if len(doubts) == 0 {
		tally.contained++
		for range 60 {
			value := r.Text(first, first, 0)
			if r.Rarely() {
				value = r.Text(second, second, 0)
			}
			if lesser.Validate(value) == nil && greater.Validate(value) != nil {
				t.Fatalf("seed %d %d: %s is said to be contained in\n%s, and %s is not", seed, other, sub, sup, compattest.Encode(t, value))
			}
		}
		return
	}
	shown, example := false, false
	for _, d := range doubts {
		shown = shown || d.Shown
		if d.Example == nil {
			continue
		}
		example = true
		if lesser.Validate(d.Example) != nil || greater.Validate(d.Example) == nil {
			t.Fatalf("seed %d %d: %s is said to show that %s is not contained in\n%s: %+v", seed, other, compattest.Encode(t, d.Example), sub, sup, d)
		}
	}
	switch {
	case shown:
		tally.shown++
		if example {
			tally.withExample++
		}
	default:
		tally.unknown++
	}
}

func parse(t *testing.T, text string) *schema.Node {
	t.Helper()
	d, err := schema.Parse([]byte(text), "")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d.Root()
}
