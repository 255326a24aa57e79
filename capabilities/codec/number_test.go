package codec_test

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities/codec"
)

func TestInt(t *testing.T) {
	for _, test := range []struct {
		bits int
		text string
		want int64
		bad  string
	}{
		{8, "0", 0, ""}, {8, "-0", 0, ""}, {8, "-0.0", 0, ""}, {8, "0e9999", 0, ""}, {8, "0.000e-9999", 0, ""}, {8, "127", 127, ""}, {8, "-128", -128, ""},
		{8, "1.27e2", 127, ""}, {8, "1270e-1", 127, ""}, {8, "12700.00E-2", 127, ""}, {8, "0.00127e+5", 127, ""}, {8, "127.000000000000000000000000000", 127, ""},
		{8, "128", 0, " maximum: must be at most 127"}, {8, "-129", 0, " minimum: must be at least -128"}, {8, "1.5", 0, " type: must be an integer"}, {8, "1e-1", 0, " type: must be an integer"},
		{16, "32767", 32767, ""}, {16, "32768", 0, " maximum: must be at most 32767"}, {32, "-2147483648", -2147483648, ""}, {32, "-2147483649", 0, " minimum: must be at least -2147483648"},
		{64, "999999999999999999", 999999999999999999, ""}, {64, "9223372036854775807", math.MaxInt64, ""}, {64, "9223372036854775807.0", math.MaxInt64, ""}, {64, "-9223372036854775808", math.MinInt64, ""},
		{64, "9.223372036854775807e18", math.MaxInt64, ""}, {64, "-92233720368547758080E-1", math.MinInt64, ""}, {64, "1e18", 1e18, ""},
		{64, "9223372036854775808", 0, " maximum: must be at most 9223372036854775807"}, {64, "-9223372036854775809", 0, " minimum: must be at least -9223372036854775808"},
		{64, "1e19", 0, " maximum: must be at most 9223372036854775807"}, {64, "1e9999", 0, " maximum: must be at most 9223372036854775807"}, {64, "-1e9999", 0, " minimum: must be at least -9223372036854775808"},
		{64, "1e-9999", 0, " type: must be an integer"}, {64, "18446744073709551616", 0, " maximum: must be at most 9223372036854775807"}, {64, "9223372036854775807.5", 0, " type: must be an integer"},
		{64, "0.1", 0, " type: must be an integer"}, {64, `"1"`, 0, " type: must be an integer"}, {64, "null", 0, " type: must be an integer"}, {64, "true", 0, " type: must be an integer"},
	} {
		var got int64
		problems := words(codec.Decode([]byte(test.text), &got, func(d *codec.Decoder, v *int64) { *v, _ = d.Int(test.bits) }))
		check(t, test.text, problems, list(test.bad)...)
		if got != test.want {
			t.Errorf("%s: %d, want %d", test.text, got, test.want)
		}
	}
}

func TestUint(t *testing.T) {
	for _, test := range []struct {
		bits int
		text string
		want uint64
		bad  string
	}{
		{8, "-0", 0, ""}, {8, "-0e5", 0, ""}, {8, "255", 255, ""}, {8, "2.55e2", 255, ""}, {8, "256", 0, " maximum: must be at most 255"}, {8, "-1", 0, " minimum: must be at least 0"},
		{8, "-1e9999", 0, " minimum: must be at least 0"}, {8, "-0.5", 0, " type: must be an integer"}, {64, "18446744073709551615", math.MaxUint64, ""},
		{64, "18446744073709551616", 0, " maximum: must be at most 18446744073709551615"}, {64, "1844674407370955161.5e1", math.MaxUint64, ""}, {64, "1e20", 0, " maximum: must be at most 18446744073709551615"},
		{64, "18446744073709551620", 0, " maximum: must be at most 18446744073709551615"}, {64, "99999999999999999999", 0, " maximum: must be at most 18446744073709551615"},
	} {
		var got uint64
		problems := words(codec.Decode([]byte(test.text), &got, func(d *codec.Decoder, v *uint64) { *v, _ = d.Uint(test.bits) }))
		check(t, test.text, problems, list(test.bad)...)
		if got != test.want {
			t.Errorf("%s: %d, want %d", test.text, got, test.want)
		}
	}
}

func TestFloat(t *testing.T) {
	for _, test := range []struct {
		bits int
		text string
		want float64
		bad  string
	}{
		{64, "0.1", 0.1, ""}, {64, "-0", math.Copysign(0, -1), ""}, {64, "1e308", 1e308, ""}, {64, "1.7976931348623157e308", math.MaxFloat64, ""}, {64, "1e-400", 0, ""},
		{64, "1e309", 0, " type: must be a number of 64 bits"}, {32, "1e39", 0, " type: must be a number of 32 bits"}, {32, "0.1", float64(float32(0.1)), ""}, {64, `"1"`, 0, " type: must be a number"},
	} {
		var got float64
		problems := words(codec.Decode([]byte(test.text), &got, func(d *codec.Decoder, v *float64) { *v, _, _ = d.Float(test.bits) }))
		check(t, test.text, problems, list(test.bad)...)
		if math.Float64bits(got) != math.Float64bits(test.want) {
			t.Errorf("%s: %v, want %v", test.text, got, test.want)
		}
	}
}

// spelling returns a number of few digits in one of its many spellings.
func spelling(random *rand.Rand) string {
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "0123456789005"[random.IntN(13)]
		}
		return string(b)
	}
	text := strings.TrimLeft(digits(1+random.IntN(22)), "0")
	if text == "" {
		text = "0"
	}
	if random.IntN(3) == 0 {
		text = "-" + text
	}
	if random.IntN(2) == 0 {
		text += "." + digits(1+random.IntN(5))
	}
	if random.IntN(2) == 0 {
		text += "e" + strconv.Itoa(random.IntN(60)-30)
	}
	return text
}

// TestArithmeticIsExact compares with math/big.
func TestArithmeticIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	multiples := []string{"1", "2", "3", "7", "10", "0.01", "0.5", "2.50", "1e3", "3e-7", "0.3", "1e-30", "12345678901234567890123", "18446744073709551557", "9223372036854775808", "1e40", "6.4e1"}
	for range 50000 {
		a, b := spelling(random), spelling(random)
		if random.IntN(4) == 0 {
			b = a + "e0"
			if strings.ContainsRune(a, 'e') {
				b = a
			}
		}
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		if got, want := codec.Compare([]byte(a), b), x.Cmp(y); got != want {
			t.Fatalf("Compare(%s, %s) is %d, want %d", a, b, got, want)
		}
		of := multiples[random.IntN(len(multiples))]
		z, _ := new(big.Rat).SetString(of)
		if got, want := codec.MultipleOf([]byte(a), of), new(big.Rat).Quo(x, z).IsInt(); got != want {
			t.Fatalf("MultipleOf(%s, %s) is %t", a, of, got)
		}
		if got, want := codec.OneOf([]byte(a), "1", b), x.Cmp(big.NewRat(1, 1)) == 0 || x.Cmp(y) == 0; got != want {
			t.Fatalf("OneOf(%s, 1, %s) is %t", a, b, got)
		}
		var value int64
		problems := codec.Decode([]byte(a), &value, func(d *codec.Decoder, v *int64) { *v, _ = d.Int(64) })
		if fits := x.IsInt() && x.Num().IsInt64(); fits != (len(problems) == 0) || fits && value != x.Num().Int64() {
			t.Fatalf("Int of %s is %d, %v", a, value, problems)
		}
		var natural uint64
		problems = codec.Decode([]byte(a), &natural, func(d *codec.Decoder, v *uint64) { *v, _ = d.Uint(64) })
		if fits := x.IsInt() && x.Num().IsUint64(); fits != (len(problems) == 0) || fits && natural != x.Num().Uint64() {
			t.Fatalf("Uint of %s is %d, %v", a, natural, problems)
		}
	}
	for _, test := range []struct {
		text, of string
		want     bool
	}{
		{"1e9999", "3", false}, {"3e9999", "3", true}, {"1e9999", "7e-9999", false}, {"7e9999", "7e-9999", true}, {"1e-9999", "0.5", false}, {"0e9999", "3", true}, {"-0", "3", true},
		{"1e9999", "1024", true}, {strings.Repeat("9", 100000), "9", true}, {strings.Repeat("9", 100000), "99999999999999999999999999", false}, {"0.0075", "0.0001", true}, {"0.00751", "0.0001", false},
	} {
		if got := codec.MultipleOf([]byte(test.text), test.of); got != test.want {
			t.Errorf("MultipleOf(%.20s, %s) is %t", test.text, test.of, got)
		}
	}
}

// TestFloatsAreWrittenAsEncodingJSONDoes over all magnitudes.
func TestFloatsAreWrittenAsEncodingJSONDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	values := []float64{0, math.Copysign(0, -1), 1, -1, 1e-6, 9.99e-7, 1e20, 1e21, 1e-7, 123456789, 0.1, 1.0 / 3, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e100, 1e-100, 5e-324, 1e-9, 1e-10, math.MaxFloat32, 1e21 - 1e5}
	for range 20000 {
		values = append(values, math.Float64frombits(random.Uint64()), random.NormFloat64()*math.Pow(10, float64(random.IntN(60)-30)))
	}
	for _, value := range values {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			continue
		}
		want, _ := json.Marshal(value)
		if got := encode(func(e *codec.Encoder) { e.Float(value, 64) }); got != string(want) {
			t.Errorf("%v: %s, want %s", value, got, want)
		}
		if small := float32(value); !math.IsInf(float64(small), 0) {
			want, _ := json.Marshal(small)
			if got := encode(func(e *codec.Encoder) { e.Float(float64(small), 32) }); got != string(want) {
				t.Errorf("%v: %s, want %s", small, got, want)
			}
		}
	}
	for value, want := range map[float64]string{math.NaN(): "(the number NaN has no JSON form)", math.Inf(1): "(the number +Inf has no JSON form)", math.Inf(-1): "(the number -Inf has no JSON form)"} {
		if got := encode(func(e *codec.Encoder) { e.Float(value, 64) }); got != want {
			t.Error(got)
		}
		if got := encode(func(e *codec.Encoder) { e.QuotedFloat(value, 32) }); got != want {
			t.Error(got)
		}
	}
}

func TestJSONNumber(t *testing.T) {
	for value, want := range map[string]string{"": "0", "1.50": "1.50", "-0": "-0", "1e5": "1e5", "1e10000": "(a json.Number is not a number)", " 1": "(a json.Number is not a number)",
		"1 ": "(a json.Number is not a number)", "01": "(a json.Number is not a number)", "x": "(a json.Number is not a number)", "-": "(a json.Number is not a number)", "{}": "(a json.Number is not a number)"} {
		if got := encode(func(e *codec.Encoder) { e.Number(json.Number(value)) }); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}
