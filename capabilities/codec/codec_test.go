package codec_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/capabilities/codec"
)

// decode reads a text and returns its problems as "pointer keyword: message".
func decode(text string, read func(*codec.Decoder)) []string {
	var none struct{}
	return words(codec.Decode([]byte(text), &none, func(d *codec.Decoder, _ *struct{}) { read(d) }))
}

func words(problems capabilities.Problems) []string {
	var list []string
	for _, p := range problems {
		list = append(list, fmt.Sprintf("%s %s: %s", p.Pointer, p.Keyword, p.Message))
	}
	return list
}

// keywords returns the problems as "pointer keyword".
func keywords(problems []string) []string {
	var list []string
	for _, p := range problems {
		word, _, _ := strings.Cut(p, ":")
		list = append(list, word)
	}
	return list
}

func check(t *testing.T, text string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%.200s\n got %q\nwant %q", text, got, want)
	}
}

// encode writes a value and returns its text, or its error in brackets.
func encode(write func(*codec.Encoder)) string {
	var none struct{}
	text, err := codec.Append([]byte("x"), &none, func(e *codec.Encoder, _ *struct{}) { write(e) })
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return strings.TrimPrefix(string(text), "x")
}

const (
	early  = " syntax: is not JSON: the text ends too early"
	twice  = " syntax: is not JSON: an object has the same name twice"
	after  = " syntax: is not JSON: something follows the value"
	utf8s  = " syntax: is not JSON: a string is not UTF-8"
	deep   = " syntax: is nested more than 1000 levels deep"
	expo   = " syntax: holds a number whose exponent has more than 4 digits"
	mistak = " syntax: is not JSON: there is a mistake at byte "
)
