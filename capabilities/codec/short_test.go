package codec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// holdShort holds what is made of short numbers against the long way.
func holdShort(t *testing.T, a, b string) {
	t.Helper()
	d := Decoder{Report: Report{text: []byte(a)}}
	if !isNumeral(d.peek()) || !d.skipNumber() || d.pos < len(a) {
		if _, length := shortFloat([]byte(a)); length > 0 && length == len(a) {
			t.Errorf("%q is read as a short number", a)
		}
		return
	}
	want, err := strconv.ParseFloat(a, 64)
	if got, length := shortFloat([]byte(a)); length > 0 && (length != len(a) || err != nil || math.Float64bits(got) != math.Float64bits(want)) {
		t.Errorf("%s is read as %v, and by strconv as %v, %v", a, got, want, err)
	}
	if mantissa, fraction, length := readShort(a); length > 0 && fraction == 0 {
		if negative, magnitude, outcome := integral([]byte(a)); outcome != isIntegral || magnitude != uint64(max(mantissa, -mantissa)) || negative != (mantissa < 0) {
			t.Errorf("%s is read as %d", a, mantissa)
		}
	}
	d = Decoder{Report: Report{text: []byte(b)}}
	if !isNumeral(d.peek()) || !d.skipNumber() || d.pos < len(b) {
		return
	}
	if got, ok := compareShort([]byte(a), b); ok && got != compareLong([]byte(a), b) {
		t.Errorf("%s and %s compare as %d", a, b, got)
	}
}

func TestShortNumbers(t *testing.T) {
	edges := []string{"0", "-0", "-0.0", "0.0", "1", "-1", "1.0", "0.1", "-0.1", "100", "100.00", "99.99", "9007199254740992", "9007199254740993", "-9007199254740993",
		"900719925474099.25", "0.00000000000000001", "999999999999999999", "-999999999999999999", "9.99999999999999999", "1000000000000000000", "1e2", "1E-2",
		"", "-", "01", "-01", "1.", ".5", "1.5e", "1.5.5", "+1", "1 ", "0x1", "00.1"}
	for _, a := range edges {
		for _, b := range edges {
			holdShort(t, a, b)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	number := func() string {
		text := strconv.FormatUint(r.Uint64()>>r.IntN(64), 10)
		if r.IntN(2) == 0 {
			text += "." + strings.Repeat("0", r.IntN(4)) + strconv.FormatUint(r.Uint64()>>r.IntN(64), 10)
		}
		if r.IntN(2) == 0 {
			text = "-" + text
		}
		return text
	}
	short := 0
	for range 300_000 {
		a, b := number(), number()
		if r.IntN(4) == 0 { // its neighbour
			b = a[:len(a)-1] + fmt.Sprint(r.IntN(10))
		}
		holdShort(t, a, b)
		if _, ok := compareShort([]byte(a), b); ok {
			short++
		}
	}
	if short < 50_000 {
		t.Errorf("only %d were short", short)
	}
}

// FuzzShort does what TestShortNumbers does.
func FuzzShort(f *testing.F) {
	f.Add("1.50", "1.5")
	f.Add("-0", "0.0")
	f.Fuzz(holdShort)
}
