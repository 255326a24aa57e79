package codectest_test

import (
	"errors"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
)

// perSubject is how many mutations of each subject's documents a plain test run tries.
const perSubject = 1500

// TestDecode runs a fixed part of what FuzzDecode explores.
func TestDecode(t *testing.T) {
	n := uint64(perSubject)
	if testing.Short() {
		n /= 10
	}
	for _, s := range subjects(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			var documents []*node
			for _, sample := range s.samples {
				if got := s.judge([]byte(sample)); !got.accept {
					t.Fatalf("the oracle refuses the sample %s: %s", sample, got.why)
				}
				s.holdDecode(t, []byte(sample))
				documents = append(documents, parseNode([]byte(sample)))
			}
			accepted := 0
			for seed := range n {
				m := newMutator(seed, documents)
				if s.holdDecode(t, m.mutate(documents[seed%uint64(len(documents))])) {
					accepted++
				}
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
			t.Logf("%d of %d accepted", accepted, n)
		})
	}
}

// oddBytes are those that mean something in JSON, and some that may not be there.
const oddBytes = " \t{}[],:\"\\09eE.-ntfu\x00\x1f\x7f\xc3\xff"

// TestCutAndBroken decodes every beginning of every sample, and every sample with each of its bytes replaced, left out or doubled.
func TestCutAndBroken(t *testing.T) {
	for _, s := range subjects(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			for _, sample := range s.samples {
				for i := range len(sample) {
					odd := oddBytes[i%len(oddBytes):][:1]
					for _, text := range []string{
						sample[:i], sample[:i] + odd + sample[i+1:], sample[:i] + sample[i+1:], sample[:i+1] + sample[i:],
					} {
						s.holdDecode(t, []byte(text))
					}
					if t.Failed() {
						t.FailNow()
					}
				}
			}
		})
	}
}

// FuzzDecode holds the generated decoders against the oracle on texts, and on documents that are mutated when there is a seed.
func FuzzDecode(f *testing.F) {
	all := subjects(f)
	for i, s := range all {
		for j, sample := range s.samples {
			f.Add(uint8(i), uint64(j), []byte(sample))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, seed uint64, text []byte) {
		s := all[int(which)%len(all)]
		s.holdDecode(t, text)
		if document := parseNode(text); document != nil && seed > 0 {
			documents := []*node{document}
			for _, sample := range s.samples {
				documents = append(documents, parseNode([]byte(sample)))
			}
			s.holdDecode(t, newMutator(seed, documents).mutate(document))
		}
	})
}

// holdDecode decodes a text and holds the outcome against the oracle's: whether it is accepted, what it stands for, and what is said to
// be wrong with it.
func (s *subject) holdDecode(t *testing.T, text []byte) (accepted bool) {
	t.Helper()
	given := slices.Clip(slices.Clone(text)) // a byte read behind it is a panic
	value, err := s.decode(given)
	if !slices.Equal(given, text) {
		t.Errorf("the text was changed")
	}
	// A value holds nothing of its text, whose memory another request uses next.
	for i := range given {
		given[i] = '#'
	}
	want := s.judge(text)
	if want.accept != (err == nil) {
		t.Errorf("%s\n%.2000s\ndecoded: %v\noracle:  %t %s", s.name, text, err, want.accept, want.why)
		return false
	}
	if err == nil {
		if want.value != nil && s.name != "defaults" && !reflect.DeepEqual(value, want.value) {
			t.Errorf("%s\n%.2000s\ndecoded: %+v\nengine:  %+v", s.name, text, value, want.value)
		}
		return true
	}
	var problems capabilities.Problems
	if !errors.As(err, &problems) || len(problems) == 0 || len(problems) > capabilities.MaxProblems {
		t.Errorf("%s\n%.2000s\nthe error is %v", s.name, text, err)
	}
	if want.bySchema {
		s.holdProblems(t, text, problems, want.besides)
	}
	return false
}

// holdProblems compares what is said to be wrong with what the reference says.
func (s *subject) holdProblems(t *testing.T, text []byte, problems capabilities.Problems, besides bool) {
	t.Helper()
	_, err := s.referenceDecode(text)
	got, want := problemsOf(problems), problemsOf(err)
	if twice := got["syntax"] && s.name == "forms"; twice { // two names of a map decode to one key
		return
	}
	var all capabilities.Problems
	if errors.As(err, &all); len(problems) == capabilities.MaxProblems || len(all) == capabilities.MaxProblems || emptyName.Match(text) {
		return
	}
	for p := range want {
		if s.name == "unions" { // where the reference says what is wrong with every variant
			break
		}
		if !got[p] && !unsaid(p, got) {
			t.Errorf("%s\n%.2000s\n%s is not said, but %v", s.name, text, p, slices.Sorted(maps.Keys(got)))
		}
	}
	for p := range got {
		p = strings.Replace(p, "/ki~1nd required", " required", 1) // a discriminator is missing at its own pointer
		// What the type itself refuses, the reference says only of texts that are good otherwise.
		if own := besides || s.name == "forms" || s.name == "quoted" || s.name == "declared" || large.Match(text); !want[p] && !own {
			t.Errorf("%s\n%.2000s\n%s is said, and only %v is wrong", s.name, text, p, slices.Sorted(maps.Keys(want)))
		}
	}
}

var (
	// large are numbers that some type may not hold.
	large = regexp.MustCompile(`[0-9]{18}|[0-9][eE]\+?[0-9]{2}`)
	// emptyName is a name that the reference leaves out of its pointers.
	emptyName = regexp.MustCompile(`""\s*:`)
)

// unsaid allows for what the reference says and the decoder does not: of a nullable reference, that the value is not null, although
// that is not what is wrong with it; of the items that are too many for a Go array, of a member whose name is wrong and of a value
// that its type cannot hold, anything else.
func unsaid(problem string, said map[string]bool) bool {
	pointer, keyword, _ := strings.Cut(problem, " ")
	for other := range said {
		at, word, _ := strings.Cut(other, " ")
		below := at == pointer || strings.HasPrefix(pointer, at+"/")
		switch {
		case keyword == "type" && (at == pointer || strings.HasPrefix(at, pointer+"/")),
			word == "maxItems" && below,
			(word == "pattern" || word == "propertyNames") && strings.HasSuffix(at, "/*") && below,
			slices.Contains([]string{"minimum", "maximum", "type", "contentEncoding", "format"}, word) && at == pointer:
			return true
		}
	}
	return false
}
